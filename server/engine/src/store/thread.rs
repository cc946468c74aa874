//! Threads of a chat. The default thread has no row: it is there as soon as a message is.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::chat::{LastLine, Thread, ThreadState};
use wire::fold::first_line;
use wire::message::Part;

use crate::error::Result;

/// Whether the thread is one of the chat's.
pub(crate) async fn exists(connection: &mut PgConnection, chat_id: Uuid, thread_id: Uuid) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (select 1 from threads where chat_id = $1 and id = $2) as "found!""#,
        chat_id,
        thread_id
    )
    .fetch_one(connection)
    .await?;
    Ok(found)
}

pub(crate) async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    chat_id: Uuid,
    name: &str,
    client_id: &str,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "insert into threads (id, chat_id, name, client_id, created_at) values ($1, $2, $3, $4, $5)",
        id,
        chat_id,
        name,
        client_id,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The threads of a chat as previews, the one written in last comes last. States are set by whoever knows the turns.
pub(crate) async fn previews(connection: &mut PgConnection, chat_id: Uuid) -> Result<Vec<Thread>> {
    let rows = sqlx::query!(
        r#"select nullif(h.thread_key, '00000000-0000-0000-0000-000000000000') as thread_id, t.name as "name?", h.message_count,
             m.parts as "parts?", m.created_at as "created_at?", coalesce(p.name, a.name) as sender
           from thread_heads h
           left join threads t on t.id = h.thread_key
           left join messages m on m.id = h.last_message_id
           left join people p on p.id = m.person_id
           left join agents a on a.id = m.agent_id
           where h.chat_id = $1
           order by h.last_message_id nulls first"#,
        chat_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Thread {
            id: row.thread_id,
            name: row.name,
            message_count: row.message_count,
            last: last_line(row.sender, row.parts, row.created_at),
            unread: 0,
            state: ThreadState::Idle,
        })
        .collect())
}

/// The line that a preview shows of a message.
pub(crate) fn last_line(
    sender: Option<String>,
    parts: Option<serde_json::Value>,
    created_at: Option<OffsetDateTime>,
) -> Option<LastLine> {
    let parts: Vec<Part> = serde_json::from_value(parts?).unwrap_or_default();
    let text = parts.iter().find_map(|part| match part {
        Part::Text { text, .. } if !text.trim().is_empty() => Some(first_line(text)),
        _ => None,
    });
    Some(LastLine { sender: sender.unwrap_or_default(), text: text.unwrap_or_default(), created_at: created_at? })
}
