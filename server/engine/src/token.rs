//! Personal access tokens: a program's way in, with no more than its person's scopes. Only a hash of the secret is kept.
//!
//! A token is its person's own and needs no scope to be managed; one that is made with a token never holds more than that.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;
use wire::person::{CreatedToken, NewToken, Token};

use crate::access::Actor;
use crate::error::{Error, Result};
use crate::person::name::name;
use crate::person::random::random;
use crate::person::token_hash;
use crate::store::audit::Entry;
use crate::store::token::NewTokenRow;
use crate::{Engine, store};

/// What every token begins with, so that scanners for leaked secrets can know one.
const PREFIX: &str = "cfb_";

/// Makes a token; its secret is given this once.
///
/// # Errors
/// When the name is not valid, the expiry lies in the past, or a scope is named that the actor does not hold.
pub async fn create(engine: &Engine, actor: &Actor, new: NewToken) -> Result<CreatedToken> {
    let name = name("The name of a token", &new.name)?;
    let mut scopes = new.scopes.unwrap_or_else(|| actor.scopes.clone());
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.is_empty() {
        return Err(Error::invalid("scopes", "Name at least one scope, or leave scopes out for all of your own."));
    }
    if let Some(scope) = scopes.iter().copied().find(|scope| !actor.holds(*scope)) {
        return Err(Error::Forbidden(scope));
    }
    let mut tx = engine.begin().await?;
    let now = tx.now();
    if new.expires_at.is_some_and(|expiry| expiry <= now) {
        return Err(Error::invalid("expires_at", "The expiry of a token lies in the future."));
    }
    let secret: [u8; 32] = random()?;
    let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(secret));
    let id = engine.id();
    let row = NewTokenRow {
        id,
        person_id: actor.person_id,
        name: &name,
        secret_hash: &token_hash(&token),
        scopes: &scopes,
        expires_at: new.expires_at,
    };
    store::token::insert(&mut tx, &row, now).await?;
    tx.audit(&Entry::by(actor, "token.created", "token", id)).await?;
    tx.commit().await?;
    Ok(CreatedToken { id, token })
}

/// The actor's tokens that are not revoked, newest first.
///
/// # Errors
/// When the database does not answer.
pub async fn list(engine: &Engine, actor: &Actor) -> Result<Vec<Token>> {
    let mut connection = engine.pool().acquire().await?;
    store::token::list(&mut connection, actor.person_id).await
}

/// Ends a token for good.
///
/// # Errors
/// [`crate::Error::NotFound`] when the actor has no such token.
pub async fn revoke(engine: &Engine, actor: &Actor, id: Uuid) -> Result<()> {
    let mut tx = engine.begin().await?;
    let now = tx.now();
    if !store::token::revoke(&mut tx, actor.person_id, id, now).await? {
        return Err(Error::NotFound("The token"));
    }
    tx.audit(&Entry::by(actor, "token.revoked", "token", id)).await?;
    tx.commit().await
}
