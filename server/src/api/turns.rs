//! Turns.

use axum::extract;
use engine::{Engine, turn};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
use wire::{chat::Withdrawn, turn::Turn};

use super::input::{Json, Path};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(get, withdraw)).routes(routes!(stop))
}

/// A turn, with its usage and its error
#[utoipa::path(get, path = "/api/v1/turns/{id}", tag = "chats", responses((status = OK, body = Turn)))]
async fn get(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<Json<Turn>> {
    Ok(Json(turn::get(&engine, &actor, id).await?))
}

/// Withdraw a turn that is still queued; gives its message's text back
#[utoipa::path(delete, path = "/api/v1/turns/{id}", tag = "chats", responses((status = OK, body = Withdrawn)))]
async fn withdraw(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<Json<Withdrawn>> {
    Ok(Json(turn::withdraw(&engine, &actor, id).await?))
}

/// Stop a turn
#[utoipa::path(post, path = "/api/v1/turns/{id}/stop", tag = "chats", responses((status = OK, body = Turn)))]
async fn stop(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<Json<Turn>> {
    Ok(Json(turn::stop(&engine, &actor, id).await?))
}
