//! Agents' changes that wait for a person.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::version::{ProposalKind, ProposalState};

use super::known;
use crate::error::Result;
use crate::record::{AgentHand, Content};

/// A proposal as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct StoredProposal {
    pub id: Uuid,
    pub record_id: Uuid,
    pub agent: Option<AgentHand>,
    pub turn_id: Option<Uuid>,
    pub base_version: i32,
    pub kind: ProposalKind,
    pub content: Content,
    pub state: ProposalState,
    pub created_at: OffsetDateTime,
}

struct Row {
    id: Uuid,
    record_id: Uuid,
    chat_id: Option<Uuid>,
    turn_id: Option<Uuid>,
    agent_id: Option<Uuid>,
    base_version: i32,
    kind: String,
    title: String,
    status: String,
    severity: Option<String>,
    body: String,
    state: String,
    created_at: OffsetDateTime,
}

impl Row {
    fn stored(self) -> Result<StoredProposal> {
        let kind = match self.kind.as_str() {
            "conflict" => Some(ProposalKind::Conflict),
            "proposed" => Some(ProposalKind::Proposed),
            _ => None,
        };
        let state = match self.state.as_str() {
            "open" => Some(ProposalState::Open),
            "accepted" => Some(ProposalState::Accepted),
            "refused" => Some(ProposalState::Refused),
            _ => None,
        };
        let agent = match (self.agent_id, self.turn_id, self.chat_id) {
            (Some(agent_id), Some(turn_id), Some(chat_id)) => Some(AgentHand { agent_id, turn_id, chat_id }),
            _ => None,
        };
        Ok(StoredProposal {
            id: self.id,
            record_id: self.record_id,
            agent,
            turn_id: self.turn_id,
            base_version: self.base_version,
            kind: known(kind, "proposals.kind")?,
            content: Content { title: self.title, status: self.status, severity: self.severity, body: self.body },
            state: known(state, "proposals.state")?,
            created_at: self.created_at,
        })
    }
}

macro_rules! proposals {
    ($tail:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            Row,
            "select id, record_id, chat_id, turn_id, agent_id, base_version, kind, title, status, severity, body, state, created_at
             from proposals " + $tail,
            $($argument),+
        )
    };
}

/// A proposal to keep.
pub(crate) struct NewProposalRow<'a> {
    pub id: Uuid,
    pub record_id: Uuid,
    pub person_id: Uuid,
    pub agent: Option<AgentHand>,
    pub base_version: i32,
    pub kind: ProposalKind,
    pub content: &'a Content,
}

pub(crate) async fn insert(connection: &mut PgConnection, new: &NewProposalRow<'_>, now: OffsetDateTime) -> Result<()> {
    let kind = match new.kind {
        ProposalKind::Conflict => "conflict",
        ProposalKind::Proposed => "proposed",
    };
    sqlx::query!(
        "insert into proposals (id, record_id, chat_id, turn_id, agent_id, person_id, base_version, kind, title, status, severity, body, state, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'open', $13)",
        new.id,
        new.record_id,
        new.agent.map(|agent| agent.chat_id),
        new.agent.map(|agent| agent.turn_id),
        new.agent.map(|agent| agent.agent_id),
        new.person_id,
        new.base_version,
        kind,
        new.content.title,
        new.content.status,
        new.content.severity,
        new.content.body,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) async fn find(connection: &mut PgConnection, id: Uuid) -> Result<Option<StoredProposal>> {
    let found = proposals!("where id = $1", id).fetch_optional(connection).await?;
    found.map(Row::stored).transpose()
}

/// As [`find`], and nobody else decides it until the transaction ends.
pub(crate) async fn lock(connection: &mut PgConnection, id: Uuid) -> Result<Option<StoredProposal>> {
    let found = proposals!("where id = $1 for update", id).fetch_optional(connection).await?;
    found.map(Row::stored).transpose()
}

/// The proposals on a record: open ones first, then the newest first.
pub(crate) async fn list(connection: &mut PgConnection, record_id: Uuid, limit: i64) -> Result<Vec<StoredProposal>> {
    let rows = proposals!(
        "where record_id = $1 order by (state = 'open') desc, created_at desc, id desc limit $2",
        record_id,
        limit
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Row::stored).collect()
}

pub(crate) async fn settle(
    connection: &mut PgConnection,
    id: Uuid,
    accepted: bool,
    person_id: Uuid,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "update proposals set state = $2, decided_by = $3, decided_at = $4 where id = $1",
        id,
        if accepted { "accepted" } else { "refused" },
        person_id,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}
