//! Records of a project, and saving them.

use axum::{
    extract,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use engine::{
    Engine,
    record::{self, SaveOutcome},
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
use wire::{
    error::Problem,
    page::{Page, Paging},
    record::{NewRecord, Record, RecordFilter, SaveConflict, SaveRecord, Saved},
};

use super::input::{Json, Path, Query};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(get, save))
}

/// Why a save was not made, with all sides of it.
#[derive(Serialize, ToSchema)]
pub struct Clash {
    #[serde(flatten)]
    problem: Problem,
    #[serde(flatten)]
    conflict: SaveConflict,
}

/// The answer to a save or a revert.
pub fn answer(outcome: SaveOutcome) -> Response {
    match outcome {
        SaveOutcome::Saved(saved) => Json(saved).into_response(),
        SaveOutcome::Conflict(conflict) => {
            let problem = Problem {
                status: StatusCode::CONFLICT.as_u16(),
                title: "Conflict".to_owned(),
                detail: "Somebody changed the same lines meanwhile. Nothing was written: finish the merge in `merged_text` and save it \
                         with `current_version` as its base."
                    .to_owned(),
                code: "conflict".to_owned(),
            };
            let kind = [(header::CONTENT_TYPE, "application/problem+json")];
            (StatusCode::CONFLICT, kind, axum::Json(Clash { problem, conflict: *conflict })).into_response()
        }
    }
}

/// Records of a project
#[utoipa::path(get, path = "/api/v1/projects/{id}/records", tag = "records", responses((status = OK, body = Page<Record>)))]
async fn list(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Query(filter): Query<RecordFilter>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<Record>>> {
    Ok(Json(record::list(&engine, &actor, id, filter, paging).await?))
}

/// Make a record
#[utoipa::path(post, path = "/api/v1/projects/{id}/records", tag = "records", responses((status = CREATED, body = Record)))]
async fn create(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Json(new): Json<NewRecord>,
) -> Result<(StatusCode, Json<Record>)> {
    Ok((StatusCode::CREATED, Json(record::create(&engine, &actor, id, new).await?)))
}

/// One record
#[utoipa::path(get, path = "/api/v1/records/{id}", tag = "records", responses((status = OK, body = Record)))]
async fn get(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
) -> Result<Json<Record>> {
    Ok(Json(record::get(&engine, &actor, id).await?))
}

/// Save a record, from the version that the change began with; others' changes since are merged in
#[utoipa::path(put, path = "/api/v1/records/{id}", tag = "records",
    responses((status = OK, body = Saved), (status = CONFLICT, body = Clash, content_type = "application/problem+json")))]
async fn save(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Json(change): Json<SaveRecord>,
) -> Result<Response> {
    Ok(answer(record::save(&engine, &actor, id, change).await?))
}
