//! The audit log: who did what, on whose behalf, to what, from where. Rows are only ever added; the database refuses all else.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::audit::{AuditFilter, AuditRow, Subject};
use wire::person::Named;
use wire::record::RecordKind;
use wire::version::EditSource;

use super::href;
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

struct Row {
    id: i64,
    at: OffsetDateTime,
    person_id: Option<Uuid>,
    person: Option<String>,
    agent_id: Option<Uuid>,
    agent: Option<String>,
    turn_id: Option<Uuid>,
    action: String,
    subject_kind: String,
    subject_id: Uuid,
    name: Option<String>,
    project_slug: Option<String>,
    record_kind: Option<String>,
    record_slug: Option<String>,
    chat_id: Option<Uuid>,
    before_version: Option<i32>,
    after_version: Option<i32>,
    edit_source: Option<String>,
    address: Option<String>,
}

impl Row {
    fn audit_row(self) -> AuditRow {
        let record = self.record_kind.as_deref().and_then(RecordKind::parse).zip(self.record_slug.as_deref());
        AuditRow {
            id: self.id,
            at: self.at,
            actor: self.person_id.zip(self.person).map(|(id, name)| Named { id, name }),
            agent: self.agent_id.zip(self.agent).map(|(id, name)| Named { id, name }),
            turn_id: self.turn_id,
            subject: Subject {
                href: self.project_slug.as_deref().map(|project| href(project, record, self.chat_id)),
                kind: self.subject_kind,
                id: self.subject_id,
                name: self.name.unwrap_or_default(),
            },
            action: self.action,
            before_version: self.before_version,
            after_version: self.after_version,
            edit_source: self.edit_source.as_deref().and_then(EditSource::parse),
            address: self.address,
        }
    }
}

/// Reads rows with the names of all that they speak of, as these are named now. The rows are found first, so that names are looked
/// up for one page only.
macro_rules! rows {
    ($place:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"select a.id, a.at, a.person_id, person.name as "person?", a.agent_id, agent.name as "agent?", a.turn_id, a.action,
                 a.subject_kind, a.subject_id,
                 coalesce(record.title, project.name, chat.name, subject.name, token.name, a.detail ->> 'email') as name,
                 coalesce(project.slug, of_record.slug, of_chat.slug) as project_slug,
                 record.kind as "record_kind?", record.slug as "record_slug?", chat.id as "chat_id?",
                 a.before_version, a.after_version, a.edit_source, a.address
               from (
                 select * from audit
                 where organisation_id = $1 and ($2::uuid is null or person_id = $2)
                   and ($3::bool is null or (agent_id is not null) = $3)
                   and ($4::uuid is null or subject_id = $4)
                   and ($5::text is null or action = $5 or starts_with(action, $5 || '.'))
                   and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7) "# + $place + r#" limit $9
               ) a
               left join people person on person.id = a.person_id
               left join agents agent on agent.id = a.agent_id
               left join people subject on a.subject_kind = 'person' and subject.id = a.subject_id
               left join tokens token on a.subject_kind = 'token' and token.id = a.subject_id
               left join projects project on a.subject_kind = 'project' and project.id = a.subject_id
               left join proposals proposal on a.subject_kind = 'proposal' and proposal.id = a.subject_id
               left join turns turn on a.subject_kind = 'turn' and turn.id = a.subject_id
               left join chats chat on chat.id = case a.subject_kind when 'chat' then a.subject_id else turn.chat_id end
               left join projects of_chat on of_chat.id = chat.project_id
               left join records record on record.id = case a.subject_kind when 'record' then a.subject_id else proposal.record_id end
               left join projects of_record on of_record.id = record.project_id
               order by a.id desc"#,
            $($argument),+
        )
    };
}

/// At most `limit` rows before a number, the newest first.
pub(crate) async fn before(
    connection: &mut PgConnection,
    organisation_id: Uuid,
    filter: &AuditFilter,
    id: i64,
    limit: i64,
) -> Result<Vec<AuditRow>> {
    let rows = rows!(
        "and id < $8 order by id desc",
        organisation_id,
        filter.person,
        filter.ai,
        filter.subject,
        filter.action,
        filter.since,
        filter.until,
        id,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(Row::audit_row).collect())
}

/// At most `limit` rows after a number, those next to it, the oldest first.
pub(crate) async fn after(
    connection: &mut PgConnection,
    organisation_id: Uuid,
    filter: &AuditFilter,
    id: i64,
    limit: i64,
) -> Result<Vec<AuditRow>> {
    let rows = rows!(
        "and id > $8 order by id",
        organisation_id,
        filter.person,
        filter.ai,
        filter.subject,
        filter.action,
        filter.since,
        filter.until,
        id,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().rev().map(Row::audit_row).collect())
}
