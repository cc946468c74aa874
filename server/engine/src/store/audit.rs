//! The audit log: who did what, on whose behalf, to what, from where. Rows are only ever added; the database refuses all else.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::version::EditSource;

use crate::access::Actor;
use crate::error::Result;

/// One row to write.
#[derive(Clone, Debug)]
pub struct Entry {
    pub organisation_id: Uuid,
    pub person_id: Option<Uuid>,
    /// The agent that did it, with its turn.
    pub agent: Option<(Uuid, Uuid)>,
    /// Such as `record.saved`: the subject's kind, a dot, what happened.
    pub action: &'static str,
    pub subject_kind: &'static str,
    pub subject_id: Uuid,
    pub before_version: Option<i32>,
    pub after_version: Option<i32>,
    pub edit_source: Option<EditSource>,
    pub address: Option<String>,
    pub detail: serde_json::Value,
}

impl Entry {
    /// What a person did.
    #[must_use]
    pub fn by(actor: &Actor, action: &'static str, subject_kind: &'static str, subject_id: Uuid) -> Entry {
        Entry {
            organisation_id: actor.organisation_id,
            person_id: Some(actor.person_id),
            agent: None,
            action,
            subject_kind,
            subject_id,
            before_version: None,
            after_version: None,
            edit_source: None,
            address: actor.address.clone(),
            detail: serde_json::json!({}),
        }
    }
}

pub(crate) async fn append(connection: &mut PgConnection, entry: &Entry, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "insert into audit (organisation_id, at, person_id, agent_id, turn_id, action, subject_kind, subject_id, before_version, after_version, edit_source, address, detail)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        entry.organisation_id,
        now,
        entry.person_id,
        entry.agent.map(|(agent_id, _)| agent_id),
        entry.agent.map(|(_, turn_id)| turn_id),
        entry.action,
        entry.subject_kind,
        entry.subject_id,
        entry.before_version,
        entry.after_version,
        entry.edit_source.map(EditSource::name),
        entry.address,
        entry.detail
    )
    .execute(connection)
    .await?;
    Ok(())
}
