//! All SQL. One file a table family; functions take a connection and give rows or wire types. Never here: a decision about who may
//! do what, or anything that waits for something other than Postgres.

pub mod audit;
pub(crate) mod chat;
pub mod event;
pub(crate) mod message;
pub mod notice;
pub(crate) mod thread;
pub(crate) mod turn;
mod tx;

use sqlx::postgres::PgPool;

pub use tx::Tx;

use crate::error::{Error, Result};

/// Brings the schema up to date. Safe to run from several nodes at once.
///
/// # Errors
/// When a migration fails or the database holds migrations that this program does not know.
pub async fn migrate(pool: &PgPool) -> Result<()> {
    sqlx::migrate!("./migrations")
        .run(pool)
        .await
        .map_err(|error| Error::Unavailable(format!("The schema could not be brought up to date: {error}.")))
}
