use uuid::Uuid;
use wire::record::Record;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// One record as it is now.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such record.
pub async fn get(engine: &Engine, actor: &Actor, id: Uuid) -> Result<Record> {
    let _ = (engine, actor, id);
    todo!()
}
