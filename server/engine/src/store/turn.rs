//! Turns: the queue of each chat, who drives what, and how each one ended.

mod drive;

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::turn::{Cause, Turn, TurnError, TurnState, Usage};

use crate::access::Target;
use crate::error::Result;

pub(crate) use drive::*;

/// A turn as the engine works with it.
#[derive(Clone, Debug)]
pub(crate) struct TurnRow {
    pub turn: Turn,
    pub organisation_id: Uuid,
    /// On whose behalf it acts.
    pub person_id: Uuid,
    /// The owner of its chat.
    pub owner_id: Uuid,
    /// Whether its chat only asks.
    pub ask: bool,
    pub answer_id: Option<Uuid>,
    pub attempt: i32,
    pub stop_requested: bool,
    pub cost_micro_usd: Option<i64>,
    /// Where the request that caused it came from.
    pub address: Option<String>,
}

impl TurnRow {
    /// What access to it is decided on.
    pub(crate) fn target(&self) -> Target {
        Target::Chat { organisation_id: self.organisation_id, owner_id: self.owner_id }
    }
}

struct Row {
    id: Uuid,
    organisation_id: Uuid,
    chat_id: Uuid,
    thread_id: Option<Uuid>,
    message_id: Uuid,
    answer_id: Option<Uuid>,
    agent_id: Uuid,
    agent_name: String,
    person_id: Uuid,
    owner_id: Uuid,
    chat_kind: String,
    state: String,
    cause: String,
    skill: Option<String>,
    runtime: String,
    model: String,
    iterations: i32,
    tool_calls: i32,
    input_tokens: i64,
    output_tokens: i64,
    cache_read_tokens: i64,
    cache_write_tokens: i64,
    reasoning_tokens: i64,
    cost_micro_usd: Option<i64>,
    error_code: Option<String>,
    error_detail: Option<String>,
    attempt: i32,
    stop_requested: bool,
    address: Option<String>,
    queued_at: OffsetDateTime,
    started_at: Option<OffsetDateTime>,
    first_token_at: Option<OffsetDateTime>,
    ended_at: Option<OffsetDateTime>,
}

/// Millionths of a USD as USD.
#[expect(clippy::cast_precision_loss, reason = "a cost of 9 billion USD would be exact still")]
pub(crate) fn usd(micro: i64) -> f64 {
    micro as f64 / 1_000_000.0
}

impl From<Row> for TurnRow {
    fn from(row: Row) -> TurnRow {
        TurnRow {
            turn: Turn {
                id: row.id,
                chat_id: row.chat_id,
                thread_id: row.thread_id,
                message_id: row.message_id,
                agent_id: row.agent_id,
                agent_name: row.agent_name,
                // the table's check lets nothing else in
                state: TurnState::parse(&row.state).unwrap_or(TurnState::Interrupted),
                cause: Cause::parse(&row.cause).unwrap_or(Cause::Person),
                skill: row.skill,
                runtime: row.runtime,
                model: row.model,
                iterations: row.iterations,
                tool_calls: row.tool_calls,
                usage: Usage {
                    input_tokens: row.input_tokens,
                    output_tokens: row.output_tokens,
                    cache_read_tokens: row.cache_read_tokens,
                    cache_write_tokens: row.cache_write_tokens,
                    reasoning_tokens: row.reasoning_tokens,
                    cost_usd: row.cost_micro_usd.map(usd),
                },
                error: row.error_code.map(|code| TurnError { code, detail: row.error_detail.unwrap_or_default() }),
                queued_at: row.queued_at,
                started_at: row.started_at,
                first_token_at: row.first_token_at,
                ended_at: row.ended_at,
            },
            organisation_id: row.organisation_id,
            person_id: row.person_id,
            owner_id: row.owner_id,
            ask: row.chat_kind == "ask",
            answer_id: row.answer_id,
            attempt: row.attempt,
            stop_requested: row.stop_requested,
            cost_micro_usd: row.cost_micro_usd,
            address: row.address,
        }
    }
}

/// A turn to queue.
pub(crate) struct NewTurnRow<'a> {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub chat_id: Uuid,
    pub thread_id: Option<Uuid>,
    pub message_id: Uuid,
    pub agent_id: Uuid,
    pub person_id: Uuid,
    pub cause: Cause,
    pub skill: Option<&'a str>,
    pub runtime: &'a str,
    pub model: &'a str,
    pub scopes: &'a [String],
    pub address: Option<&'a str>,
}

pub(crate) async fn insert(connection: &mut PgConnection, new: &NewTurnRow<'_>, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "insert into turns (id, organisation_id, chat_id, thread_id, message_id, agent_id, person_id, state, cause, skill, runtime, model, scopes, address, queued_at)
         values ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $9, $10, $11, $12, $13, $14)",
        new.id,
        new.organisation_id,
        new.chat_id,
        new.thread_id,
        new.message_id,
        new.agent_id,
        new.person_id,
        new.cause.name(),
        new.skill,
        new.runtime,
        new.model,
        new.scopes,
        new.address,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The turn, whoever it belongs to: the caller decides who may see it.
pub(crate) async fn get(connection: &mut PgConnection, id: Uuid) -> Result<Option<TurnRow>> {
    let row = sqlx::query_as!(
        Row,
        r#"select t.id, t.organisation_id, t.chat_id, t.thread_id, t.message_id, t.answer_id, t.agent_id, a.name as agent_name, t.person_id,
             c.owner_id, c.kind as chat_kind, t.state, t.cause, t.skill, t.runtime, t.model, t.iterations, t.tool_calls, t.input_tokens,
             t.output_tokens, t.cache_read_tokens, t.cache_write_tokens, t.reasoning_tokens, t.cost_micro_usd, t.error_code, t.error_detail,
             t.attempt, t.stop_requested, t.address, t.queued_at, t.started_at, t.first_token_at, t.ended_at
           from turns t join chats c on c.id = t.chat_id join agents a on a.id = t.agent_id
           where t.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(TurnRow::from))
}

/// The turns of a chat that are not over, the running or paused one first, then the queue in its order.
pub(crate) async fn alive(connection: &mut PgConnection, chat_id: Uuid) -> Result<Vec<TurnRow>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select t.id, t.organisation_id, t.chat_id, t.thread_id, t.message_id, t.answer_id, t.agent_id, a.name as agent_name, t.person_id,
             c.owner_id, c.kind as chat_kind, t.state, t.cause, t.skill, t.runtime, t.model, t.iterations, t.tool_calls, t.input_tokens,
             t.output_tokens, t.cache_read_tokens, t.cache_write_tokens, t.reasoning_tokens, t.cost_micro_usd, t.error_code, t.error_detail,
             t.attempt, t.stop_requested, t.address, t.queued_at, t.started_at, t.first_token_at, t.ended_at
           from turns t join chats c on c.id = t.chat_id join agents a on a.id = t.agent_id
           where t.chat_id = $1 and t.state in ('queued', 'running', 'paused')
           order by t.state = 'queued', t.message_id, t.id"#,
        chat_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(TurnRow::from).collect())
}

/// The turns that a message caused, in their order.
pub(crate) async fn of_message(connection: &mut PgConnection, message_id: Uuid) -> Result<Vec<TurnRow>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select t.id, t.organisation_id, t.chat_id, t.thread_id, t.message_id, t.answer_id, t.agent_id, a.name as agent_name, t.person_id,
             c.owner_id, c.kind as chat_kind, t.state, t.cause, t.skill, t.runtime, t.model, t.iterations, t.tool_calls, t.input_tokens,
             t.output_tokens, t.cache_read_tokens, t.cache_write_tokens, t.reasoning_tokens, t.cost_micro_usd, t.error_code, t.error_detail,
             t.attempt, t.stop_requested, t.address, t.queued_at, t.started_at, t.first_token_at, t.ended_at
           from messages m join turns t on t.message_id = m.id and t.chat_id = m.chat_id
           join chats c on c.id = t.chat_id join agents a on a.id = t.agent_id
           where m.id = $1 order by t.id"#,
        message_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(TurnRow::from).collect())
}

/// What the organisation, the project and the agent say about runtime and model: one JSON object each.
pub(crate) struct Settings {
    pub organisation: serde_json::Value,
    pub project: serde_json::Value,
    pub agent_runtime: Option<String>,
    pub agent_model: Option<String>,
}

pub(crate) async fn settings(connection: &mut PgConnection, chat_id: Uuid, agent_id: Uuid) -> Result<Option<Settings>> {
    let row = sqlx::query!(
        "select o.settings as organisation, p.settings as project, a.runtime, a.model
         from chats c join organisations o on o.id = c.organisation_id join projects p on p.id = c.project_id
         join agents a on a.id = $2 and a.organisation_id = c.organisation_id
         where c.id = $1",
        chat_id,
        agent_id
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| Settings {
        organisation: row.organisation,
        project: row.project,
        agent_runtime: row.runtime,
        agent_model: row.model,
    }))
}

/// Ends what is queued in a chat; gives what it ended.
pub(crate) async fn end_queued(
    connection: &mut PgConnection,
    chat_id: Uuid,
    now: OffsetDateTime,
) -> Result<Vec<TurnRow>> {
    let ended = sqlx::query_scalar!(
        "update turns set state = 'stopped', ended_at = $2 where chat_id = $1 and state = 'queued' returning id",
        chat_id,
        now
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut rows = Vec::new();
    for id in ended {
        rows.extend(get(connection, id).await?);
    }
    Ok(rows)
}

/// Asks whoever drives the chat's turn to stop it; gives that turn. A paused one is driven again for that.
pub(crate) async fn request_stop(connection: &mut PgConnection, chat_id: Uuid) -> Result<Option<Uuid>> {
    let stopped = sqlx::query_scalar!(
        "update turns set stop_requested = true, state = 'running', lease_until = case state when 'paused' then null else lease_until end
         where chat_id = $1 and state in ('running', 'paused') returning id",
        chat_id
    )
    .fetch_optional(connection)
    .await?;
    Ok(stopped)
}

/// What of a chat decides whether its next turn may start, read under the chat's lock.
pub(crate) struct LockedChat {
    pub organisation_id: Uuid,
    pub project_id: Uuid,
    pub record_id: Option<Uuid>,
    pub owner_id: Uuid,
    pub held: bool,
    pub ended: bool,
}

/// Locks the chat's row until the end of the transaction.
pub(crate) async fn lock_chat(connection: &mut PgConnection, chat_id: Uuid) -> Result<Option<LockedChat>> {
    let row = sqlx::query!(
        "select organisation_id, project_id, record_id, owner_id, held, ended_at from chats where id = $1 for update",
        chat_id
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| LockedChat {
        organisation_id: row.organisation_id,
        project_id: row.project_id,
        record_id: row.record_id,
        owner_id: row.owner_id,
        held: row.held,
        ended: row.ended_at.is_some(),
    }))
}
