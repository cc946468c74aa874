//! Versions of a record: read, compare, restore, revert.

use axum::{extract, response::Response};
use engine::{Engine, record};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
use wire::{
    page::{Page, Paging},
    record::Saved,
    version::{Restore, Revert, Version, VersionDiff},
};

use super::{
    input::{Json, Path, Query},
    records::{Clash, answer},
};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get))
        .routes(routes!(diff))
        .routes(routes!(restore))
        .routes(routes!(revert))
}

/// The versions of a record, newest first
#[utoipa::path(get, path = "/api/v1/records/{id}/versions", tag = "records", responses((status = OK, body = Page<Version>)))]
async fn list(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<Version>>> {
    Ok(Json(record::versions(&engine, &actor, id, paging).await?))
}

/// One version
#[utoipa::path(get, path = "/api/v1/records/{id}/versions/{n}", tag = "records", responses((status = OK, body = Version)))]
async fn get(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path((id, n)): Path<(Uuid, i32)>,
) -> Result<Json<Version>> {
    Ok(Json(record::version(&engine, &actor, id, n).await?))
}

#[derive(Deserialize, IntoParams)]
struct From {
    /// The version to compare with; absent: the one before
    from: Option<i32>,
}

/// What a version changed
#[utoipa::path(get, path = "/api/v1/records/{id}/versions/{n}/diff", tag = "records", responses((status = OK, body = VersionDiff)))]
async fn diff(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path((id, n)): Path<(Uuid, i32)>,
    Query(compared): Query<From>,
) -> Result<Json<VersionDiff>> {
    Ok(Json(record::diff(&engine, &actor, id, n, compared.from).await?))
}

/// Make an old version the newest again
#[utoipa::path(post, path = "/api/v1/records/{id}/restore", tag = "records", responses((status = OK, body = Saved)))]
async fn restore(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Json(which): Json<Restore>,
) -> Result<Json<Saved>> {
    Ok(Json(record::restore(&engine, &actor, id, which).await?))
}

/// Take back what one version changed, whole or by hunk
#[utoipa::path(post, path = "/api/v1/records/{id}/revert", tag = "records",
    responses((status = OK, body = Saved), (status = CONFLICT, body = Clash, content_type = "application/problem+json")))]
async fn revert(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Path(id): Path<Uuid>,
    Json(which): Json<Revert>,
) -> Result<Response> {
    Ok(answer(record::revert(&engine, &actor, id, which).await?))
}
