//! Driving a turn: who holds it, what it took, its parts and its end. Every write is fenced by (turn, attempt).

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::message::{MessageState, Part};
use wire::turn::{TurnError, TurnState};

use super::TurnRow;
use crate::error::Result;

/// Chats with a turn that may start or be taken over, longest waiting first.
pub(crate) async fn waiting_chats(connection: &mut PgConnection, now: OffsetDateTime, limit: i64) -> Result<Vec<Uuid>> {
    let rows = sqlx::query_scalar!(
        r#"select chat_id as "chat_id!" from (
             select t.chat_id, min(t.queued_at) as since from turns t join chats c on c.id = t.chat_id
             where t.state = 'queued' and not c.held and c.ended_at is null
               and not exists (select 1 from turns r where r.chat_id = t.chat_id and r.state in ('running', 'paused'))
             group by t.chat_id
             union all
             select chat_id, lease_until from turns where state = 'running' and (lease_until is null or lease_until <= $1)
           ) waiting order by since limit $2"#,
        now,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Whether a node drives the turn at this moment.
pub(crate) async fn is_leased(connection: &mut PgConnection, id: Uuid, now: OffsetDateTime) -> Result<bool> {
    let leased = sqlx::query_scalar!(
        r#"select coalesce(lease_until > $2, false) as "leased!" from turns where id = $1"#,
        id,
        now
    )
    .fetch_one(connection)
    .await?;
    Ok(leased)
}

/// How the turn stands, and the attempt that drives it.
pub(crate) async fn driven_by(connection: &mut PgConnection, id: Uuid) -> Result<Option<(TurnState, i32)>> {
    let row = sqlx::query!("select state, attempt from turns where id = $1", id).fetch_optional(connection).await?;
    Ok(row.and_then(|row| Some((TurnState::parse(&row.state)?, row.attempt))))
}

/// A queued turn starts.
pub(crate) async fn start(
    connection: &mut PgConnection,
    id: Uuid,
    node_id: Uuid,
    answer_id: Uuid,
    lease_until: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "update turns set state = 'running', attempt = attempt + 1, node_id = $2, answer_id = $3, lease_until = $4, started_at = $5
         where id = $1 and state = 'queued'",
        id,
        node_id,
        answer_id,
        lease_until,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A turn whose lease lapsed gets another node.
pub(crate) async fn take_over(
    connection: &mut PgConnection,
    id: Uuid,
    node_id: Uuid,
    lease_until: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "update turns set attempt = attempt + 1, node_id = $2, lease_until = $3 where id = $1 and state = 'running'",
        id,
        node_id,
        lease_until
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Renews the leases of the turns that a node drives; gives those that are still its own.
pub(crate) async fn renew(
    connection: &mut PgConnection,
    node_id: Uuid,
    turns: &[(Uuid, i32)],
    lease_until: OffsetDateTime,
) -> Result<Vec<Uuid>> {
    let ids: Vec<Uuid> = turns.iter().map(|(id, _)| *id).collect();
    let attempts: Vec<i32> = turns.iter().map(|(_, attempt)| *attempt).collect();
    let rows = sqlx::query_scalar!(
        "update turns t set lease_until = $4 from unnest($2::uuid[], $3::integer[]) as mine (id, attempt)
         where t.id = mine.id and t.attempt = mine.attempt and t.node_id = $1 and t.state = 'running' returning t.id",
        node_id,
        &ids,
        &attempts,
        lease_until
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Gives a running turn up, so that another node takes it at once.
pub(crate) async fn release(connection: &mut PgConnection, id: Uuid, attempt: i32) -> Result<()> {
    sqlx::query!(
        "update turns set lease_until = null, node_id = null where id = $1 and attempt = $2 and state = 'running'",
        id,
        attempt
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Those of the turns that are to stop.
pub(crate) async fn stopping(connection: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!("select id from turns where id = any($1) and stop_requested", ids)
        .fetch_all(connection)
        .await?)
}

/// Ends a turn that never ran.
pub(crate) async fn end_one_queued(
    connection: &mut PgConnection,
    id: Uuid,
    error: Option<(&str, &str)>,
    now: OffsetDateTime,
) -> Result<()> {
    let (code, detail) = error.unzip();
    sqlx::query!(
        "update turns set state = 'stopped', error_code = $2, error_detail = $3, ended_at = $4 where id = $1 and state = 'queued'",
        id,
        code,
        detail,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// What a turn has taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    pub iterations: i32,
    pub tool_calls: i32,
    pub usage: crate::provider::Usage,
    pub cost_micro_usd: Option<i64>,
    pub first_token_at: Option<OffsetDateTime>,
}

impl Taken {
    /// What is stored of a turn.
    pub(crate) fn of(row: &TurnRow) -> Taken {
        let usage = &row.turn.usage;
        Taken {
            iterations: row.turn.iterations,
            tool_calls: row.turn.tool_calls,
            usage: crate::provider::Usage {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cache_read_tokens: usage.cache_read_tokens,
                cache_write_tokens: usage.cache_write_tokens,
                reasoning_tokens: usage.reasoning_tokens,
            },
            cost_micro_usd: row.cost_micro_usd,
            first_token_at: row.turn.first_token_at,
        }
    }
}

/// Stores what a running turn has taken so far, at the end of a step.
pub(crate) async fn take(connection: &mut PgConnection, id: Uuid, taken: &Taken) -> Result<()> {
    sqlx::query!(
        "update turns set iterations = $2, tool_calls = $3, input_tokens = $4, output_tokens = $5, cache_read_tokens = $6,
           cache_write_tokens = $7, reasoning_tokens = $8, cost_micro_usd = $9, first_token_at = $10
         where id = $1",
        id,
        taken.iterations,
        taken.tool_calls,
        taken.usage.input_tokens,
        taken.usage.output_tokens,
        taken.usage.cache_read_tokens,
        taken.usage.cache_write_tokens,
        taken.usage.reasoning_tokens,
        taken.cost_micro_usd,
        taken.first_token_at
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends a running turn.
pub(crate) async fn end(
    connection: &mut PgConnection,
    id: Uuid,
    state: TurnState,
    error: Option<&TurnError>,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "update turns set state = $2, error_code = $3, error_detail = $4, ended_at = $5, lease_until = null, node_id = null
         where id = $1 and state in ('running', 'paused')",
        id,
        state.name(),
        error.map(|error| error.code.as_str()),
        error.map(|error| error.detail.as_str()),
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A turn's message as it grows: its stored parts, and the newest event that they hold.
pub(crate) async fn parts(connection: &mut PgConnection, message_id: Uuid) -> Result<(Vec<Part>, i64)> {
    let row =
        sqlx::query!("select parts, parts_seq from messages where id = $1", message_id).fetch_one(connection).await?;
    Ok((serde_json::from_value(row.parts).unwrap_or_default(), row.parts_seq))
}

/// Stores the parts of a turn's message together with the number of the newest event that they hold.
pub(crate) async fn set_parts(
    connection: &mut PgConnection,
    message_id: Uuid,
    state: MessageState,
    parts: &[Part],
    parts_seq: i64,
) -> Result<()> {
    sqlx::query!(
        "update messages set state = $2, parts = $3, parts_seq = $4 where id = $1",
        message_id,
        state.name(),
        crate::store::json::storable(parts),
        parts_seq
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether the message is the last one of its thread.
pub(crate) async fn is_last(
    connection: &mut PgConnection,
    chat_id: Uuid,
    thread_id: Option<Uuid>,
    message_id: Uuid,
) -> Result<bool> {
    let last = sqlx::query_scalar!(
        "select last_message_id from thread_heads where chat_id = $1 and thread_key = $2",
        chat_id,
        thread_id.unwrap_or(Uuid::nil())
    )
    .fetch_optional(connection)
    .await?;
    Ok(last.flatten() == Some(message_id))
}

/// A message of a thread as a turn sees it.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub id: Uuid,
    /// The turn that said it, and the message that caused that turn.
    pub turn: Option<(Uuid, Uuid)>,
    pub agent_id: Option<Uuid>,
    pub name: String,
    pub note: bool,
    pub parts: Vec<Part>,
}

/// The newest messages and notes of a thread, oldest of them first.
pub(crate) async fn said(
    connection: &mut PgConnection,
    chat_id: Uuid,
    thread_id: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Said>> {
    let rows = sqlx::query!(
        r#"select m.id, m.turn_id, t.message_id as "caused_by?", m.agent_id, coalesce(p.name, a.name) as name, m.class, m.parts
           from messages m left join turns t on t.id = m.turn_id and m.agent_id is not null
           left join people p on p.id = m.person_id left join agents a on a.id = m.agent_id
           where m.chat_id = $1 and m.thread_id is not distinct from $2 and m.withdrawn_at is null and m.class in ('message', 'note')
           order by m.id desc limit $3"#,
        chat_id,
        thread_id,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .rev()
        .map(|row| Said {
            id: row.id,
            turn: row.turn_id.zip(row.caused_by),
            agent_id: row.agent_id,
            name: row.name.unwrap_or_default(),
            note: row.class == "note",
            parts: serde_json::from_value(row.parts).unwrap_or_default(),
        })
        .collect())
}

/// Who drives the turn and for whom, for the prompt.
pub(crate) struct Scene {
    pub agent_name: String,
    pub instructions: String,
    pub tools: Option<Vec<String>>,
    pub person_name: String,
    pub project_name: String,
    pub surface: String,
}

pub(crate) async fn scene(connection: &mut PgConnection, id: Uuid) -> Result<Scene> {
    let row = sqlx::query!(
        "select a.name as agent_name, a.instructions, a.tools, p.name as person_name, j.name as project_name, c.surface
         from turns t join agents a on a.id = t.agent_id join people p on p.id = t.person_id join chats c on c.id = t.chat_id
         join projects j on j.id = c.project_id where t.id = $1",
        id
    )
    .fetch_one(connection)
    .await?;
    Ok(Scene {
        agent_name: row.agent_name,
        instructions: row.instructions,
        tools: row.tools,
        person_name: row.person_name,
        project_name: row.project_name,
        surface: row.surface,
    })
}

/// Takes the message of a withdrawn turn out of its thread.
pub(crate) async fn withdraw_message(
    connection: &mut PgConnection,
    message_id: Uuid,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!("update messages set withdrawn_at = $2 where id = $1 and withdrawn_at is null", message_id, now)
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) async fn is_held(connection: &mut PgConnection, chat_id: Uuid) -> Result<bool> {
    Ok(sqlx::query_scalar!("select held from chats where id = $1", chat_id).fetch_one(connection).await?)
}

pub(crate) async fn hold(connection: &mut PgConnection, chat_id: Uuid, held: bool) -> Result<()> {
    sqlx::query!("update chats set held = $2 where id = $1", chat_id, held).execute(connection).await?;
    Ok(())
}
