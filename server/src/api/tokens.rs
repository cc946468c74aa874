//! Personal access tokens.

use axum::{extract, http::StatusCode};
use engine::{Engine, token};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
use wire::{
    page::Page,
    person::{CreatedToken, NewToken, Token},
};

use super::input::{Json, Path};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(revoke))
}

/// Your tokens
#[utoipa::path(get, path = "/api/v1/tokens", tag = "people", responses((status = OK, body = Page<Token>)))]
async fn list(extract::State(engine): extract::State<Engine>, By(actor): By) -> Result<Json<Page<Token>>> {
    Ok(Json(Page::whole(token::list(&engine, &actor).await?)))
}

/// Make a token; its secret is shown this once
#[utoipa::path(post, path = "/api/v1/tokens", tag = "people", responses((status = CREATED, body = CreatedToken)))]
async fn create(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Json(new): Json<NewToken>,
) -> Result<(StatusCode, Json<CreatedToken>)> {
    Ok((StatusCode::CREATED, Json(token::create(&engine, &actor, new).await?)))
}

/// Revoke a token
#[utoipa::path(delete, path = "/api/v1/tokens/{id}", tag = "people", responses((status = NO_CONTENT)))]
async fn revoke(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<StatusCode> {
    token::revoke(&engine, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
