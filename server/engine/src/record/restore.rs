use uuid::Uuid;
use wire::record::Saved;
use wire::version::Restore;

use super::{Hand, amend, find, write};
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store;

/// Appends a version that holds what an earlier one held, its status too, from wherever the record is now. What is there already is
/// not written again.
///
/// # Errors
/// When the actor may not manage the kind, or there is no such version.
pub async fn restore(engine: &Engine, actor: &Actor, id: Uuid, restore: Restore) -> Result<Saved> {
    let mut tx = engine.begin().await?;
    let stored = find::writable(&mut tx, actor, id).await?;
    let content = store::version::content(&mut tx, id, restore.version).await?.ok_or(Error::NotFound("The version"))?;
    if content == amend::content_of(&stored.record) {
        return Ok(Saved { record: stored.record, merged: false });
    }
    let (record, _) = write::next(&mut tx, actor, stored, content, Hand::Restore).await?;
    tx.commit().await?;
    Ok(Saved { record, merged: false })
}
