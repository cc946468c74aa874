use uuid::Uuid;
use wire::record::Project;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// One project.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such project.
pub async fn get(engine: &Engine, actor: &Actor, id: Uuid) -> Result<Project> {
    let _ = (engine, actor, id);
    todo!()
}

/// One project, by the word of its address.
///
/// # Errors
/// As [`get`].
pub async fn by_slug(engine: &Engine, actor: &Actor, slug: &str) -> Result<Project> {
    let _ = (engine, actor, slug);
    todo!()
}
