//! The log of a chat, and one turn's part of it, as event streams.

use axum::{extract, response::Response};
use engine::chat;
use futures::stream;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use super::input::Path;
use crate::http::{
    State,
    refusal::Result,
    session::By,
    sse::{self, Cursor},
};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(of_chat)).routes(routes!(of_turn))
}

/// A chat's log: each event has its number as `id` and one AG-UI event as `data`; begins with `CUSTOM` `attached`
#[utoipa::path(get, path = "/api/v1/chats/{id}/events", tag = "events",
    params(("after" = Option<i64>, Query, description = "Goes on after this number; 0 for the whole log"),
        ("last-event-id" = Option<String>, Header, description = "As `after`; goes before it")),
    responses((status = OK, body = String, content_type = "text/event-stream")))]
async fn of_chat(
    extract::State(state): extract::State<State>,
    By(actor): By,
    Path(id): Path<Uuid>,
    cursor: Cursor,
) -> Result<Response> {
    let log = chat::chat_log(state.engine(), &actor, id, cursor.number()?).await?;
    let frames = stream::unfold(log, |mut log| async move {
        let frame = log.next().await?;
        Some((sse::frame(frame.seq.map(|seq| seq.to_string()).as_deref(), &frame.json), log))
    });
    Ok(sse::answer(frames, state.closing()))
}

/// One turn's part of its chat's log, from its `RUN_STARTED` to its `RUN_FINISHED` or `RUN_ERROR`
#[utoipa::path(get, path = "/api/v1/turns/{id}/events", tag = "events",
    params(("after" = Option<i64>, Query, description = "Goes on after this number"),
        ("last-event-id" = Option<String>, Header, description = "As `after`; goes before it")),
    responses((status = OK, body = String, content_type = "text/event-stream")))]
async fn of_turn(
    extract::State(state): extract::State<State>,
    By(actor): By,
    Path(id): Path<Uuid>,
    cursor: Cursor,
) -> Result<Response> {
    let log = chat::turn_log(state.engine(), &actor, id, cursor.number()?).await?;
    let frames = stream::unfold(log, |mut log| async move {
        let frame = log.next().await?;
        Some((sse::frame(frame.seq.map(|seq| seq.to_string()).as_deref(), &frame.json), log))
    });
    Ok(sse::answer(frames, state.closing()))
}
