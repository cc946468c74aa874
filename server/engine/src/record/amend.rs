use uuid::Uuid;
use wire::record::{Record, SaveConflict, Sides};

use super::{Content, Hand, MergedContent, aside, find, valid, write};
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::{self, Tx};

/// How a change to a record ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amended {
    /// There is a new version; `merged` when somebody else's change is in it too.
    Written { record: Record, merged: bool, added: i32, removed: i32 },
    /// The record holds all of it already.
    Unchanged(Record),
    /// Somebody changed the same meanwhile; nothing was written.
    Conflict(Box<SaveConflict>),
}

/// What a change makes of the content that it started from.
pub type Change = Box<dyn FnOnce(&Content) -> Content + Send>;

/// Changes a record in the caller's transaction, from the version that the change started from: what others wrote since is merged
/// in. The record stays locked until the transaction ends.
///
/// # Errors
/// When the actor may not manage the kind, the base is not a version of the record, or what it would hold is not valid.
pub async fn amend(
    tx: &mut Tx,
    actor: &Actor,
    id: Uuid,
    base_version: i32,
    change: Change,
    hand: Hand,
) -> Result<Amended> {
    let stored = find::writable(tx, actor, id).await?;
    let (kind, current_version) = (stored.record.kind, stored.record.version);
    let current = content_of(&stored.record);
    let base = match base_version {
        number if number == current_version => current.clone(),
        number => store::version::content(tx, id, number).await?.ok_or_else(|| {
            Error::invalid(
                "base_version",
                format!("There is no version {number} of this record to start from; its newest is {current_version}."),
            )
        })?,
    };
    let mine = valid::content(kind, change(&base))?;
    valid::no_new_marks(&base.body, &mine.body)?;
    let merged = merged(&base, &current, &mine).await;
    if !merged.is_clean() {
        return Ok(Amended::Conflict(Box::new(conflict(base, current, mine, merged, current_version))));
    }
    if merged.content == current {
        return Ok(Amended::Unchanged(stored.record));
    }
    valid::step(kind, &current.status, &merged.content.status)?;
    let was_merged = merged.content != mine;
    let content = valid::content(kind, merged.content)?;
    let (record, (added, removed)) = write::next(tx, actor, stored, content, hand).await?;
    Ok(Amended::Written { record, merged: was_merged, added, removed })
}

/// What a record holds now.
pub(super) fn content_of(record: &Record) -> Content {
    Content {
        title: record.title.clone(),
        status: record.status.clone(),
        severity: record.severity.clone(),
        body: record.body.clone(),
    }
}

/// Three contents merged; large ones off the threads that serve requests.
pub(super) async fn merged(base: &Content, theirs: &Content, mine: &Content) -> MergedContent {
    let size = base.body.len() + theirs.body.len() + mine.body.len();
    let (base, theirs, mine) = (base.clone(), theirs.clone(), mine.clone());
    aside(size, move || Content::merge(&base, &theirs, &mine)).await
}

/// What a person is shown who must finish a merge.
pub(super) fn conflict(
    base: Content,
    current: Content,
    yours: Content,
    merged: MergedContent,
    current_version: i32,
) -> SaveConflict {
    let sides = |content: Content| Sides { title: content.title, status: content.status, body: content.body };
    SaveConflict {
        base: sides(base),
        current: sides(current),
        yours: sides(yours),
        merged_text: merged.content.body,
        current_version,
    }
}
