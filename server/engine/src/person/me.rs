use wire::person::Me;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Who is signed in.
///
/// # Errors
/// When the database does not answer.
pub async fn me(engine: &Engine, actor: &Actor) -> Result<Me> {
    let _ = (engine, actor);
    todo!()
}
