use engine::provider::{
    Block, Completion, Delta, Dialect, Item, Pace, Provider, ProviderError, RemoteProvider, Request, Settings, ToolSpec,
};
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use scripted::{Ending, Record, Script, Scripted, Step};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub const BOTH: [Dialect; 2] = [Dialect::Anthropic, Dialect::OpenAi];
pub const KEY: &str = "key-of-the-test";
pub const MODEL: &str = "m1";

/// The wall clock of every test: Wed, 21 Oct 2015 07:28:00 GMT.
pub const NOW: Duration = Duration::from_secs(1_445_412_480);

/// Time that goes on only when a test says so. Pauses end at once and are noted; alarms ring when the time has been moved far enough.
pub struct TestPace {
    pub pauses: Mutex<Vec<Duration>>,
    elapsed: watch::Sender<Duration>,
    endless_pauses: bool,
}

impl TestPace {
    pub fn new(endless_pauses: bool) -> Self {
        let (elapsed, _) = watch::channel(Duration::ZERO);
        Self { pauses: Mutex::new(vec![]), elapsed, endless_pauses }
    }

    pub fn advance(&self, by: Duration) {
        self.elapsed.send_modify(|elapsed| *elapsed += by);
    }

    pub fn pauses(&self) -> Vec<Duration> {
        self.pauses.lock().expect("not poisoned").clone()
    }
}

impl Pace for TestPace {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + NOW
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    fn call_id(&self) -> String {
        "call_made".into()
    }

    fn pause(&self, length: Duration) -> BoxFuture<'static, ()> {
        self.pauses.lock().expect("not poisoned").push(length);
        if self.endless_pauses { Box::pin(std::future::pending()) } else { Box::pin(std::future::ready(())) }
    }

    fn alarm(&self, length: Duration) -> BoxFuture<'static, ()> {
        let mut elapsed = self.elapsed.subscribe();
        let due = *elapsed.borrow() + length;
        Box::pin(async move {
            if elapsed.wait_for(|elapsed| *elapsed >= due).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

/// A scripted server and a provider that speaks to it.
pub struct Harness {
    pub server: Scripted,
    pub provider: RemoteProvider,
    pub pace: Arc<TestPace>,
    pub stop: CancellationToken,
}

/// What a call gave.
#[derive(Debug)]
pub struct Outcome {
    pub deltas: Vec<Delta>,
    pub end: Result<Completion, ProviderError>,
}

impl Harness {
    pub async fn new(dialect: Dialect, steps: impl IntoIterator<Item = Step>) -> Self {
        Self::with(dialect, Script::new(KEY, steps), false).await
    }

    pub async fn strict(dialect: Dialect, steps: impl IntoIterator<Item = Step>) -> Self {
        Self::with(dialect, Script::new(KEY, steps).strict(), false).await
    }

    /// With pauses that end only when the call is stopped.
    pub async fn patient(dialect: Dialect, steps: impl IntoIterator<Item = Step>) -> Self {
        Self::with(dialect, Script::new(KEY, steps), true).await
    }

    async fn with(dialect: Dialect, script: Script, endless_pauses: bool) -> Self {
        let server = Scripted::start().await.expect("a free port");
        server.script(script);
        let pace = Arc::new(TestPace::new(endless_pauses));
        let settings = Settings::new(dialect, Some(server.url()), Some(KEY.into()));
        let provider = RemoteProvider::with_pace(settings, pace.clone()).expect("a provider");
        Self { server, provider, pace, stop: CancellationToken::new() }
    }

    /// Replaces what the server answers, and forgets its requests.
    pub fn script(&self, steps: impl IntoIterator<Item = Step>) {
        self.server.script(Script::new(KEY, steps));
    }

    pub async fn call(&self) -> Outcome {
        self.send(request(vec![user("hi")])).await
    }

    pub async fn send(&self, request: Request) -> Outcome {
        read(self.provider.stream(request, self.stop.clone())).await
    }

    pub fn requests(&self) -> Vec<Record> {
        self.server.requests(KEY)
    }

    /// Waits until so many requests have been made in all.
    pub async fn requested(&self, count: usize) {
        self.server.watch(KEY, |records| records.len() >= count).await;
    }

    /// Waits until a request has come to this end.
    pub async fn ended(&self, number: usize, ending: Ending) {
        self.server.watch(KEY, |records| records.get(number).is_some_and(|record| record.ending == ending)).await;
    }

    /// The status that the server gives to a body as it is.
    pub async fn post(&self, path: &str, body: &serde_json::Value) -> u16 {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let request = client.post(format!("{}{path}", self.server.url())).header("content-type", "application/json");
        let request = request.header("x-api-key", KEY).header("authorization", format!("Bearer {KEY}"));
        request.body(body.to_string()).send().await.expect("an answer").status().as_u16()
    }
}

/// Reads a call to its end, and checks what every call must keep: one end, last.
pub async fn read(mut stream: BoxStream<'static, Result<Delta, ProviderError>>) -> Outcome {
    let mut deltas = vec![];
    let mut end = None;
    while let Some(item) = stream.next().await {
        assert!(end.is_none(), "{item:?} after the end");
        match item {
            Ok(Delta::Done(completion)) => end = Some(Ok(completion)),
            Ok(delta) => deltas.push(delta),
            Err(error) => end = Some(Err(error)),
        }
    }
    Outcome { deltas, end: end.expect("a stream ends with Done or an error") }
}

impl Outcome {
    pub fn completion(&self) -> &Completion {
        self.end.as_ref().expect("a complete answer")
    }

    pub fn error(&self) -> &ProviderError {
        self.end.as_ref().expect_err("a failure")
    }

    /// What a reader has on the screen at the end: restarts void what was before.
    pub fn shown_text(&self) -> String {
        let from = self.deltas.iter().rposition(|delta| *delta == Delta::Restarted).map_or(0, |at| at + 1);
        let texts = self.deltas[from..].iter().filter_map(|delta| match delta {
            Delta::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The texts of the complete answer.
    pub fn text(&self) -> String {
        let texts = self.completion().blocks.iter().filter_map(|block| match block {
            Block::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The arguments of one call as they were streamed.
    pub fn streamed_arguments(&self, call: usize) -> String {
        let pieces = self.deltas.iter().filter_map(|delta| match delta {
            Delta::ToolCallArgs { index, json } if *index == call => Some(json.as_str()),
            _ => None,
        });
        pieces.collect()
    }

    pub fn restarts(&self) -> usize {
        self.deltas.iter().filter(|delta| **delta == Delta::Restarted).count()
    }
}

pub fn user(text: &str) -> Item {
    Item::User(vec![Block::Text { text: text.into() }])
}

pub fn request(items: Vec<Item>) -> Request {
    let read = ToolSpec {
        name: "Read".into(),
        description: "Reads a file".into(),
        schema: json!({"type": "object", "properties": {"path": {"type": "string"}}}),
    };
    Request {
        model: MODEL.into(),
        system: "Be brief.".into(),
        items,
        tools: vec![read],
        max_output_tokens: 1000,
        cache: true,
    }
}

/// A tool call as it should come out.
pub fn called(id: &str, input: serde_json::Value) -> Block {
    Block::ToolCall { id: id.into(), name: "Read".into(), input, malformed: None }
}

/// A tool call that must not run.
pub fn malformed(id: &str, raw: &str) -> Block {
    Block::ToolCall { id: id.into(), name: "Read".into(), input: json!({}), malformed: Some(raw.into()) }
}
