//! *relay*: the least that can stand between a client and a provider. It parses the provider's stream, takes the text out, and frames it
//! anew with ids, as Confab does; it stores nothing, knows nobody and remembers nothing. It stays in the benchmark as what Confab is
//! compared with.

use std::fmt::Write;
use std::io;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use futures::{StreamExt, stream};
use reqwest::Client;
use tokio::net::TcpListener;

use crate::client::sse::Parser;
use crate::client::{PROVIDER_PATH, delta, http};
use crate::result::Result;
use crate::stage::child;

#[derive(Clone)]
struct Relay {
    client: Client,
    url: String,
}

/// Listens on a free port, says where, and relays until the process ends. `GET /trivial` is the plainest answer that axum gives.
pub async fn serve(provider: &str) -> Result<()> {
    let relay = Relay { client: http::client()?, url: format!("{provider}{PROVIDER_PATH}") };
    let router =
        Router::new().route("/relay", post(pass_on)).route("/trivial", get(|| async { "ok" })).with_state(relay);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    child::say_where(&format!("http://{}", listener.local_addr()?));
    let listener = listener.tap_io(|connection| {
        let _ = connection.set_nodelay(true);
    });
    axum::serve(listener, router).await?;
    Ok(())
}

async fn pass_on(State(relay): State<Relay>, headers: HeaderMap, body: Bytes) -> Response {
    let mut request = relay.client.post(&relay.url).header(header::CONTENT_TYPE, "application/json").body(body);
    if let Some(key) = headers.get("x-api-key") {
        request = request.header("x-api-key", key);
    }
    match request.send().await {
        Ok(answer) if answer.status() == StatusCode::OK => {
            ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(framed(answer))).into_response()
        }
        Ok(answer) => (StatusCode::BAD_GATEWAY, format!("the provider answered {}", answer.status())).into_response(),
        Err(error) => (StatusCode::BAD_GATEWAY, error.to_string()).into_response(),
    }
}

/// The texts of the provider's stream, framed anew: what comes in one piece leaves in one piece.
fn framed(answer: reqwest::Response) -> impl stream::Stream<Item = io::Result<Bytes>> + Send {
    let start = (answer.bytes_stream(), Parser::default(), 0_u64);
    stream::unfold(start, |(mut pieces, mut parser, mut id)| async move {
        loop {
            let piece = match pieces.next().await? {
                Ok(piece) => piece,
                Err(error) => return Some((Err(io::Error::other(error)), (pieces, parser, id))),
            };
            let mut out = String::new();
            parser.push(&piece);
            while let Some(event) = parser.next() {
                let Some(text) = delta::of_provider(&event.data) else { continue };
                id += 1;
                let text = serde_json::to_string(&text).unwrap_or_default();
                let _ = write!(out, "id: {id}\ndata: {{\"type\":\"TEXT_MESSAGE_CONTENT\",\"delta\":{text}}}\n\n");
            }
            if !out.is_empty() {
                return Some((Ok(Bytes::from(out)), (pieces, parser, id)));
            }
        }
    })
}
