//! Agents of an organisation.

use wire::access::Scope;
use wire::person::Named;

use crate::access::{Actor, Target, may};
use crate::error::Result;
use crate::{Engine, store};

/// Those that chats may have, the built-in ones first.
///
/// # Errors
/// When the actor may not read records, or the database does not answer.
pub async fn list(engine: &Engine, actor: &Actor) -> Result<Vec<Named>> {
    may(actor, Scope::RecordsRead, Target::Organisation { id: actor.organisation_id, what: "The organisation" })?;
    let mut connection = engine.pool().acquire().await?;
    store::organisation::agents(&mut connection, actor.organisation_id).await
}
