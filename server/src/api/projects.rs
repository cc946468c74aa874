//! Projects.

use axum::{extract, http::StatusCode};
use engine::{Engine, project};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
use wire::{
    page::Page,
    record::{NewProject, Project},
};

use super::input::{Json, Path};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(get))
}

/// The projects of your organisation
#[utoipa::path(get, path = "/api/v1/projects", tag = "records", responses((status = OK, body = Page<Project>)))]
async fn list(extract::State(engine): extract::State<Engine>, By(actor): By) -> Result<Json<Page<Project>>> {
    Ok(Json(Page::whole(project::list(&engine, &actor).await?)))
}

/// Make a project
#[utoipa::path(post, path = "/api/v1/projects", tag = "records", responses((status = CREATED, body = Project)))]
async fn create(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Json(new): Json<NewProject>,
) -> Result<(StatusCode, Json<Project>)> {
    Ok((StatusCode::CREATED, Json(project::create(&engine, &actor, new).await?)))
}

/// One project
#[utoipa::path(get, path = "/api/v1/projects/{id}", tag = "records", responses((status = OK, body = Project)))]
async fn get(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<Json<Project>> {
    Ok(Json(project::get(&engine, &actor, id).await?))
}
