use leptos::{prelude::*, server_fn::codec::Json};
use wire::record::{Project, ProjectOverview};

use super::error::Refusal;

#[server(prefix = "/fn", endpoint = "project/list", input = Json)]
pub async fn list() -> Result<Vec<Project>, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::project::list(&engine, &actor).await?)
}

#[server(prefix = "/fn", endpoint = "project/create", input = Json)]
pub async fn create(new: wire::record::NewProject) -> Result<Project, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::project::create(&engine, &actor, new).await?)
}

/// The board and the lists of a project. Bodies are left out: no list shows them.
#[server(prefix = "/fn", endpoint = "project/overview", input = Json)]
pub async fn overview(slug: String) -> Result<ProjectOverview, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let mut overview = engine::project::overview(&engine, &actor, &slug).await?;
    for card in &mut overview.board {
        card.record.body = String::new();
    }
    Ok(overview)
}
