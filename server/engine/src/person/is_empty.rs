use crate::error::Result;
use crate::{Engine, store};

/// Whether there is no account yet.
///
/// # Errors
/// When the database does not answer.
pub async fn is_empty(engine: &Engine) -> Result<bool> {
    let mut connection = engine.pool().acquire().await?;
    store::person::none(&mut connection).await
}
