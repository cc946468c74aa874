//! The audit log: page by page, or whole as a file.

use axum::{
    body::{Body, Bytes},
    extract,
    http::header,
    response::{IntoResponse, Response},
};
use engine::{Engine, audit};
use futures::{Stream, StreamExt, stream};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};
use wire::{
    audit::{AuditFilter, AuditRow},
    page::{Page, Paging},
};

use super::{
    csv,
    input::{Json, Query},
};
use crate::http::{State, refusal::Result, session::By};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(list))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    Csv,
    Json,
}

#[derive(Deserialize, IntoParams)]
struct As {
    /// All rows as a file, instead of one page
    #[param(inline)]
    format: Option<Format>,
}

/// The audit log, newest first; with `format`, all that the filter finds as a file
#[utoipa::path(get, path = "/api/v1/audit", tag = "audit",
    responses((status = OK, content((Page<AuditRow> = "application/json"), (String = "text/csv")))))]
async fn list(
    extract::State(engine): extract::State<Engine>,
    By(actor): By,
    Query(filter): Query<AuditFilter>,
    Query(paging): Query<Paging>,
    Query(As { format }): Query<As>,
) -> Result<Response> {
    let Some(format) = format else {
        return Ok(Json(audit::list(&engine, &actor, filter, paging).await?).into_response());
    };
    let rows = audit::export(&engine, &actor, filter).await?;
    Ok(match format {
        Format::Csv => file("text/csv; charset=utf-8", "audit.csv", as_csv(rows)),
        Format::Json => file("application/json", "audit.json", as_json(rows)),
    })
}

type Rows = stream::BoxStream<'static, engine::Result<AuditRow>>;

/// A row that cannot be read cuts the file off, so that nobody takes a part for the whole.
fn file(kind: &str, name: &str, bytes: impl Stream<Item = engine::Result<Bytes>> + Send + 'static) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, Body::from_stream(bytes)).into_response()
}

fn as_csv(rows: Rows) -> impl Stream<Item = engine::Result<Bytes>> + Send {
    stream::iter([Ok(csv::header())]).chain(rows.map(|row| row.map(|row| csv::row(&row))))
}

fn as_json(rows: Rows) -> impl Stream<Item = engine::Result<Bytes>> + Send {
    let rows = rows.enumerate().map(|(place, row)| {
        row.map(|row| {
            let text = serde_json::to_string(&row).unwrap_or_default();
            Bytes::from(if place == 0 { text } else { format!(",\n{text}") })
        })
    });
    stream::iter([Ok(Bytes::from_static(b"["))]).chain(rows).chain(stream::iter([Ok(Bytes::from_static(b"]\n"))]))
}
