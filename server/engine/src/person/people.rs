use wire::person::Named;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// The people of the organisation by name, those who were removed too: the audit log still speaks of them.
///
/// # Errors
/// When the actor may not read records.
pub async fn people(engine: &Engine, actor: &Actor) -> Result<Vec<Named>> {
    let _ = (engine, actor);
    todo!()
}
