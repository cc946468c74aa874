use wire::record::{NewProject, Project};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Makes a project; its slug comes from its name.
///
/// # Errors
/// When the actor may not manage initiatives, or the name is not valid.
pub async fn create(engine: &Engine, actor: &Actor, new: NewProject) -> Result<Project> {
    let _ = (engine, actor, new);
    todo!()
}
