use sqlx::postgres::PgConnection;
use uuid::Uuid;
use wire::record::{Decided, Record};
use wire::version::{DecideProposal, Decision, Proposal, ProposalKind, ProposalState};

use super::{Content, Hand, amend, aside, find, text, valid, write};
use crate::Engine;
use crate::access::{Actor, Target, may};
use crate::error::{Error, Result};
use crate::store;
use crate::store::audit::Entry;
use crate::store::proposal::StoredProposal;

/// Proposals of a record that are shown: all that are open, and those decided last.
const SHOWN: i64 = 100;

/// The proposals on a record, open ones first, each against the record as it is now.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such record.
pub async fn proposals(engine: &Engine, actor: &Actor, id: Uuid) -> Result<Vec<Proposal>> {
    let mut connection = engine.pool().acquire().await?;
    let record = find::readable(&mut connection, actor, id).await?.record;
    let stored = store::proposal::list(&mut connection, id, SHOWN).await?;
    let mut shown = Vec::with_capacity(stored.len());
    for proposal in stored {
        let base = base_of(&mut connection, &proposal, &record).await?;
        shown.push(shown_against(proposal, base, &record).await);
    }
    Ok(shown)
}

/// Accepts or refuses a proposal. Accepting writes the person's text when one is given, else the proposal's change on the record as it
/// is now; where both changed the same lines the proposal's stand, and the others are in the version before.
///
/// # Errors
/// When the actor may not manage the record's kind, there is no such proposal, or it was decided before.
pub async fn decide(engine: &Engine, actor: &Actor, proposal_id: Uuid, decision: DecideProposal) -> Result<Decided> {
    let mut tx = engine.begin().await?;
    let found = store::proposal::find(&mut tx, proposal_id).await?.ok_or(Error::NotFound("The proposal"))?;
    let record = store::record::find(&mut tx, found.record_id).await?.ok_or(Error::NotFound("The proposal"))?;
    let target = Target::Organisation { id: record.organisation_id, what: "The proposal" };
    may(actor, find::scope(record.record.kind), target)?;
    // the record before its proposals, as everywhere
    let stored = find::writable(&mut tx, actor, found.record_id).await?;
    let proposal = store::proposal::lock(&mut tx, proposal_id).await?.ok_or(Error::NotFound("The proposal"))?;
    if proposal.state != ProposalState::Open {
        let how = if proposal.state == ProposalState::Accepted { "accepted" } else { "refused" };
        return Err(Error::conflict("decided", format!("This proposal was {how} already.")));
    }
    let organisation_id = stored.organisation_id;
    let before = stored.record.version;
    let base = base_of(&mut tx, &proposal, &stored.record).await?;
    let record = match decision.decision {
        Decision::Refuse => stored.record,
        Decision::Accept => {
            let current = amend::content_of(&stored.record);
            let body = match decision.body {
                Some(body) => Some(on_current(&mut tx, body, decision.base_version, &stored.record).await?),
                None => None,
            };
            let (content, hand) = accepted(&proposal, &base, &current, &stored.record, body).await?;
            if content == current { stored.record } else { write::next(&mut tx, actor, stored, content, hand).await?.0 }
        }
    };
    let accepted = decision.decision == Decision::Accept;
    let now = tx.now();
    store::proposal::settle(&mut tx, proposal_id, accepted, actor.person_id, now).await?;
    let action = if accepted { "proposal.accepted" } else { "proposal.refused" };
    let mut entry = Entry::by(actor, action, "proposal", proposal_id);
    (entry.before_version, entry.after_version) = (Some(before), Some(record.version));
    tx.audit(&entry).await?;
    let kind = if accepted { "accepted" } else { "refused" };
    tx.notice(&write::notice(organisation_id, record.project_id, record.id, "proposal", proposal_id, kind)).await?;
    tx.commit().await?;
    let state = if accepted { ProposalState::Accepted } else { ProposalState::Refused };
    let proposal = shown_against(StoredProposal { state, ..proposal }, base, &record).await;
    Ok(Decided { proposal, record })
}

/// A person's text for a proposal, with what others saved since they began with it.
async fn on_current(
    connection: &mut PgConnection,
    body: String,
    base_version: Option<i32>,
    record: &Record,
) -> Result<String> {
    let Some(number) = base_version.filter(|number| *number != record.version) else { return Ok(body) };
    let base = store::version::content(connection, record.id, number).await?.ok_or_else(|| {
        Error::invalid("base_version", format!("There is no version {number} of this record to start from."))
    })?;
    let (base, current) = (base.body, record.body.clone());
    let merged = aside(base.len() + current.len() + body.len(), move || text::merge(&base, &current, &body)).await;
    if merged.clean {
        return Ok(merged.text);
    }
    Err(Error::conflict(
        "record_moved_on",
        format!("The record is at version {} now and changed in the same lines. Look at it again.", record.version),
    ))
}

/// What accepting writes, and whose hand it is.
async fn accepted(
    proposal: &StoredProposal,
    base: &Content,
    current: &Content,
    record: &Record,
    body: Option<String>,
) -> Result<(Content, Hand)> {
    let change = &proposal.content;
    let pick = |base: &String, current: &String, change: &String| {
        if change == base { current.clone() } else { change.clone() }
    };
    let status = pick(&base.status, &current.status, &change.status);
    // the record may have gone somewhere from where this step is none
    let status = if record.kind.may_move(&current.status, &status) { status } else { current.status.clone() };
    let severity = if change.severity == base.severity { &current.severity } else { &change.severity };
    let by_person = body.is_some();
    let body = match body {
        Some(body) => {
            valid::no_new_marks(&current.body, &body)?;
            body
        }
        None => {
            let (base, current, change) = (base.body.clone(), current.body.clone(), change.body.clone());
            let size = base.len() + current.len() + change.len();
            aside(size, move || text::merge_for(&base, &current, &change)).await
        }
    };
    let content =
        Content { title: pick(&base.title, &current.title, &change.title), status, severity: severity.clone(), body };
    let hand = match proposal.agent {
        Some(agent) if !by_person => Hand::Agent(agent),
        _ => Hand::Person,
    };
    Ok((valid::content(record.kind, content)?, hand))
}

/// The version that a proposal came from.
async fn base_of(connection: &mut PgConnection, proposal: &StoredProposal, record: &Record) -> Result<Content> {
    if proposal.base_version == record.version {
        return Ok(amend::content_of(record));
    }
    let base = store::version::content(connection, proposal.record_id, proposal.base_version).await?;
    Ok(base.unwrap_or_else(|| amend::content_of(record)))
}

/// A proposal as people see it, against the record as it is now.
async fn shown_against(proposal: StoredProposal, base: Content, record: &Record) -> Proposal {
    let StoredProposal { content, .. } = proposal;
    let (change, now) = (content.body.clone(), record.body.clone());
    let is_conflict = proposal.kind == ProposalKind::Conflict;
    let is_open = proposal.state == ProposalState::Open;
    let (hunks, merged_text) = aside(change.len() + now.len() + base.body.len(), move || {
        if !is_open {
            return (Vec::new(), None);
        }
        let merged = is_conflict.then(|| text::merge(&base.body, &now, &change).text);
        let wanted = text::merge_for(&base.body, &now, &change);
        (text::diff(&now, &wanted).hunks, merged)
    })
    .await;
    Proposal {
        id: proposal.id,
        record_id: proposal.record_id,
        turn_id: proposal.turn_id,
        base_version: proposal.base_version,
        kind: proposal.kind,
        title: content.title,
        status: content.status,
        body: content.body,
        merged_text,
        hunks,
        state: proposal.state,
        created_at: proposal.created_at,
    }
}
