//! People, and the failures to sign in that are counted for a while.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::access::{Role, Scope};
use wire::person::{Me, Named, Person};

use super::known;
use crate::access::Actor;
use crate::error::Result;

/// An account to add. The e-mail is lower-case.
pub(crate) struct NewPerson<'a> {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub email: &'a str,
    pub name: &'a str,
    pub role: Role,
    pub password_hash: &'a str,
}

/// Adds an account unless its e-mail has one; says whether it did.
pub(crate) async fn insert(connection: &mut PgConnection, new: &NewPerson<'_>, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "insert into people (id, organisation_id, email, name, role, password_hash, created_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (email) do nothing",
        new.id,
        new.organisation_id,
        new.email,
        new.name,
        new.role.name(),
        new.password_hash,
        now
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether there is no account.
pub(crate) async fn none(connection: &mut PgConnection) -> Result<bool> {
    let none =
        sqlx::query_scalar!(r#"select not exists (select 1 from people) as "none!""#).fetch_one(connection).await?;
    Ok(none)
}

/// Lets no other transaction add a first account until this one has ended.
pub(crate) async fn lock_all(connection: &mut PgConnection) -> Result<()> {
    sqlx::query!("lock table people in share row exclusive mode").execute(connection).await?;
    Ok(())
}

/// What sign-in needs of an account.
pub(crate) struct Account {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub password_hash: Option<String>,
}

/// The account of an e-mail, unless its person was removed.
pub(crate) async fn account(connection: &mut PgConnection, email: &str) -> Result<Option<Account>> {
    let found = sqlx::query_as!(
        Account,
        "select id, organisation_id, password_hash from people where email = $1 and removed_at is null",
        email
    )
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

struct ActorRow {
    id: Uuid,
    name: String,
    organisation_id: Uuid,
    role: String,
}

impl ActorRow {
    fn actor(self, limit: Option<&[String]>, address: Option<String>) -> Result<Actor> {
        let role = known(Role::parse(&self.role), "people.role")?;
        let limit: Option<Vec<Scope>> = limit.map(|names| names.iter().filter_map(|name| Scope::parse(name)).collect());
        Ok(Actor::new(self.id, self.name, self.organisation_id, role, limit.as_deref(), address))
    }
}

pub(crate) async fn actor(
    connection: &mut PgConnection,
    person_id: Uuid,
    address: Option<String>,
) -> Result<Option<Actor>> {
    let found = sqlx::query_as!(
        ActorRow,
        "select id, name, organisation_id, role from people where id = $1 and removed_at is null",
        person_id
    )
    .fetch_optional(connection)
    .await?;
    found.map(|row| row.actor(None, address)).transpose()
}

/// The actor of a turn, with the scopes that were stored with it as the limit.
pub(crate) async fn actor_of_turn(connection: &mut PgConnection, turn_id: Uuid) -> Result<Option<Actor>> {
    let found = sqlx::query!(
        "select p.id, p.name, p.organisation_id, p.role, t.scopes, t.address
         from turns t join people p on p.id = t.person_id where t.id = $1 and p.removed_at is null",
        turn_id
    )
    .fetch_optional(connection)
    .await?;
    found
        .map(|row| {
            let person = ActorRow { id: row.id, name: row.name, organisation_id: row.organisation_id, role: row.role };
            person.actor(Some(&row.scopes), row.address)
        })
        .transpose()
}

/// The token of a secret's hash, if it may still be used.
pub(crate) struct TokenActor {
    pub token_id: Uuid,
    pub last_used_at: Option<OffsetDateTime>,
    pub actor: Actor,
}

pub(crate) async fn actor_of_token(
    connection: &mut PgConnection,
    secret_hash: &[u8],
    address: Option<String>,
    now: OffsetDateTime,
) -> Result<Option<TokenActor>> {
    let found = sqlx::query!(
        "select p.id, p.name, p.organisation_id, p.role, t.id as token_id, t.scopes, t.last_used_at
         from tokens t join people p on p.id = t.person_id
         where t.secret_hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $2) and p.removed_at is null",
        secret_hash,
        now
    )
    .fetch_optional(connection)
    .await?;
    found
        .map(|row| {
            let person = ActorRow { id: row.id, name: row.name, organisation_id: row.organisation_id, role: row.role };
            let actor = person.actor(Some(&row.scopes), address)?;
            Ok(TokenActor { token_id: row.token_id, last_used_at: row.last_used_at, actor })
        })
        .transpose()
}

pub(crate) async fn me(connection: &mut PgConnection, actor: &Actor) -> Result<Option<Me>> {
    let found = sqlx::query!(
        "select p.name, p.email, o.name as organisation from people p join organisations o on o.id = p.organisation_id
         where p.id = $1 and p.organisation_id = $2",
        actor.person_id,
        actor.organisation_id
    )
    .fetch_optional(connection)
    .await?;
    Ok(found.map(|row| Me {
        person: Person { id: actor.person_id, name: row.name, email: row.email },
        organisation: Named { id: actor.organisation_id, name: row.organisation },
        role: actor.role,
        scopes: actor.scopes.clone(),
    }))
}

/// Everyone of the organisation who is or was there, by name.
pub(crate) async fn list(connection: &mut PgConnection, organisation_id: Uuid) -> Result<Vec<Named>> {
    let people = sqlx::query_as!(
        Named,
        "select id, name from people where organisation_id = $1 order by lower(name), id",
        organisation_id
    )
    .fetch_all(connection)
    .await?;
    Ok(people)
}

/// How often signing in failed since a time, and when the one was that must be over before the next attempt.
pub(crate) struct Failures {
    pub by_email: Option<OffsetDateTime>,
    pub by_address: Option<OffsetDateTime>,
}

/// The time of the `email_limit`-th newest failure of the e-mail and of the `address_limit`-th newest of the address, if there
/// were so many since `since`.
pub(crate) async fn failures(
    connection: &mut PgConnection,
    email: &str,
    address: &str,
    since: OffsetDateTime,
    (email_limit, address_limit): (i64, i64),
) -> Result<Failures> {
    let found = sqlx::query!(
        r#"select
             (select at from sign_in_failures where email = $1 and at > $3 order by at desc offset $4 limit 1) as by_email,
             (select at from sign_in_failures where address = $2 and $2 <> '' and at > $3 order by at desc offset $5 limit 1) as by_address"#,
        email,
        address,
        since,
        email_limit - 1,
        address_limit - 1
    )
    .fetch_one(connection)
    .await?;
    Ok(Failures { by_email: found.by_email, by_address: found.by_address })
}

/// Keeps a failure, and forgets those that count no more.
pub(crate) async fn insert_failure(
    connection: &mut PgConnection,
    email: &str,
    address: &str,
    now: OffsetDateTime,
    since: OffsetDateTime,
) -> Result<()> {
    sqlx::query!("delete from sign_in_failures where at <= $1", since).execute(&mut *connection).await?;
    sqlx::query!("insert into sign_in_failures (email, address, at) values ($1, $2, $3)", email, address, now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Forgets the failures of one account from one address: whoever signed in from there was its person.
pub(crate) async fn clear_failures(connection: &mut PgConnection, email: &str, address: &str) -> Result<()> {
    sqlx::query!("delete from sign_in_failures where email = $1 and address = $2", email, address)
        .execute(connection)
        .await?;
    Ok(())
}
