//! Messages. Order is by id, which only grows in a chat.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::message::{Message, MessageClass, MessageState, Part, Sender, SenderKind};

use crate::error::Result;

/// A message with the number of the newest event that its stored parts hold.
#[derive(Clone, Debug)]
pub struct StoredMessage {
    pub message: Message,
    pub parts_seq: i64,
}

struct Row {
    id: Uuid,
    chat_id: Uuid,
    thread_id: Option<Uuid>,
    turn_id: Option<Uuid>,
    client_id: Option<String>,
    person_id: Option<Uuid>,
    agent_id: Option<Uuid>,
    sender: Option<String>,
    class: String,
    subclass: Option<String>,
    format: String,
    state: String,
    parts: serde_json::Value,
    parts_seq: i64,
    created_at: OffsetDateTime,
    edited_at: Option<OffsetDateTime>,
}

impl From<Row> for StoredMessage {
    fn from(row: Row) -> StoredMessage {
        let (kind, id) = match (row.person_id, row.agent_id) {
            (Some(id), _) => (SenderKind::Person, id),
            (None, Some(id)) => (SenderKind::Agent, id),
            (None, None) => (SenderKind::Agent, Uuid::nil()),
        };
        StoredMessage {
            parts_seq: row.parts_seq,
            message: Message {
                id: row.id,
                chat_id: row.chat_id,
                thread_id: row.thread_id,
                turn_id: row.turn_id,
                client_id: row.client_id,
                sender: Sender { kind, id, name: row.sender.unwrap_or_default() },
                class: MessageClass::parse(&row.class).unwrap_or_default(),
                subclass: row.subclass,
                format: row.format,
                state: MessageState::parse(&row.state).unwrap_or(MessageState::Failed),
                parts: serde_json::from_value(row.parts).unwrap_or_default(),
                attachments: Vec::new(),
                created_at: row.created_at,
                edited_at: row.edited_at,
            },
        }
    }
}

/// A message to store.
pub struct NewMessage<'a> {
    pub id: Uuid,
    pub chat_id: Uuid,
    pub thread_id: Option<Uuid>,
    pub turn_id: Option<Uuid>,
    pub client_id: Option<&'a str>,
    pub sender: (SenderKind, Uuid),
    pub class: MessageClass,
    pub subclass: Option<&'a str>,
    pub state: MessageState,
    pub parts: &'a [Part],
}

pub(crate) async fn insert(connection: &mut PgConnection, new: &NewMessage<'_>, now: OffsetDateTime) -> Result<()> {
    let (kind, sender_id) = new.sender;
    let (kind, person_id, agent_id) = match kind {
        SenderKind::Person => ("person", Some(sender_id), None),
        SenderKind::Agent => ("agent", None, Some(sender_id)),
    };
    sqlx::query!(
        "insert into messages (id, chat_id, thread_id, turn_id, client_id, sender_kind, person_id, agent_id, class, subclass, state, parts, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        new.id,
        new.chat_id,
        new.thread_id,
        new.turn_id,
        new.client_id,
        kind,
        person_id,
        agent_id,
        new.class.name(),
        new.subclass,
        new.state.name(),
        parts_json(new.parts),
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Parts as they are stored. NUL, which jsonb refuses, never reaches this place: it is replaced where text comes in.
pub(crate) fn parts_json(parts: &[Part]) -> serde_json::Value {
    serde_json::to_value(parts).unwrap_or_else(|_| serde_json::Value::Array(Vec::new()))
}

pub(crate) async fn get(connection: &mut PgConnection, id: Uuid) -> Result<Option<StoredMessage>> {
    let row = sqlx::query_as!(
        Row,
        r#"select m.id, m.chat_id, m.thread_id, m.turn_id, m.client_id, m.person_id, m.agent_id, coalesce(p.name, a.name) as sender, m.class,
             m.subclass, m.format, m.state, m.parts, m.parts_seq, m.created_at, m.edited_at
           from messages m left join people p on p.id = m.person_id left join agents a on a.id = m.agent_id
           where m.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(StoredMessage::from))
}

/// The message that a send with this client's id made.
pub(crate) async fn by_client_id(
    connection: &mut PgConnection,
    chat_id: Uuid,
    client_id: &str,
) -> Result<Option<StoredMessage>> {
    let row = sqlx::query_as!(
        Row,
        r#"select m.id, m.chat_id, m.thread_id, m.turn_id, m.client_id, m.person_id, m.agent_id, coalesce(p.name, a.name) as sender, m.class,
             m.subclass, m.format, m.state, m.parts, m.parts_seq, m.created_at, m.edited_at
           from messages m left join people p on p.id = m.person_id left join agents a on a.id = m.agent_id
           where m.chat_id = $1 and m.client_id = $2"#,
        chat_id,
        client_id
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(StoredMessage::from))
}

/// The newest messages of a thread before an id, oldest of them first; one more than `limit` when there are more.
pub(crate) async fn before(
    connection: &mut PgConnection,
    chat_id: Uuid,
    thread_id: Option<Uuid>,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<StoredMessage>> {
    let mut rows = sqlx::query_as!(
        Row,
        r#"select m.id, m.chat_id, m.thread_id, m.turn_id, m.client_id, m.person_id, m.agent_id, coalesce(p.name, a.name) as sender, m.class,
             m.subclass, m.format, m.state, m.parts, m.parts_seq, m.created_at, m.edited_at
           from messages m left join people p on p.id = m.person_id left join agents a on a.id = m.agent_id
           where m.chat_id = $1 and m.thread_key = $2 and m.withdrawn_at is null and ($3::uuid is null or m.id < $3)
           order by m.id desc limit $4"#,
        chat_id,
        thread_id.unwrap_or(Uuid::nil()),
        before,
        limit
    )
    .fetch_all(connection)
    .await?;
    rows.reverse();
    Ok(rows.into_iter().map(StoredMessage::from).collect())
}

/// The oldest messages of a thread after an id.
pub(crate) async fn after(
    connection: &mut PgConnection,
    chat_id: Uuid,
    thread_id: Option<Uuid>,
    after: Uuid,
    limit: i64,
) -> Result<Vec<StoredMessage>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select m.id, m.chat_id, m.thread_id, m.turn_id, m.client_id, m.person_id, m.agent_id, coalesce(p.name, a.name) as sender, m.class,
             m.subclass, m.format, m.state, m.parts, m.parts_seq, m.created_at, m.edited_at
           from messages m left join people p on p.id = m.person_id left join agents a on a.id = m.agent_id
           where m.chat_id = $1 and m.thread_key = $2 and m.withdrawn_at is null and m.id > $3
           order by m.id limit $4"#,
        chat_id,
        thread_id.unwrap_or(Uuid::nil()),
        after,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(StoredMessage::from).collect())
}
