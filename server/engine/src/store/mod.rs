//! All SQL. One file a table family; functions take a connection and give rows or wire types. Never here: a decision about who may
//! do what, or anything that waits for something other than Postgres.

pub mod audit;
pub(crate) mod chat;
pub mod event;
mod json;
pub(crate) mod message;
pub mod notice;
pub(crate) mod once;
pub(crate) mod organisation;
pub(crate) mod person;
pub(crate) mod project;
pub(crate) mod proposal;
pub(crate) mod reconcile;
pub(crate) mod record;
pub mod session;
pub(crate) mod step;
pub(crate) mod thread;
pub(crate) mod token;
pub(crate) mod tool_call;
pub(crate) mod turn;
mod tx;
pub(crate) mod version;
pub(crate) mod wake;
pub(crate) mod workspace;

use sqlx::migrate::Migrate;
use sqlx::postgres::PgPool;
use uuid::Uuid;
use wire::record::RecordKind;

pub use tx::Tx;

use crate::error::{Error, Result};

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("./migrations");

/// Brings the schema up to date. Safe to run from several nodes at once.
///
/// # Errors
/// When a migration fails or the database holds migrations that this program does not know.
pub async fn migrate(pool: &PgPool) -> Result<()> {
    MIGRATIONS
        .run(pool)
        .await
        .map_err(|error| Error::Unavailable(format!("The schema could not be brought up to date: {error}.")))
}

/// What a column may hold is checked by the schema; should one hold something else, that is said and not guessed.
fn known<T>(value: Option<T>, column: &'static str) -> Result<T> {
    value.ok_or_else(|| Error::Database(sqlx::Error::Decode(format!("{column} holds an unknown word").into())))
}

/// The address of a page: the project's, a record's, or either with a chat opened beside it.
fn href(project_slug: &str, record: Option<(RecordKind, &str)>, chat_id: Option<Uuid>) -> String {
    let page = match record {
        Some((kind, slug)) => format!("/p/{project_slug}/{}/{slug}", kind.folder()),
        None => format!("/p/{project_slug}"),
    };
    chat_id.map_or(page.clone(), |id| format!("{page}?chat={id}"))
}

/// Whether the database answers and holds exactly the schema of this program.
///
/// # Errors
/// [`Error::Unavailable`], [`Error::Database`].
pub async fn ready(pool: &PgPool) -> Result<()> {
    let mut connection = pool.acquire().await?;
    let applied = connection
        .list_applied_migrations(&MIGRATIONS.table_name)
        .await
        .map_err(|error| Error::Unavailable(format!("The schema could not be looked at: {error}.")))?;
    let known = |version| applied.iter().any(|migration| migration.version == version);
    if MIGRATIONS.iter().all(|migration| known(migration.version)) {
        Ok(())
    } else {
        Err(Error::Unavailable("The schema is not up to date.".to_owned()))
    }
}
