use std::any::Any;

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};

use super::refusal::Refusal;

/// A fault of ours in one request is that request's alone.
pub fn contained(cause: Box<dyn Any + Send + 'static>) -> Response {
    let said = cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    tracing::error!(cause = said.unwrap_or("unknown"), "a handler panicked");
    metrics::counter!("confab_panics_total").increment(1);
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal",
        "Something is wrong in Confab itself. It was logged; try again.",
    )
    .into_response()
}
