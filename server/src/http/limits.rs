//! How much is read, and how long is waited, before an answer begins.

use std::time::Duration;

use axum::{
    extract::Request,
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::refusal::Refusal;

/// The largest body that is read.
pub const BODY: usize = 1_536 * 1_024;

/// Longest time until an answer begins; event streams begin at once and may then go on.
const ANSWER: Duration = Duration::from_secs(60);

/// Refuses what says that it is too large before any of it is read, and what takes too long.
pub async fn hold(request: Request, next: Next) -> Response {
    let length =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > BODY) {
        return Refusal::too_large().into_response();
    }
    match tokio::time::timeout(ANSWER, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "slow",
            "This took too long and was given up. Try again in a moment.",
        )
        .into_response(),
    }
}
