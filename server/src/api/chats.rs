//! Chats.

use axum::{extract, http::StatusCode};
use engine::{Engine, chat};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
use wire::{
    chat::{ChangeChat, Chat, ChatLine, NewChat, ReadModel},
    page::{Page, Paging},
};

use super::input::{Json, Path, Query};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(open, change))
        .routes(routes!(end))
        .routes(routes!(restore))
        .routes(routes!(release))
}

#[derive(Deserialize, IntoParams)]
struct Which {
    /// Only those that belong to this record
    record: Option<Uuid>,
    /// `true`: also those that have ended
    ended: Option<bool>,
}

/// The chats of a project that you may read
#[utoipa::path(get, path = "/api/v1/projects/{id}/chats", tag = "chats", responses((status = OK, body = Page<ChatLine>)))]
async fn list(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Query(which): Query<Which>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<ChatLine>>> {
    let ended = which.ended.unwrap_or(false);
    Ok(Json(chat::list(&engine, &actor, id, which.record, ended, paging).await?))
}

/// Begin a chat
#[utoipa::path(post, path = "/api/v1/projects/{id}/chats", tag = "chats", responses((status = CREATED, body = Chat)))]
async fn create(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Json(new): Json<NewChat>,
) -> Result<(StatusCode, Json<Chat>)> {
    Ok((StatusCode::CREATED, Json(chat::create(&engine, &actor, id, new).await?)))
}

#[derive(Deserialize, IntoParams)]
struct Opened {
    /// The thread to open, `default` for the default one; absent: the one written in last
    thread: Option<String>,
}

/// What a chat looks like now
#[utoipa::path(get, path = "/api/v1/chats/{id}", tag = "chats", responses((status = OK, body = ReadModel)))]
async fn open(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Query(opened): Query<Opened>,
) -> Result<Json<ReadModel>> {
    let thread = match opened.thread.as_deref() {
        None => None,
        Some("default") => Some(None),
        // what is no id is no thread that there is
        Some(other) => Some(Some(other.parse().map_err(|_| engine::Error::NotFound("The thread"))?)),
    };
    Ok(Json(chat::open(&engine, &actor, id, thread).await?))
}

/// Change a chat's name or description
#[utoipa::path(patch, path = "/api/v1/chats/{id}", tag = "chats", responses((status = OK, body = Chat)))]
async fn change(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Json(change): Json<ChangeChat>,
) -> Result<Json<Chat>> {
    Ok(Json(chat::change(&engine, &actor, id, change).await?))
}

/// End a chat
#[utoipa::path(post, path = "/api/v1/chats/{id}/end", tag = "chats", responses((status = OK, body = Chat)))]
async fn end(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<Json<Chat>> {
    Ok(Json(chat::end(&engine, &actor, id).await?))
}

/// Take up a chat that has ended
#[utoipa::path(post, path = "/api/v1/chats/{id}/restore", tag = "chats", responses((status = OK, body = Chat)))]
async fn restore(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<Json<Chat>> {
    Ok(Json(chat::restore(&engine, &actor, id).await?))
}

/// Let queued messages go on that a stop holds
#[utoipa::path(post, path = "/api/v1/chats/{id}/release", tag = "chats", responses((status = NO_CONTENT)))]
async fn release(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<StatusCode> {
    chat::release(&engine, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
