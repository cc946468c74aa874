use uuid::Uuid;
use wire::record::RecordKind;

use crate::record::Content;

/// What an agent did to its workspace, file by file, against the records that were written out. Nothing of it is applied yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    pub changed: Vec<ChangedFile>,
    /// Initiatives before plans before bugs, so that a parent stands before its children.
    pub created: Vec<CreatedFile>,
    pub refused: Vec<RefusedPath>,
    /// Files of records that are gone. A deleted file deletes nothing: the next checkout writes it again, and person and agent are told.
    pub deleted: Vec<DeletedFile>,
    /// Files that moved and are still the same record; nothing needs to be done for them.
    pub renamed: Vec<RenamedFile>,
}

/// A record with new content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: String,
    pub id: Uuid,
    pub kind: RecordKind,
    /// The version that the agent's text came from.
    pub base_version: i32,
    pub content: Content,
}

/// A record to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedFile {
    pub path: String,
    pub kind: RecordKind,
    pub parent: Option<ParentOf>,
    pub content: Content,
}

/// What a new record hangs under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentOf {
    Record(Uuid),
    /// Another new record of the same change set: its place in `created`.
    Created(usize),
}

/// A file that is not taken, and why. It stays where it is for the next turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPath {
    pub path: String,
    pub reason: String,
    /// It was refused in an earlier turn and has not been touched since: kept again, but not told again.
    pub again: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedFile {
    pub path: String,
    pub id: Uuid,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedFile {
    pub id: Uuid,
    pub from: String,
    pub to: String,
}

impl ChangeSet {
    /// Whether there is nothing to write and nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
            && self.created.is_empty()
            && self.deleted.is_empty()
            && self.refused.iter().all(|refused| refused.again)
    }
}
