//! Personal access tokens: a program's way in, with no more than its person's scopes. Only a hash of the secret is kept.

use uuid::Uuid;
use wire::person::{CreatedToken, NewToken, Token};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Makes a token; its secret is given this once.
///
/// # Errors
/// When the name is not valid, the expiry lies in the past, or a scope is named that the actor does not hold.
pub async fn create(engine: &Engine, actor: &Actor, new: NewToken) -> Result<CreatedToken> {
    let _ = (engine, actor, new);
    todo!()
}

/// The actor's tokens that are not revoked, newest first.
///
/// # Errors
/// When the database does not answer.
pub async fn list(engine: &Engine, actor: &Actor) -> Result<Vec<Token>> {
    let _ = (engine, actor);
    todo!()
}

/// Ends a token for good.
///
/// # Errors
/// [`crate::Error::NotFound`] when the actor has no such token.
pub async fn revoke(engine: &Engine, actor: &Actor, id: Uuid) -> Result<()> {
    let _ = (engine, actor, id);
    todo!()
}
