use wire::record::{ProjectOverview, RecordKind};

use super::get::seen;
use crate::access::Actor;
use crate::error::Result;
use crate::{Engine, store};

/// Plans and bugs that the page lists; the rest is found by search.
const SHOWN: i64 = 500;

/// What the project page shows: initiatives with the counts of their plans, plans and bugs.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such project.
pub async fn overview(engine: &Engine, actor: &Actor, slug: &str) -> Result<ProjectOverview> {
    let mut connection = engine.pool().acquire().await?;
    let project = seen(actor, store::project::by_slug(&mut connection, actor.organisation_id, slug).await?)?;
    let board = store::record::board(&mut connection, project.id).await?;
    let plans = store::record::of_kind(&mut connection, project.id, RecordKind::Plan, SHOWN).await?;
    let bugs = store::record::of_kind(&mut connection, project.id, RecordKind::Bug, SHOWN).await?;
    Ok(ProjectOverview { project, board, plans, bugs })
}
