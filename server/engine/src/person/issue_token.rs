use wire::access::Scope;

use super::{actor_of_person, email};
use crate::error::{Error, Result};
use crate::{Engine, store, token};

/// A personal access token for an account, from the command line; gives the secret. Scopes absent: all that the role holds.
///
/// # Errors
/// When there is no such account, or a scope is named that its role does not hold.
pub async fn issue_token(engine: &Engine, email: &str, scopes: Option<Vec<Scope>>) -> Result<String> {
    let account = {
        let mut connection = engine.pool().acquire().await?;
        store::person::account(&mut connection, &email::folded(email)).await?.ok_or(Error::NotFound("The account"))?
    };
    let actor = actor_of_person(engine, account.id, None).await?.ok_or(Error::NotFound("The account"))?;
    let new = wire::person::NewToken { name: "command line".to_owned(), scopes, expires_at: None };
    Ok(token::create(engine, &actor, new).await?.token)
}
