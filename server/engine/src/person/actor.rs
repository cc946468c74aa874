use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;
use crate::store;

/// The last use of a token is kept to the minute.
const USED_EVERY: time::Duration = time::Duration::MINUTE;

/// The actor of a session. None when the person is gone.
///
/// # Errors
/// When the database does not answer.
pub async fn actor_of_person(engine: &Engine, person_id: Uuid, address: Option<&str>) -> Result<Option<Actor>> {
    let mut connection = engine.pool().acquire().await?;
    store::person::actor(&mut connection, person_id, address.map(str::to_owned)).await
}

/// The actor of a personal access token. None when it is unknown, expired or revoked, or its person is gone.
///
/// # Errors
/// When the database does not answer.
pub async fn actor_of_token(engine: &Engine, secret: &str, address: Option<&str>) -> Result<Option<Actor>> {
    let (now, hash) = (engine.now(), token_hash(secret));
    let mut connection = engine.pool().acquire().await?;
    let found = store::person::actor_of_token(&mut connection, &hash, address.map(str::to_owned), now).await?;
    let Some(found) = found else { return Ok(None) };
    if found.last_used_at.is_none_or(|last| now - last >= USED_EVERY) {
        store::token::used(&mut connection, found.token_id, now).await?;
    }
    Ok(Some(found.actor))
}

/// The actor of a turn: what the person's role holds now, and never more than what the turn was sent with. None when the person is gone.
///
/// # Errors
/// When the database does not answer.
pub async fn actor_of_turn(engine: &Engine, turn_id: Uuid) -> Result<Option<Actor>> {
    let mut connection = engine.pool().acquire().await?;
    store::person::actor_of_turn(&mut connection, turn_id).await
}

/// What is kept of a token's secret. The secret is 32 random bytes, so a plain hash gives nothing to guess.
pub(crate) fn token_hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
