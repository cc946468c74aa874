//! What comes in, parsed: what cannot be taken is refused with a sentence that says what and where.

use axum::{
    body::Bytes,
    extract::{self, FromRequest, FromRequestParts, Request},
    http::{HeaderMap, StatusCode, Uri, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::http::refusal::Refusal;

/// A body in JSON, both ways.
pub struct Json<T>(pub T);

/// The variable parts of the address.
pub struct Path<T>(pub T);

/// What stands behind the `?`. A parameter without a value is as good as none.
pub struct Query<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>, Refusal> {
        if !is_json(request.headers()) {
            return Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "media_type",
                "The body must be JSON, and say so: `Content-Type: application/json`.",
            ));
        }
        let body = Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large(),
            _ => Refusal::new(StatusCode::BAD_REQUEST, "body", "The body ended before it was whole."),
        })?;
        if holds_nul(&body) {
            return Err(nul());
        }
        axum::Json::from_bytes(&body).map(|axum::Json(value)| Json(value)).map_err(|rejection| {
            let (code, begins) = match rejection.status() {
                StatusCode::UNPROCESSABLE_ENTITY => ("invalid", "The body does not fit"),
                _ => ("json", "The body is not JSON"),
            };
            let text = rejection.body_text();
            Refusal::new(rejection.status(), code, format!("{begins}: {}.", cause(&text)))
        })
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, Refusal> {
        match extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(extract::Path(value)) => Ok(Path(value)),
            Err(rejection) => {
                let detail = format!("The address does not fit: {}.", cause(&rejection.body_text()));
                Err(Refusal::new(StatusCode::BAD_REQUEST, "address", detail))
            }
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Refusal> {
        let given = parts
            .uri
            .query()
            .unwrap_or("")
            .split('&')
            .filter(|pair| pair.split_once('=').is_some_and(|(_, value)| !value.is_empty()));
        let uri = Uri::builder().path_and_query(format!("/?{}", given.collect::<Vec<_>>().join("&"))).build();
        let read = uri.ok().map(|uri| extract::Query::<T>::try_from_uri(&uri));
        match read {
            Some(Ok(extract::Query(value))) => Ok(Query(value)),
            Some(Err(rejection)) => {
                let detail = format!("The parameters do not fit: {}.", cause(&rejection.body_text()));
                Err(Refusal::new(StatusCode::BAD_REQUEST, "parameters", detail))
            }
            None => Err(Refusal::new(StatusCode::BAD_REQUEST, "parameters", "The parameters cannot be read.")),
        }
    }
}

/// Refuses addresses with the character NUL, which no text of ours may hold.
pub async fn no_nul(request: Request, next: Next) -> Response {
    if request.uri().path().contains("%00") || request.uri().query().is_some_and(|query| query.contains("%00")) {
        return nul().into_response();
    }
    next.run(request).await
}

fn nul() -> Refusal {
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "nul", "Text may not hold the character NUL (U+0000).")
}

fn is_json(headers: &HeaderMap) -> bool {
    let named = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let kind = named.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// Whether a JSON text holds NUL, which it can only as `\u0000`; `\\u0000` is a backslash and letters.
fn holds_nul(body: &[u8]) -> bool {
    let mut escaped = false;
    let mut rest = body;
    while let [byte, after @ ..] = rest {
        if escaped && after.len() >= 4 && *byte == b'u' && after.starts_with(b"0000") {
            return true;
        }
        escaped = !escaped && *byte == b'\\';
        rest = after;
    }
    false
}

/// What the parser says, without its own beginning and without a full stop.
fn cause(text: &str) -> &str {
    let known = [
        "Failed to deserialize the JSON body into the target type: ",
        "Failed to parse the request body as JSON: ",
        "Failed to deserialize query string: ",
        "Invalid URL: ",
    ];
    known.iter().find_map(|begins| text.strip_prefix(begins)).unwrap_or(text).trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_is_found_and_what_only_looks_like_it_is_not() {
        for (body, holds) in [
            (r#"{"a":"\u0000"}"#, true),
            (r#"{"a":"x\\\u0000"}"#, true),
            (r#"{"a":"\\u0000"}"#, false),
            (r#"{"a":"\u00001"}"#, true),
            (r#"{"a":"\u0001"}"#, false),
            (r#"{"a":"\u000"#, false),
            (r#"\u0000"#, true),
        ] {
            assert_eq!(holds_nul(body.as_bytes()), holds, "{body}");
        }
    }
}
