//! How a refusal leaves: problem details with a stable code, logged once, here.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use engine::Error;
use wire::error::Problem;

/// What every handler may answer instead.
#[derive(Debug)]
pub struct Refusal {
    problem: Problem,
    retry_after: Option<u64>,
}

pub type Result<T> = std::result::Result<T, Refusal>;

impl Refusal {
    #[must_use]
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Refusal {
        let title = status.canonical_reason().unwrap_or("Refused").to_owned();
        let problem = Problem { status: status.as_u16(), title, detail: detail.into(), code: code.to_owned() };
        Refusal { problem, retry_after: None }
    }

    #[must_use]
    pub fn unauthorised() -> Refusal {
        Refusal::new(
            StatusCode::UNAUTHORIZED,
            "unauthorised",
            "Nobody is signed in. Sign in, or send a token as `Authorization: Bearer …`.",
        )
    }

    #[must_use]
    pub fn too_large() -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "The body is larger than this call takes.")
    }

    #[must_use]
    pub fn problem(self) -> Problem {
        self.problem
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match &error {
            Error::Database(cause) => tracing::error!(error = %cause, "the database refused"),
            Error::Unavailable(cause) => tracing::warn!(%cause, "not available"),
            _ => {}
        }
        let retry_after = match &error {
            Error::TooMany { retry_after } => Some(*retry_after),
            _ => None,
        };
        Refusal { problem: error.problem(), retry_after }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_string(&self.problem).unwrap_or_default();
        let mut response =
            (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))], body)
                .into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
