use uuid::Uuid;
use wire::record::Record;

use super::find;
use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// One record as it is now.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such record.
pub async fn get(engine: &Engine, actor: &Actor, id: Uuid) -> Result<Record> {
    let mut connection = engine.pool().acquire().await?;
    Ok(find::readable(&mut connection, actor, id).await?.record)
}
