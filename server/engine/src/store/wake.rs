//! Waking other nodes: a NOTIFY outside any transaction of the data.

use sqlx::postgres::PgPool;

use crate::error::Result;

/// Tells every node that listens on `channel`.
///
/// # Errors
/// When the database cannot be reached.
pub(crate) async fn notify(pool: &PgPool, channel: &str, payload: &str) -> Result<()> {
    sqlx::query_scalar!("select pg_notify($1, $2)::text", channel, payload).fetch_one(pool).await?;
    Ok(())
}
