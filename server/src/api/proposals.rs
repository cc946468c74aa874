//! Changes of agents that a person must decide.

use axum::extract;
use engine::{Engine, record};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
use wire::{
    page::Page,
    record::Decided,
    version::{DecideProposal, Proposal},
};

use super::input::{Json, Path};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(decide))
}

/// The proposals for a record
#[utoipa::path(get, path = "/api/v1/records/{id}/proposals", tag = "records", responses((status = OK, body = Page<Proposal>)))]
async fn list(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<Json<Page<Proposal>>> {
    Ok(Json(Page::whole(record::proposals(&engine, &actor, id).await?)))
}

/// Accept a proposal, as it is or with your own text, or refuse it
#[utoipa::path(post, path = "/api/v1/proposals/{id}", tag = "records", responses((status = OK, body = Decided)))]
async fn decide(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Json(decision): Json<DecideProposal>,
) -> Result<Json<Decided>> {
    Ok(Json(record::decide(&engine, &actor, id, decision).await?))
}
