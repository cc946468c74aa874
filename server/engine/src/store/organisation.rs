//! Organisations and their built-in agents.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::person::Named;

use crate::error::Result;

/// Adds an organisation unless there is one of this name; says whether it did.
pub(crate) async fn insert(connection: &mut PgConnection, id: Uuid, name: &str, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "insert into organisations (id, name, created_at) values ($1, $2, $3) on conflict do nothing",
        id,
        name,
        now
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn by_name(connection: &mut PgConnection, name: &str) -> Result<Option<Uuid>> {
    let found = sqlx::query_scalar!("select id from organisations where lower(name) = lower($1)", name)
        .fetch_optional(connection)
        .await?;
    Ok(found)
}

/// The only organisation of this installation; none when there are several.
pub(crate) async fn only(connection: &mut PgConnection) -> Result<Option<Uuid>> {
    let some = sqlx::query_scalar!("select id from organisations limit 2").fetch_all(connection).await?;
    Ok(if let [only] = some[..] { Some(only) } else { None })
}

pub(crate) async fn insert_agent(
    connection: &mut PgConnection,
    id: Uuid,
    organisation_id: Uuid,
    (slug, name, instructions): (&str, &str, &str),
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "insert into agents (id, organisation_id, slug, name, instructions, built_in, created_at) values ($1, $2, $3, $4, $5, true, $6)",
        id,
        organisation_id,
        slug,
        name,
        instructions,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The agents of an organisation, the built-in ones first.
pub(crate) async fn agents(connection: &mut PgConnection, organisation_id: Uuid) -> Result<Vec<Named>> {
    let found = sqlx::query_as!(
        Named,
        "select id, name from agents where organisation_id = $1 and removed_at is null order by built_in desc, slug",
        organisation_id
    )
    .fetch_all(connection)
    .await?;
    Ok(found)
}
