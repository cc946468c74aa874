use crate::Engine;
use crate::error::Result;

/// Whether there is no account yet.
///
/// # Errors
/// When the database does not answer.
pub async fn is_empty(engine: &Engine) -> Result<bool> {
    let _ = engine;
    todo!()
}
