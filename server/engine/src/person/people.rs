use wire::access::Scope;
use wire::person::Named;

use crate::access::{Actor, Target, may};
use crate::error::Result;
use crate::{Engine, store};

/// The people of the organisation by name, those who were removed too: the audit log still speaks of them.
///
/// # Errors
/// When the actor may not read records.
pub async fn people(engine: &Engine, actor: &Actor) -> Result<Vec<Named>> {
    may(actor, Scope::RecordsRead, Target::Organisation { id: actor.organisation_id, what: "The organisation" })?;
    let mut connection = engine.pool().acquire().await?;
    store::person::list(&mut connection, actor.organisation_id).await
}
