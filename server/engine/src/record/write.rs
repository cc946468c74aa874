//! The one way a version comes into being: row, version, audit and notice in the caller's transaction. Commands of people and the end
//! of a turn both write through here, so that history is the same whoever wrote.

use uuid::Uuid;
use wire::record::{Record, RecordKind};
use wire::version::ProposalKind;

use super::text::counts;
use super::{AgentHand, Content, Hand, aside, slug, valid};
use crate::access::{Actor, Target, may};
use crate::error::{Error, Result};
use crate::store::audit::Entry;
use crate::store::notice::NewNotice;
use crate::store::proposal::NewProposalRow;
use crate::store::record::{NewRow, Stored};
use crate::store::version::NewVersion;
use crate::store::{self, Tx};

/// Names that are tried before one is made that nobody else can have.
const TRIES: usize = 20;

/// A record to add.
#[derive(Clone, Debug)]
pub struct Added {
    pub id: Uuid,
    pub project_id: Uuid,
    pub kind: RecordKind,
    pub parent_id: Option<Uuid>,
    /// The word to be had in addresses, if it is free; absent: the title's.
    pub slug: Option<String>,
    pub content: Content,
}

/// Adds a record with its first version. The project must be the actor's organisation's; everything else is checked here.
///
/// # Errors
/// When the actor may not manage the kind, the parent is not there or of the wrong kind, or a field is not valid.
pub async fn add(tx: &mut Tx, actor: &Actor, new: Added, hand: Hand) -> Result<Record> {
    may(actor, super::scope(new.kind), Target::Organisation { id: actor.organisation_id, what: "The project" })?;
    let content = valid::content(new.kind, new.content)?;
    let parent_id = parent(tx, actor, &new.kind, new.project_id, new.parent_id).await?;
    let now = tx.now();
    let wanted = slug::of(new.slug.as_deref().unwrap_or(&content.title), new.kind.name());
    let mut taken = store::record::slugs(tx, new.project_id, new.kind, &wanted).await?;
    let mut found = None;
    for _ in 0..TRIES {
        let slug = slug::free(&wanted, &taken);
        let row = NewRow {
            id: new.id,
            organisation_id: actor.organisation_id,
            project_id: new.project_id,
            kind: new.kind,
            parent_id,
            slug: &slug,
            content: &content,
            owner_id: actor.person_id,
        };
        if store::record::insert(tx, &row, now).await? {
            found = Some(slug);
            break;
        }
        // somebody else took it just now
        taken.push(slug);
    }
    let Some(slug) = found else {
        return Err(Error::conflict("slug_taken", "Many records of this title are being made right now. Try again."));
    };
    let (added, removed) = counts("", &content.body);
    let version = NewVersion {
        record_id: new.id,
        version: 1,
        content: &content,
        author_id: actor.person_id,
        hand: &hand,
        added,
        removed,
    };
    store::version::insert(tx, &version, now).await?;
    tx.audit(&Entry { after_version: Some(1), ..entry(actor, "record.created", new.id, hand) }).await?;
    tx.notice(&notice(actor.organisation_id, new.project_id, new.id, "record", new.id, "created")).await?;
    Ok(Record {
        id: new.id,
        kind: new.kind,
        project_id: new.project_id,
        parent_id,
        slug,
        title: content.title,
        status: content.status,
        severity: content.severity,
        body: content.body,
        version: 1,
        owner: wire::person::Named { id: actor.person_id, name: actor.person_name.clone() },
        updated_at: now,
    })
}

/// The parent that a record of a kind must have, if it is there for the actor and of the right kind.
async fn parent(
    tx: &mut Tx,
    actor: &Actor,
    kind: &RecordKind,
    project_id: Uuid,
    parent_id: Option<Uuid>,
) -> Result<Option<Uuid>> {
    let parent = match parent_id {
        None => None,
        Some(id) => {
            let found = store::record::find(tx, id).await?.ok_or(Error::NotFound("The parent record"))?;
            may(
                actor,
                wire::access::Scope::RecordsRead,
                Target::Organisation { id: found.organisation_id, what: "The parent record" },
            )?;
            Some(found.record)
        }
    };
    match (kind.parent(), parent) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(Error::invalid("parent", "An initiative stands on its own: leave parent_id out.")),
        (Some(wanted), None) => Err(Error::invalid(
            "parent",
            format!("A {} belongs under {}: name it as parent_id.", kind.name(), with_article(wanted)),
        )),
        (Some(wanted), Some(parent)) if parent.kind == wanted && parent.project_id == project_id => Ok(Some(parent.id)),
        (Some(wanted), Some(_)) => Err(Error::invalid(
            "parent",
            format!("A {} belongs under {} of its own project.", kind.name(), with_article(wanted)),
        )),
    }
}

const fn with_article(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Initiative => "an initiative",
        RecordKind::Plan => "a plan",
        RecordKind::Bug => "a bug",
    }
}

/// Appends the next version of a record that this transaction has locked; gives it as it is then, with
/// the lines added and removed. The caller has checked the content
/// and the actor's scope.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn next(
    tx: &mut Tx,
    actor: &Actor,
    stored: Stored,
    content: Content,
    hand: Hand,
) -> Result<(Record, (i32, i32))> {
    let Stored { organisation_id, mut record } = stored;
    let before = record.version;
    let now = tx.now();
    let old = std::mem::take(&mut record.body);
    let (content, (added, removed)) = aside(old.len() + content.body.len(), move || {
        let counted = counts(&old, &content.body);
        (content, counted)
    })
    .await;
    let version = before + 1;
    store::record::update(tx, record.id, version, &content, now).await?;
    let row = NewVersion {
        record_id: record.id,
        version,
        content: &content,
        author_id: actor.person_id,
        hand: &hand,
        added,
        removed,
    };
    store::version::insert(tx, &row, now).await?;
    let entry = Entry {
        before_version: Some(before),
        after_version: Some(version),
        ..entry(actor, "record.saved", record.id, hand)
    };
    tx.audit(&entry).await?;
    tx.notice(&notice(organisation_id, record.project_id, record.id, "record", record.id, "saved")).await?;
    let record = Record {
        title: content.title,
        status: content.status,
        severity: content.severity,
        body: content.body,
        version,
        updated_at: now,
        ..record
    };
    Ok((record, (added, removed)))
}

/// A change to keep for a person to decide.
#[derive(Clone, Debug)]
pub struct Proposed {
    pub id: Uuid,
    pub record_id: Uuid,
    pub project_id: Uuid,
    pub base_version: i32,
    pub kind: ProposalKind,
    pub content: Content,
}

/// Keeps what an agent wrote as a proposal on a record of the actor's organisation.
///
/// # Errors
/// When the actor may not read records, or the database does not answer.
pub async fn propose(tx: &mut Tx, actor: &Actor, new: Proposed, agent: AgentHand) -> Result<()> {
    may(
        actor,
        wire::access::Scope::RecordsRead,
        Target::Organisation { id: actor.organisation_id, what: "The record" },
    )?;
    let now = tx.now();
    let row = NewProposalRow {
        id: new.id,
        record_id: new.record_id,
        person_id: actor.person_id,
        agent: Some(agent),
        base_version: new.base_version,
        kind: new.kind,
        content: &new.content,
    };
    store::proposal::insert(tx, &row, now).await?;
    let mut entry = Entry::by(actor, "proposal.created", "proposal", new.id);
    entry.agent = Some((agent.agent_id, agent.turn_id));
    tx.audit(&entry).await?;
    tx.notice(&notice(actor.organisation_id, new.project_id, new.record_id, "proposal", new.id, "created")).await
}

fn entry(actor: &Actor, action: &'static str, record_id: Uuid, hand: Hand) -> Entry {
    let mut entry = Entry::by(actor, action, "record", record_id);
    entry.agent = hand.agent().map(|agent| (agent.agent_id, agent.turn_id));
    entry.edit_source = Some(hand.source());
    entry
}

pub(super) const fn notice(
    organisation_id: Uuid,
    project_id: Uuid,
    record_id: Uuid,
    topic: &'static str,
    subject_id: Uuid,
    kind: &'static str,
) -> NewNotice {
    NewNotice {
        organisation_id,
        owner_id: None,
        topic,
        subject_id,
        kind,
        project_id: Some(project_id),
        record_id: Some(record_id),
        chat_id: None,
    }
}
