use wire::record::Project;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// The organisation's projects by name.
///
/// # Errors
/// When the actor may not read records.
pub async fn list(engine: &Engine, actor: &Actor) -> Result<Vec<Project>> {
    let _ = (engine, actor);
    todo!()
}
