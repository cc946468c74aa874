//! The log of a chat: numbered from 1 without gaps, in the order of commits.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::event::Event;

use crate::error::Result;
use crate::feed::Frame;

/// The event as it is stored and sent. NUL, which Postgres keeps in no text, is shown as U+FFFD.
#[must_use]
pub fn text(event: &Event) -> String {
    let text = serde_json::to_string(event).unwrap_or_else(|_| r#"{"type":"UNKNOWN"}"#.to_owned());
    if text.contains("\\u0000") { text.replace("\\u0000", "\u{fffd}") } else { text }
}

/// Appends; gives the number of the last event. The numbers are taken under the chat's row lock; with an attempt named, the turn
/// must be driven by it.
pub(crate) async fn append(
    connection: &mut PgConnection,
    chat_id: Uuid,
    turn: Option<(Uuid, Option<i32>)>,
    texts: &[String],
    now: OffsetDateTime,
) -> Result<i64> {
    let (turn_id, attempt) = turn.map_or((None, None), |(id, attempt)| (Some(id), attempt));
    let last = sqlx::query_scalar!(
        r#"select append_events($1, $2, $3, $4, $5) as "last!""#,
        chat_id,
        turn_id,
        attempt,
        texts,
        now
    )
    .fetch_one(connection)
    .await?;
    Ok(last)
}

/// At most `limit` events after a number, oldest first.
pub(crate) async fn after(connection: &mut PgConnection, chat_id: Uuid, seq: i64, limit: i64) -> Result<Vec<Frame>> {
    let rows = sqlx::query!(
        "select seq, turn_id, event from events where chat_id = $1 and seq > $2 order by seq limit $3",
        chat_id,
        seq,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| Frame { seq: Some(row.seq), turn_id: row.turn_id, json: row.event.into() }).collect())
}

/// The newest number of each chat.
pub(crate) async fn newest(connection: &mut PgConnection, chat_ids: &[Uuid]) -> Result<Vec<(Uuid, i64)>> {
    let rows =
        sqlx::query!("select id, last_seq from chats where id = any($1)", chat_ids).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.last_seq)).collect())
}

/// The events of one turn after a number, oldest first.
pub(crate) async fn of_turn(
    connection: &mut PgConnection,
    chat_id: Uuid,
    turn_id: Uuid,
    seq: i64,
) -> Result<Vec<Frame>> {
    let rows = sqlx::query!(
        "select seq, turn_id, event from events where chat_id = $1 and turn_id = $2 and seq > $3 order by seq",
        chat_id,
        turn_id,
        seq
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| Frame { seq: Some(row.seq), turn_id: row.turn_id, json: row.event.into() }).collect())
}

/// The number of the turn's `RUN_STARTED`, if it has begun and is still kept.
pub(crate) async fn run_started(connection: &mut PgConnection, turn_id: Uuid) -> Result<Option<i64>> {
    let seq = sqlx::query_scalar!(
        r#"select min(seq) from events where turn_id = $1 and event like '{"type":"RUN_STARTED"%'"#,
        turn_id
    )
    .fetch_one(connection)
    .await?;
    Ok(seq)
}

/// The number of a turn's newest event.
pub(crate) async fn newest_of_turn(connection: &mut PgConnection, turn_id: Uuid) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!("select max(seq) from events where turn_id = $1", turn_id).fetch_one(connection).await?)
}

/// What a turn appended after a number, oldest first.
pub(crate) async fn of_turn_after(connection: &mut PgConnection, turn_id: Uuid, seq: i64) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!("select event from events where turn_id = $1 and seq > $2 order by seq", turn_id, seq)
        .fetch_all(connection)
        .await?)
}
