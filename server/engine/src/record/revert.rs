use uuid::Uuid;
use wire::version::Revert;

use super::SaveOutcome;
use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Takes back what one version changed, whole or by hunks, from the record as it is now.
///
/// # Errors
/// When the actor may not manage the kind, there is no such version, or it has no such hunk.
pub async fn revert(engine: &Engine, actor: &Actor, id: Uuid, revert: Revert) -> Result<SaveOutcome> {
    let _ = (engine, actor, id, revert);
    todo!()
}
