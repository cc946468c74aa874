use wire::record::JumpHit;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// What the palette offers for some words: projects, records and the actor's own chats, at most 20.
///
/// # Errors
/// When the actor may not read records.
pub async fn jump(engine: &Engine, actor: &Actor, q: &str) -> Result<Vec<JumpHit>> {
    let _ = (engine, actor, q);
    todo!()
}
