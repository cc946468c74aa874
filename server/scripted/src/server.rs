use crate::dialect::Dialect;
use crate::player::Player;
use crate::script::{Action, Script, Step};
use crate::state::{Answer, Ending, Record, State};
use axum::body::Body;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequestParts, Query, State as Extract};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A running scripted provider; it ends when this is dropped.
pub struct Scripted {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

impl Scripted {
    /// Listens on a free port of the loopback address.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start() -> io::Result<Self> {
        Self::listen(TcpListener::bind("127.0.0.1:0").await?)
    }

    /// # Errors
    /// When the listener has no local address.
    #[expect(clippy::disallowed_methods, reason = "the task is held and ends when this is dropped")]
    pub fn listen(listener: TcpListener) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let state = Arc::new(State::new());
        let router = router(state.clone());
        let listener = listener.tap_io(|connection| {
            // each write leaves at once; a connection that is gone already will be noticed when it is read
            let _ = connection.set_nodelay(true);
        });
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>()).await
            {
                eprintln!("scripted: {error}");
            }
        });
        Ok(Self { address, state, task })
    }

    /// The part of the address before `/v1`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets what the holder of the script's key is answered; forgets that key's records and gates.
    pub fn script(&self, script: Script) {
        self.state.script(script);
    }

    /// Every request with this key so far, oldest first.
    #[must_use]
    pub fn requests(&self, key: &str) -> Vec<Record> {
        self.state.records(key)
    }

    /// Waits until the requests with this key are as wanted.
    pub async fn watch(&self, key: &str, enough: impl Fn(&[Record]) -> bool) {
        self.state.watch(key, enough).await;
    }

    /// Waits until one more request has come to the gate.
    pub async fn arrived(&self, key: &str, gate: &str) {
        let gate = self.state.gate(key, gate);
        if let Ok(permit) = gate.arrived.acquire().await {
            permit.forget();
        }
    }

    /// Lets one request that waits at the gate, or comes to it later, go on.
    pub fn release(&self, key: &str, gate: &str) {
        self.state.gate(key, gate).open.add_permits(1);
    }

    /// Serves until the process ends.
    pub async fn serve(mut self) {
        // an error here is the task's panic or cancellation; either way nothing is left to serve
        let _ = (&mut self.task).await;
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/v1/messages", post(messages))
        .route("/v1/chat/completions", post(completions))
        .route("/v1/models", get(models))
        .route("/script", post(script))
        .route("/release", post(release))
        .route("/requests", get(requests))
        .layer(DefaultBodyLimit::disable())
        .with_state(state)
}

async fn messages(of: Of, Json(body): Json<Value>) -> Response {
    of.answer(Dialect::Anthropic, "/v1/messages", body).await
}

async fn completions(of: Of, Json(body): Json<Value>) -> Response {
    of.answer(Dialect::OpenAi, "/v1/chat/completions", body).await
}

async fn models() -> Json<Value> {
    Json(json!({"object": "list", "data": [{"id": "scripted", "object": "model", "type": "model"}]}))
}

async fn script(Extract(state): Extract<Arc<State>>, Json(script): Json<Script>) -> StatusCode {
    state.script(script);
    StatusCode::NO_CONTENT
}

#[derive(Deserialize)]
struct Release {
    key: String,
    #[serde(default)]
    gate: String,
    count: Option<usize>,
}

async fn release(Extract(state): Extract<Arc<State>>, Json(release): Json<Release>) -> StatusCode {
    state.gate(&release.key, &release.gate).open.add_permits(release.count.unwrap_or(1));
    StatusCode::NO_CONTENT
}

#[derive(Deserialize)]
struct OfKey {
    key: String,
}

async fn requests(Extract(state): Extract<Arc<State>>, Query(of): Query<OfKey>) -> Json<Vec<Record>> {
    Json(state.records(&of.key))
}

/// What a request says beside its body.
#[derive(FromRequestParts)]
#[from_request(state(Arc<State>))]
struct Of {
    state: Extract<Arc<State>>,
    peer: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
}

impl Of {
    async fn answer(self, dialect: Dialect, path: &str, body: Value) -> Response {
        let Self { state: Extract(state), peer: ConnectInfo(peer), headers } = self;
        let key = key(dialect, &headers);
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
        let record = Record { path: path.into(), peer, headers, body: body.clone(), ending: Ending::Open };
        match state.answer(&key, dialect, record) {
            Answer::Refuse { status, kind, message } => refuse(status, &dialect.error(kind, &message)),
            Answer::Play { step, number } => play(&state, dialect, key, number, &step, &body).await,
        }
    }
}

async fn play(state: &Arc<State>, dialect: Dialect, key: String, number: usize, step: &Step, body: &Value) -> Response {
    match step.actions.first() {
        Some(Action::Status { status, headers, body }) => {
            state.ended(&key, number, Ending::Refused);
            let body =
                if body.is_null() { dialect.error(kind(*status), &format!("status {status}")) } else { body.clone() };
            let mut response = refuse(*status, &body);
            for (name, value) in headers {
                if let (Ok(name), Ok(value)) = (header::HeaderName::try_from(name), HeaderValue::try_from(value)) {
                    response.headers_mut().insert(name, value);
                }
            }
            response
        }
        Some(Action::Hang) => {
            let _player = Player::new(state.clone(), key, number, step, dialect.encoder("", step));
            std::future::pending().await
        }
        _ => {
            let encoder = dialect.encoder(body["model"].as_str().unwrap_or_default(), step);
            let player = Player::new(state.clone(), key, number, step, encoder);
            ([(header::CONTENT_TYPE, "text/event-stream; charset=utf-8")], Body::from_stream(player.body()))
                .into_response()
        }
    }
}

fn refuse(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    match body {
        Value::String(text) => (status, text.clone()).into_response(),
        body => (status, Json(body.clone())).into_response(),
    }
}

/// The error type that goes with a status.
fn kind(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}

fn key(dialect: Dialect, headers: &HeaderMap) -> String {
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    match dialect {
        Dialect::Anthropic => value("x-api-key"),
        Dialect::OpenAi => value("authorization").trim_start_matches("Bearer ").to_owned(),
    }
}
