use uuid::Uuid;
use wire::record::SaveRecord;

use super::SaveOutcome;
use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Writes the next version. What others saved since the base is merged in; where that cannot be, nothing is written.
///
/// # Errors
/// When the actor may not manage the kind, the base is not a version of the record, or a field is not valid.
pub async fn save(engine: &Engine, actor: &Actor, id: Uuid, save: SaveRecord) -> Result<SaveOutcome> {
    let _ = (engine, actor, id, save);
    todo!()
}
