use uuid::Uuid;
use wire::record::{SaveRecord, Saved};

use super::{Amended, Content, Hand, SaveOutcome, amend};
use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Writes the next version. What others saved since the base is merged in; where that cannot be, nothing is written.
///
/// # Errors
/// When the actor may not manage the kind, the base is not a version of the record, or a field is not valid.
pub async fn save(engine: &Engine, actor: &Actor, id: Uuid, save: SaveRecord) -> Result<SaveOutcome> {
    let mut tx = engine.begin().await?;
    let base_version = save.base_version;
    let change = move |base: &Content| Content {
        title: save.title.unwrap_or_else(|| base.title.clone()),
        status: save.status.unwrap_or_else(|| base.status.clone()),
        severity: save.severity.or_else(|| base.severity.clone()),
        body: save.body.unwrap_or_else(|| base.body.clone()),
    };
    let outcome = match amend(&mut tx, actor, id, base_version, Box::new(change), Hand::Person).await? {
        Amended::Written { record, merged, .. } => SaveOutcome::Saved(Saved { record, merged }),
        Amended::Unchanged(record) => SaveOutcome::Saved(Saved { record, merged: false }),
        Amended::Conflict(conflict) => SaveOutcome::Conflict(conflict),
    };
    tx.commit().await?;
    Ok(outcome)
}
