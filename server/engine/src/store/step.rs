//! What the agent of a turn said to the provider's ear, step by step: the blocks that are given back to the same model.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::Result;
use crate::provider::{Block, Usage};

/// One call to the provider.
#[derive(Clone, Debug)]
pub(crate) struct StepRow {
    pub turn_id: Uuid,
    pub number: i32,
    pub blocks: Vec<Block>,
}

pub(crate) async fn insert(
    connection: &mut PgConnection,
    turn_id: Uuid,
    number: i32,
    model: &str,
    blocks: &[Block],
    usage: &Usage,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "insert into steps (turn_id, number, model, blocks, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        turn_id,
        number,
        model,
        super::json::storable(blocks),
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        usage.reasoning_tokens,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) async fn exists(connection: &mut PgConnection, turn_id: Uuid, number: i32) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (select 1 from steps where turn_id = $1 and number = $2) as "found!""#,
        turn_id,
        number
    )
    .fetch_one(connection)
    .await?;
    Ok(found)
}

/// The steps of these turns, each turn's in their order.
pub(crate) async fn of_turns(connection: &mut PgConnection, turn_ids: &[Uuid]) -> Result<Vec<StepRow>> {
    let rows = sqlx::query!(
        "select turn_id, number, blocks from steps where turn_id = any($1) order by turn_id, number",
        turn_ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| StepRow {
            turn_id: row.turn_id,
            number: row.number,
            blocks: serde_json::from_value(row.blocks).unwrap_or_default(),
        })
        .collect())
}
