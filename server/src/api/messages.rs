//! Messages of a chat.

use axum::{extract, http::StatusCode};
use engine::{Engine, chat};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
use wire::{
    chat::{SendMessage, Sent},
    message::Message,
    page::{Page, Paging},
};

use super::input::{Json, Path, Query};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(list, send))
}

#[derive(Deserialize, IntoParams)]
struct Of {
    /// Absent: the default thread
    thread: Option<Uuid>,
}

/// The messages of a thread
#[utoipa::path(get, path = "/api/v1/chats/{id}/messages", tag = "chats", responses((status = OK, body = Page<Message>)))]
async fn list(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Query(of): Query<Of>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<Message>>> {
    Ok(Json(chat::messages(&engine, &actor, id, of.thread, paging).await?))
}

/// Send a message; the same `client_id` never makes a second one
#[utoipa::path(post, path = "/api/v1/chats/{id}/messages", tag = "chats", responses((status = ACCEPTED, body = Sent)))]
async fn send(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Json(message): Json<SendMessage>,
) -> Result<(StatusCode, Json<Sent>)> {
    Ok((StatusCode::ACCEPTED, Json(chat::send(&engine, &actor, id, message).await?)))
}
