//! Sessions as the server's session layer keeps them. What is in one is the server's; who it belongs to is known here.

use sqlx::postgres::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::Result;

/// The data of a session that has not expired.
///
/// # Errors
/// When the database does not answer.
pub async fn load(pool: &PgPool, id: &str, now: OffsetDateTime) -> Result<Option<String>> {
    let found = sqlx::query_scalar!("select data from sessions where id = $1 and expires_at > $2", id, now)
        .fetch_optional(pool)
        .await?;
    Ok(found)
}

/// Keeps a new session.
///
/// # Errors
/// When the database does not answer.
pub async fn save(
    pool: &PgPool,
    id: &str,
    person_id: Option<Uuid>,
    data: &str,
    expires_at: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "insert into sessions (id, person_id, data, expires_at) values ($1, $2, $3, $4)
         on conflict (id) do update set person_id = excluded.person_id, data = excluded.data, expires_at = excluded.expires_at",
        id,
        person_id,
        data,
        expires_at
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Keeps what changed in a session, and for how long. One that was ended meanwhile stays ended.
///
/// # Errors
/// When the database does not answer.
pub async fn change(
    pool: &PgPool,
    id: &str,
    person_id: Option<Uuid>,
    data: &str,
    expires_at: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "update sessions set person_id = $2, data = $3, expires_at = $4 where id = $1",
        id,
        person_id,
        data,
        expires_at
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Ends a session.
///
/// # Errors
/// When the database does not answer.
pub async fn delete(pool: &PgPool, id: &str) -> Result<()> {
    sqlx::query!("delete from sessions where id = $1", id).execute(pool).await?;
    Ok(())
}

/// Forgets the sessions that have expired; gives how many.
///
/// # Errors
/// When the database does not answer.
pub async fn delete_expired(pool: &PgPool, now: OffsetDateTime) -> Result<u64> {
    let done = sqlx::query!("delete from sessions where expires_at <= $1", now).execute(pool).await?;
    Ok(done.rows_affected())
}
