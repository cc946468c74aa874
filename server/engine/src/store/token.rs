//! Personal access tokens; only the hash of a secret is here.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::access::Scope;
use wire::person::Token;

use crate::error::Result;

pub(crate) struct NewTokenRow<'a> {
    pub id: Uuid,
    pub person_id: Uuid,
    pub name: &'a str,
    pub secret_hash: &'a [u8],
    pub scopes: &'a [Scope],
    pub expires_at: Option<OffsetDateTime>,
}

pub(crate) async fn insert(connection: &mut PgConnection, new: &NewTokenRow<'_>, now: OffsetDateTime) -> Result<()> {
    let scopes: Vec<String> = new.scopes.iter().map(|scope| scope.name().to_owned()).collect();
    sqlx::query!(
        "insert into tokens (id, person_id, name, secret_hash, scopes, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)",
        new.id,
        new.person_id,
        new.name,
        new.secret_hash,
        &scopes,
        now,
        new.expires_at
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Tokens of a person that are not revoked, newest first.
pub(crate) async fn list(connection: &mut PgConnection, person_id: Uuid) -> Result<Vec<Token>> {
    let rows = sqlx::query!(
        "select id, name, scopes, created_at, expires_at, last_used_at from tokens
         where person_id = $1 and revoked_at is null order by created_at desc, id desc",
        person_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Token {
            id: row.id,
            name: row.name,
            scopes: row.scopes.iter().filter_map(|name| Scope::parse(name)).collect(),
            created_at: row.created_at,
            expires_at: row.expires_at,
            last_used_at: row.last_used_at,
        })
        .collect())
}

/// Revokes a token of a person; says whether there was one to revoke.
pub(crate) async fn revoke(
    connection: &mut PgConnection,
    person_id: Uuid,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<bool> {
    let done = sqlx::query!(
        "update tokens set revoked_at = $3 where id = $1 and person_id = $2 and revoked_at is null",
        id,
        person_id,
        now
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn used(connection: &mut PgConnection, id: Uuid, now: OffsetDateTime) -> Result<()> {
    sqlx::query!("update tokens set last_used_at = $2 where id = $1", id, now).execute(connection).await?;
    Ok(())
}
