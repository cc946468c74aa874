//! Versions of records: appended, never changed.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::person::Named;
use wire::version::{EditSource, Version};

use super::known;
use crate::error::Result;
use crate::record::{Content, Hand};
use crate::text::cut;

/// Bytes of the message that caused a version that are shown with it.
const CAUSE: usize = 160;

/// A version to append.
pub(crate) struct NewVersion<'a> {
    pub record_id: Uuid,
    pub version: i32,
    pub content: &'a Content,
    pub author_id: Uuid,
    pub hand: &'a Hand,
    pub added: i32,
    pub removed: i32,
}

pub(crate) async fn insert(connection: &mut PgConnection, new: &NewVersion<'_>, now: OffsetDateTime) -> Result<()> {
    let agent = new.hand.agent();
    sqlx::query!(
        "insert into versions (record_id, version, title, status, severity, body, edit_source, author_id, agent_id, chat_id, turn_id, added, removed, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        new.record_id,
        new.version,
        new.content.title,
        new.content.status,
        new.content.severity,
        new.content.body,
        new.hand.source().name(),
        new.author_id,
        agent.map(|agent| agent.agent_id),
        agent.map(|agent| agent.chat_id),
        agent.map(|agent| agent.turn_id),
        new.added,
        new.removed,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// What a version of a record holds.
pub(crate) async fn content(connection: &mut PgConnection, record_id: Uuid, version: i32) -> Result<Option<Content>> {
    let found = sqlx::query_as!(
        Content,
        "select title, status, severity, body from versions where record_id = $1 and version = $2",
        record_id,
        version
    )
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

struct Row {
    version: i32,
    title: String,
    status: String,
    severity: Option<String>,
    body: String,
    edit_source: String,
    author_id: Uuid,
    author: String,
    agent_id: Option<Uuid>,
    agent: Option<String>,
    chat_id: Option<Uuid>,
    turn_id: Option<Uuid>,
    cause: Option<String>,
    added: i32,
    removed: i32,
    created_at: OffsetDateTime,
}

impl Row {
    fn version(self) -> Result<Version> {
        Ok(Version {
            version: self.version,
            title: self.title,
            status: self.status,
            severity: self.severity,
            body: self.body,
            edit_source: known(EditSource::parse(&self.edit_source), "versions.edit_source")?,
            author: Named { id: self.author_id, name: self.author },
            agent: self.agent_id.zip(self.agent).map(|(id, name)| Named { id, name }),
            chat_id: self.chat_id,
            turn_id: self.turn_id,
            cause: self.cause.map(|text| first_words(&text)),
            added: self.added,
            removed: self.removed,
            created_at: self.created_at,
        })
    }
}

/// The beginning of a message, on one line.
fn first_words(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept = cut(&line, CAUSE);
    if kept.len() < line.len() { format!("{}…", kept.trim_end()) } else { line }
}

/// Reads versions; `$2` is who reads and `$3` whether they may read anybody's chat: a message of another's chat is not shown.
macro_rules! versions {
    ($tail:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"select v.version, v.title, v.status, v.severity, v.body, v.edit_source, v.author_id, p.name as author,
                 v.agent_id, a.name as "agent?", v.chat_id, v.turn_id,
                 (select left(string_agg(part ->> 'text', '' order by place), 1000)
                  from jsonb_array_elements(m.parts) with ordinality as of (part, place) where part ->> 'type' = 'text') as cause,
                 v.added, v.removed, v.created_at
               from versions v
               join people p on p.id = v.author_id
               left join agents a on a.id = v.agent_id
               left join chats c on c.id = v.chat_id and (c.owner_id = $2 or $3)
               left join turns t on t.id = v.turn_id and t.chat_id = c.id
               left join messages m on m.id = t.message_id
               where v.record_id = $1 "# + $tail,
            $($argument),+
        )
    };
}

/// Who reads, and whether they may read anybody's chat.
pub(crate) type Reader = (Uuid, bool);

pub(crate) async fn find(
    connection: &mut PgConnection,
    record_id: Uuid,
    (person_id, reads_any): Reader,
    number: i32,
) -> Result<Option<Version>> {
    let found =
        versions!("and v.version = $4", record_id, person_id, reads_any, number).fetch_optional(connection).await?;
    found.map(Row::version).transpose()
}

/// At most `limit` versions before a number, the newest first.
pub(crate) async fn before(
    connection: &mut PgConnection,
    record_id: Uuid,
    (person_id, reads_any): Reader,
    number: i32,
    limit: i64,
) -> Result<Vec<Version>> {
    let rows = versions!(
        "and v.version < $4 order by v.version desc limit $5",
        record_id,
        person_id,
        reads_any,
        number,
        limit
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Row::version).collect()
}

/// At most `limit` versions after a number, the oldest first.
pub(crate) async fn after(
    connection: &mut PgConnection,
    record_id: Uuid,
    (person_id, reads_any): Reader,
    number: i32,
    limit: i64,
) -> Result<Vec<Version>> {
    let rows =
        versions!("and v.version > $4 order by v.version limit $5", record_id, person_id, reads_any, number, limit)
            .fetch_all(connection)
            .await?;
    rows.into_iter().map(Row::version).collect()
}
