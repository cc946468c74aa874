use wire::access::Scope;
use wire::record::Project;

use crate::access::{Actor, Target, may};
use crate::error::Result;
use crate::{Engine, store};

/// The organisation's projects by name.
///
/// # Errors
/// When the actor may not read records.
pub async fn list(engine: &Engine, actor: &Actor) -> Result<Vec<Project>> {
    may(actor, Scope::RecordsRead, Target::Organisation { id: actor.organisation_id, what: "The organisation" })?;
    let mut connection = engine.pool().acquire().await?;
    store::project::list(&mut connection, actor.organisation_id).await
}
