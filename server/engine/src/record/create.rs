use uuid::Uuid;
use wire::record::{NewRecord, Record};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Makes a record with its first version.
///
/// # Errors
/// When the actor may not manage its kind, or a field is not valid.
pub async fn create(engine: &Engine, actor: &Actor, project_id: Uuid, new: NewRecord) -> Result<Record> {
    let _ = (engine, actor, project_id, new);
    todo!()
}
