//! Event streams: small frames, never compressed, never kept, ending when the server is about to end.

use std::{convert::Infallible, fmt::Write};

use axum::{
    body::{Body, Bytes},
    extract::FromRequestParts,
    http::{HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use futures::{Stream, StreamExt};
use tokio_util::sync::CancellationToken;

use super::refusal::Refusal;

/// Keeps a connection and its proxies awake; no client sees it.
pub const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// One event. The data is JSON, which holds no line break, so nothing in it can end a line or begin a field.
pub fn frame(id: Option<&str>, json: &str) -> Bytes {
    let mut text = String::with_capacity(json.len() + 40);
    if let Some(id) = id {
        let _ = writeln!(text, "id: {id}");
    }
    text.push_str("data: ");
    text.push_str(json);
    text.push_str("\n\n");
    Bytes::from(text)
}

/// Only a place to go on from: browsers remember it and show nothing.
pub fn place(id: &str) -> Bytes {
    Bytes::from(format!("id: {id}\n\n"))
}

/// The answer. The stream is read only as fast as the client reads: what a slow one has not taken stays in the log.
pub fn answer(frames: impl Stream<Item = Bytes> + Send + 'static, closing: &CancellationToken) -> Response {
    let counted = Counted::new();
    let frames = frames.take_until(closing.clone().cancelled_owned()).map(move |frame| {
        let _ = &counted;
        Ok::<Bytes, Infallible>(frame)
    });
    let headers: [(HeaderName, HeaderValue); 3] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Body::from_stream(frames)).into_response()
}

/// One open stream, for the figures.
struct Counted;

impl Counted {
    fn new() -> Counted {
        metrics::gauge!("confab_sse_clients").increment(1.0);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("confab_sse_clients").decrement(1.0);
    }
}

/// Where a client goes on: what its browser remembers, else what the address says.
pub struct Cursor(pub Option<String>);

impl<S: Sync> FromRequestParts<S> for Cursor {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Cursor, Refusal> {
        let remembered = parts.headers.get("last-event-id").map(|id| id.to_str().map_or("?", str::trim).to_owned());
        let named = || {
            let query = parts.uri.query()?;
            query.split('&').find_map(|pair| pair.strip_prefix("after=")).map(str::to_owned)
        };
        Ok(Cursor(remembered.filter(|id| !id.is_empty()).or_else(named).filter(|id| !id.is_empty())))
    }
}

impl Cursor {
    /// The number of an event.
    ///
    /// # Errors
    /// When it is none.
    pub fn number(self) -> Result<Option<i64>, Refusal> {
        let Some(text) = self.0 else { return Ok(None) };
        let number = text.parse::<i64>().ok().filter(|number| *number >= 0 && !text.starts_with('+'));
        number.map(Some).ok_or_else(|| {
            Refusal::new(
                StatusCode::BAD_REQUEST,
                "cursor",
                "The cursor must be the number of an event: `Last-Event-ID` or `?after=`, 0 for the whole log.",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_said_a_frame_is_one_event() {
        let said = "one\rtwo\r\nthree\n\nx\revent: turn_done\rdata: {}\u{2028}";
        let json = serde_json::to_string(&serde_json::json!({ "delta": said })).unwrap();
        let frame = frame(Some("7"), &json);
        let text = std::str::from_utf8(&frame).unwrap();
        assert!(text.ends_with("\n\n") && !text.contains('\r'), "{text}");
        let lines: Vec<&str> = text.trim_end().lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], "id: 7");
        let read: serde_json::Value = serde_json::from_str(lines[1].strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(read["delta"], said);
    }

    #[test]
    fn a_cursor_is_a_number_or_refused() {
        for (text, number) in [
            ("0", Some(0)),
            ("17", Some(17)),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("x", None),
            ("99999999999999999999", None),
        ] {
            let read = Cursor(Some(text.to_owned())).number();
            assert_eq!(read.ok().flatten(), number, "{text}");
        }
        assert_eq!(Cursor(None).number().ok(), Some(None));
    }
}
