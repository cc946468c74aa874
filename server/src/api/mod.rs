//! The API for programs: one file a room. Each handler parses, asks who asks, calls one command of the engine and answers in wire types.

mod ag_ui;
mod agents;
mod audit;
mod chats;
mod csv;
mod document;
mod events;
pub mod input;
mod messages;
mod notices;
mod projects;
mod proposals;
mod records;
mod session;
mod tokens;
mod turns;
mod versions;

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use utoipa_axum::router::OpenApiRouter;

use crate::http::{State, health, refusal::Refusal};

/// Every call under `/api`, and the document that describes them, made of the same code.
pub fn routes() -> Router<State> {
    let rooms = OpenApiRouter::with_openapi(document::frame())
        .merge(session::routes())
        .merge(tokens::routes())
        .merge(projects::routes())
        .merge(records::routes())
        .merge(versions::routes())
        .merge(proposals::routes())
        .merge(chats::routes())
        .merge(messages::routes())
        .merge(turns::routes())
        .merge(events::routes())
        .merge(notices::routes())
        .merge(ag_ui::routes())
        .merge(audit::routes())
        .merge(agents::routes());
    let (rooms, document) = rooms.split_for_parts();
    let document: Arc<str> = document::finish(document, health::routes().into_openapi()).into();
    let document = get(move || async move { ([(header::CONTENT_TYPE, "application/json")], document.to_string()) });
    rooms
        .route("/api/openapi.json", document)
        .route("/api", get(nothing))
        .route("/api/{*rest}", axum::routing::any(nothing))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(input::no_nul))
}

async fn nothing() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "not_found",
        "There is no such call. `/api/openapi.json` lists those that there are.",
    )
}

async fn wrong_method(request: Request) -> Response {
    let detail = format!("This call does not know the method {}.", request.method());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method", detail).into_response()
}
