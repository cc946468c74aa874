//! The tool calls of turns with their results: what a turn that is taken over goes on from.

use serde_json::Value;
use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::diff::Diff;
use wire::message::ToolState;

use crate::error::Result;

/// A tool call of a turn.
#[derive(Clone, Debug)]
pub(crate) struct ToolCallRow {
    pub turn_id: Uuid,
    pub id: String,
    pub step: i32,
    pub name: String,
    pub state: ToolState,
    pub output: Option<String>,
}

/// A tool call to store, before it runs.
pub(crate) struct NewToolCall<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub input: &'a Value,
}

/// Stores the calls of a step in their order, all active.
pub(crate) async fn insert(
    connection: &mut PgConnection,
    turn_id: Uuid,
    step: i32,
    calls: &[NewToolCall<'_>],
    now: OffsetDateTime,
) -> Result<()> {
    let ids: Vec<String> = calls.iter().map(|call| call.id.to_owned()).collect();
    let names: Vec<String> = calls.iter().map(|call| call.name.to_owned()).collect();
    let inputs: Vec<Value> = calls.iter().map(|call| super::json::storable(call.input)).collect();
    sqlx::query!(
        "insert into tool_calls (turn_id, id, step, place, name, input, state, started_at)
         select $1, id, $2, place::integer, name, input, 'active', $6
         from unnest($3::text[], $4::text[], $5::jsonb[]) with ordinality as given (id, name, input, place)",
        turn_id,
        step,
        &ids,
        &names,
        &inputs,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores the result of a call that is active still; tells whether it was.
#[expect(clippy::too_many_arguments, reason = "one row's columns")]
pub(crate) async fn settle(
    connection: &mut PgConnection,
    turn_id: Uuid,
    id: &str,
    state: ToolState,
    output: &str,
    truncated: bool,
    diff: Option<&Diff>,
    now: OffsetDateTime,
) -> Result<bool> {
    let done = sqlx::query!(
        "update tool_calls set state = $3, output = $4, truncated = $5, diff = $6, ended_at = $7
         where turn_id = $1 and id = $2 and state = 'active'",
        turn_id,
        id,
        state.name(),
        output,
        truncated,
        diff.map(super::json::storable),
        now
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The calls of these turns, each turn's in the order the model made them.
pub(crate) async fn of_turns(connection: &mut PgConnection, turn_ids: &[Uuid]) -> Result<Vec<ToolCallRow>> {
    let rows = sqlx::query!(
        "select turn_id, id, step, name, state, output from tool_calls where turn_id = any($1)
         order by turn_id, step, place",
        turn_ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| ToolCallRow {
            turn_id: row.turn_id,
            id: row.id,
            step: row.step,
            name: row.name,
            state: ToolState::parse(&row.state).unwrap_or(ToolState::Error),
            output: row.output,
        })
        .collect())
}
