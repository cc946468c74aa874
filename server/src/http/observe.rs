//! One line and one figure a request.

use std::time::Instant;

use axum::{
    extract::{self, MatchedPath, Request},
    http::HeaderValue,
    middleware::Next,
    response::Response,
};
use tracing::Instrument;

use super::State;

const ID: &str = "x-request-id";

/// Names the request, times it, logs it. Addresses are logged as routes: ids and searches of people are not the log's business.
pub async fn observe(extract::State(state): extract::State<State>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = given(&request).unwrap_or_else(|| state.engine().id().simple().to_string());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("unmatched", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!("request", %id, %method, route);
    let mut response = next.run(request).instrument(span.clone()).await;
    let status = response.status().as_u16();
    let took = began.elapsed();
    metrics::histogram!("confab_http_request_seconds", "method" => method.as_str().to_owned(), "route" => route, "status" => status.to_string())
        .record(took);
    span.in_scope(|| {
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        if status >= 500 { tracing::warn!(status, ms, "failed") } else { tracing::debug!(status, ms, "answered") }
    });
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(ID, id);
    }
    response
}

/// The id that a proxy gave, if it is one.
fn given(request: &Request) -> Option<String> {
    let id = request.headers().get(ID)?.to_str().ok()?;
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    (plain && (1..=64).contains(&id.len())).then(|| id.to_owned())
}
