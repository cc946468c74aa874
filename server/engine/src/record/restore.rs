use uuid::Uuid;
use wire::record::Saved;
use wire::version::Restore;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Appends a version that holds what an earlier one held.
///
/// # Errors
/// When the actor may not manage the kind, or there is no such version.
pub async fn restore(engine: &Engine, actor: &Actor, id: Uuid, restore: Restore) -> Result<Saved> {
    let _ = (engine, actor, id, restore);
    todo!()
}
