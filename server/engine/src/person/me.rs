use wire::person::Me;

use crate::access::Actor;
use crate::error::{Error, Result};
use crate::{Engine, store};

/// Who is signed in. It needs no scope: everyone may know who they are.
///
/// # Errors
/// When the database does not answer.
pub async fn me(engine: &Engine, actor: &Actor) -> Result<Me> {
    let mut connection = engine.pool().acquire().await?;
    store::person::me(&mut connection, actor).await?.ok_or(Error::NotFound("The person"))
}
