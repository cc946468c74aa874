//! The agents of the organisation.

use axum::extract;
use engine::{Engine, agent};
use utoipa_axum::{router::OpenApiRouter, routes};
use wire::{page::Page, person::Named};

use super::input::Json;
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(list))
}

/// The agents that chats may have
#[utoipa::path(get, path = "/api/v1/agents", tag = "chats", responses((status = OK, body = Page<Named>)))]
async fn list(extract::State(engine): extract::State<Engine>, By(actor): By) -> Result<Json<Page<Named>>> {
    Ok(Json(Page::whole(agent::list(&engine, &actor).await?)))
}
