use std::collections::HashMap;

use uuid::Uuid;
use wire::message::{ChangedRecord, Changes, RefusedFile};
use wire::version::ProposalKind;

use super::{Added, AgentHand, Amended, Hand, Proposed, add, amend, find, propose};
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::{self, Tx};
use crate::workspace::{ChangeSet, ChangedFile, CreatedFile, ParentOf};

/// How a project takes what agents change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReconcileMode {
    /// At once, as versions.
    Apply,
    /// As proposals that a person decides.
    Propose,
}

impl ReconcileMode {
    #[must_use]
    pub fn parse(name: &str) -> Option<ReconcileMode> {
        match name {
            "apply" => Some(ReconcileMode::Apply),
            "propose" => Some(ReconcileMode::Propose),
            _ => None,
        }
    }
}

/// Files of one kind of trouble that are named one by one; of more the rest is counted.
const MOST_NAMED: usize = 50;

/// Writes what a turn's agent did to its workspace, in the transaction that ends the turn: versions, new records, audit rows and notices, or
/// proposals. Each file is checked against the actor's scopes at this moment and taken or refused on its own; a record that somebody saved
/// meanwhile is merged, and where that cannot be, what the agent wrote becomes a proposal of kind `conflict` and the record stays as it is.
///
/// A refusal is part of the answer. In a project that wants proposals a new record is refused, for a proposal is always on a record.
///
/// # Errors
/// Only what must undo the whole transaction: the database does not answer, or the project is not the actor's.
pub async fn reconcile(
    tx: &mut Tx,
    engine: &Engine,
    actor: &Actor,
    project_id: Uuid,
    hand: AgentHand,
    set: &ChangeSet,
) -> Result<Changes> {
    let mode = store::reconcile::mode(tx, actor.organisation_id, project_id).await?;
    let mut sweep = Sweep { engine, actor, project_id, hand, changes: Changes::default() };
    // in one order everywhere, so that two turns that change the same records wait for, and not on, each other
    let mut changed: Vec<&ChangedFile> = set.changed.iter().collect();
    changed.sort_by_key(|file| file.id);
    for file in changed {
        let done = match mode {
            ReconcileMode::Apply => sweep.change(tx, file).await,
            ReconcileMode::Propose => sweep.propose(tx, file, ProposalKind::Proposed).await,
        };
        sweep.take(&file.path, done)?;
    }
    let mut made: HashMap<usize, Uuid> = HashMap::new();
    for (place, file) in set.created.iter().enumerate() {
        let done = match mode {
            ReconcileMode::Apply => sweep.create(tx, file, &made).await.map(|id| {
                made.insert(place, id);
            }),
            ReconcileMode::Propose => Err(Error::invalid(
                "propose_only",
                "This project takes agents' changes as proposals, and a new record cannot be proposed: a person has to make it",
            )),
        };
        sweep.take(&file.path, done)?;
    }
    let refused = set.refused.iter().filter(|refused| !refused.again);
    let refused: Vec<RefusedFile> =
        refused.map(|refused| RefusedFile { path: refused.path.clone(), reason: refused.reason.clone() }).collect();
    sweep.tell(refused, "more files were refused");
    let deleted = set.deleted.iter().map(|file| RefusedFile { path: file.path.clone(), reason: DELETED.to_owned() });
    sweep.tell(deleted.collect(), "more files were deleted; their records stay and the files come back");
    Ok(sweep.changes)
}

const DELETED: &str = "the file was deleted; its record stays as it is and the file comes back with the next message";

struct Sweep<'a> {
    engine: &'a Engine,
    actor: &'a Actor,
    project_id: Uuid,
    hand: AgentHand,
    changes: Changes,
}

impl Sweep<'_> {
    async fn change(&mut self, tx: &mut Tx, file: &ChangedFile) -> Result<()> {
        let content = file.content.clone();
        let hand = Hand::Agent(self.hand);
        match amend(tx, self.actor, file.id, file.base_version, Box::new(move |_| content), hand).await? {
            Amended::Unchanged(_) => Ok(()),
            Amended::Conflict(_) => self.propose(tx, file, ProposalKind::Conflict).await,
            Amended::Written { record, merged, added, removed } => {
                self.changes.records.push(ChangedRecord {
                    record_id: record.id,
                    version: record.version,
                    added,
                    removed,
                    new: false,
                    merged,
                    kind: record.kind,
                    title: record.title,
                    slug: record.slug,
                });
                Ok(())
            }
        }
    }

    async fn propose(&mut self, tx: &mut Tx, file: &ChangedFile, kind: ProposalKind) -> Result<()> {
        // an agent proposes no more than its person may write
        let stored = find::writable(tx, self.actor, file.id).await?;
        let proposed = Proposed {
            id: self.engine.id(),
            record_id: file.id,
            project_id: stored.record.project_id,
            base_version: file.base_version,
            kind,
            content: file.content.clone(),
        };
        let id = proposed.id;
        propose(tx, self.actor, proposed, self.hand).await?;
        self.changes.conflicts.push(id);
        Ok(())
    }

    async fn create(&mut self, tx: &mut Tx, file: &CreatedFile, made: &HashMap<usize, Uuid>) -> Result<Uuid> {
        let parent_id = match file.parent {
            None => None,
            Some(ParentOf::Record(id)) => Some(id),
            Some(ParentOf::Created(place)) => Some(*made.get(&place).ok_or(Error::NotFound("The parent record"))?),
        };
        let stem = file.path.rsplit('/').next().and_then(|name| name.strip_suffix(".md"));
        let added = Added {
            id: self.engine.id(),
            project_id: self.project_id,
            kind: file.kind,
            parent_id,
            // the record keeps the name that the agent gave its file
            slug: stem.map(str::to_owned),
            content: file.content.clone(),
        };
        let record = add(tx, self.actor, added, Hand::Agent(self.hand)).await?;
        let lines = i32::try_from(record.body.lines().count()).unwrap_or(i32::MAX);
        self.changes.records.push(ChangedRecord {
            record_id: record.id,
            version: record.version,
            added: lines,
            removed: 0,
            new: true,
            merged: false,
            kind: record.kind,
            title: record.title,
            slug: record.slug,
        });
        Ok(record.id)
    }

    /// A file's own refusal stays its own; what has broken the transaction goes up.
    fn take(&mut self, path: &str, done: Result<()>) -> Result<()> {
        match done {
            Ok(()) => Ok(()),
            Err(failure @ (Error::Database(_) | Error::Fenced | Error::Unavailable(_))) => Err(failure),
            Err(refusal) => {
                let reason = refusal.to_string().trim_end_matches('.').to_owned();
                self.changes.refused.push(RefusedFile { path: path.to_owned(), reason });
                Ok(())
            }
        }
    }

    fn tell(&mut self, files: Vec<RefusedFile>, more: &str) {
        let count = files.len();
        self.changes.refused.extend(files.into_iter().take(MOST_NAMED));
        if count > MOST_NAMED {
            let reason = format!("{} {more}", count - MOST_NAMED);
            self.changes.refused.push(RefusedFile { path: "…".to_owned(), reason });
        }
    }
}
