use uuid::Uuid;
use wire::record::{NewRecord, Record};

use super::write::{Added, add};
use super::{Content, Hand, find};
use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Makes a record with its first version.
///
/// # Errors
/// When the actor may not manage its kind, or a field is not valid.
pub async fn create(engine: &Engine, actor: &Actor, project_id: Uuid, new: NewRecord) -> Result<Record> {
    let mut tx = engine.begin().await?;
    find::project(&mut tx, actor, project_id, find::scope(new.kind)).await?;
    let added = Added {
        id: engine.id(),
        project_id,
        kind: new.kind,
        parent_id: new.parent_id,
        slug: None,
        content: Content {
            title: new.title,
            status: new.status.unwrap_or_else(|| new.kind.statuses()[0].to_owned()),
            severity: new.severity,
            body: new.body.unwrap_or_default(),
        },
    };
    let record = add(&mut tx, actor, added, Hand::Person).await?;
    tx.commit().await?;
    Ok(record)
}
