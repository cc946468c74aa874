use wire::access::Scope;

use crate::Engine;
use crate::error::Result;

/// A personal access token for an account, from the command line; gives the secret. Scopes absent: all that the role holds.
///
/// # Errors
/// When there is no such account, or a scope is named that its role does not hold.
pub async fn issue_token(engine: &Engine, email: &str, scopes: Option<Vec<Scope>>) -> Result<String> {
    let _ = (engine, email, scopes);
    todo!()
}
