use wire::record::ProjectOverview;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// What the project page shows: initiatives with the counts of their plans, plans and bugs.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such project.
pub async fn overview(engine: &Engine, actor: &Actor, slug: &str) -> Result<ProjectOverview> {
    let _ = (engine, actor, slug);
    todo!()
}
