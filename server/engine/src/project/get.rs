use uuid::Uuid;
use wire::access::Scope;
use wire::record::Project;

use crate::access::{Actor, Target, may};
use crate::error::{Error, Result};
use crate::{Engine, store};

/// One project.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such project.
pub async fn get(engine: &Engine, actor: &Actor, id: Uuid) -> Result<Project> {
    let mut connection = engine.pool().acquire().await?;
    seen(actor, store::project::find(&mut connection, actor.organisation_id, id).await?)
}

/// One project, by the word of its address.
///
/// # Errors
/// As [`get`].
pub async fn by_slug(engine: &Engine, actor: &Actor, slug: &str) -> Result<Project> {
    let mut connection = engine.pool().acquire().await?;
    seen(actor, store::project::by_slug(&mut connection, actor.organisation_id, slug).await?)
}

/// A project that was looked for in the actor's organisation, if they may see it.
pub(super) fn seen(actor: &Actor, project: Option<Project>) -> Result<Project> {
    let project = project.ok_or(Error::NotFound("The project"))?;
    may(actor, Scope::RecordsRead, Target::Organisation { id: actor.organisation_id, what: "The project" })?;
    Ok(project)
}
