use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::access::Actor;
use engine::{Clock, Config, Engine, ModelConfig, ProviderKind, SystemClock, chat, person, project, record};
use scripted::Scripted;
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::chat::{Chat, NewChat, ReadModel, SendMessage, Sent};
use wire::event::{Custom, Event, Numbered};
use wire::fold;
use wire::message::{Message, Part, ToolCall};
use wire::person::FirstOwner;
use wire::record::{NewProject, NewRecord, Record, RecordKind};
use wire::turn::{Turn, TurnState};

/// A clock that goes on by itself and can be put forward.
pub struct TestClock(Mutex<time::Duration>);

impl TestClock {
    pub fn new() -> Arc<TestClock> {
        Arc::new(TestClock(Mutex::new(time::Duration::ZERO)))
    }

    pub fn forward(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for TestClock {
    fn now(&self) -> OffsetDateTime {
        SystemClock.now() + *self.0.lock().unwrap()
    }

    fn id(&self) -> Uuid {
        SystemClock.id()
    }
}

/// An organisation with its owner, a project, an initiative and a plan, and an engine that runs turns.
pub struct House {
    pub engine: Engine,
    pub actor: Actor,
    pub project_id: Uuid,
    pub initiative: Record,
    pub plan: Record,
    pub clock: Arc<TestClock>,
    pub config: Config,
    _data: Arc<tempfile::TempDir>,
}

pub const PLAN: &str = "Rows leave as CSV.\n\n## Acceptance criteria\n\n1. The button is left of Filter.\n2. It has a tooltip.\n3. It reads Downlaod and starts at once.\n";
pub const INITIATIVE: &str = "Customers want their rows as CSV.\n\n- The server endpoint streams rows\n- A download button in the toolbar\n- Five customer fixtures for verification\n";

/// Without a model.
pub fn demo() -> ModelConfig {
    ModelConfig { provider: ProviderKind::Demo, base_url: None, model: None, key: None }
}

/// The scripted provider, as one of the two dialects; the key names the script.
pub fn model(scripted: &Scripted, provider: ProviderKind, key: &str) -> ModelConfig {
    ModelConfig {
        provider,
        base_url: Some(scripted.url()),
        model: Some("claude-sonnet-4-5".to_owned()),
        key: Some(key.to_owned()),
    }
}

pub fn config(pool: &PgPool, data: PathBuf, model: ModelConfig) -> Config {
    let database = pool.connect_options().get_database().unwrap().to_owned();
    let base = std::env::var("DATABASE_URL").unwrap();
    let (before, after) = base.split_once('?').unwrap_or((&base, ""));
    let (server, _) = before.rsplit_once('/').unwrap();
    Config {
        database_url: format!("{server}/{database}?{after}"),
        connections: 5,
        data,
        model,
        turns: 64,
        iterations: 30,
        silence: Duration::from_secs(30),
    }
}

impl House {
    pub async fn new(pool: &PgPool, model: ModelConfig) -> House {
        House::with(pool, model, |config| config).await
    }

    pub async fn with(pool: &PgPool, model: ModelConfig, change: impl FnOnce(Config) -> Config) -> House {
        let data = Arc::new(tempfile::tempdir().unwrap());
        let config = change(config(pool, data.path().to_owned(), model));
        let clock = TestClock::new();
        let engine = Engine::start_with(config.clone(), clock.clone()).await.unwrap();
        let owner = FirstOwner {
            organisation: "Acme".into(),
            name: "Sam".into(),
            email: "sam@acme.test".into(),
            password: "a long password".into(),
        };
        let person_id = person::first_owner(&engine, owner, None).await.unwrap();
        let actor = person::actor_of_person(&engine, person_id, None).await.unwrap().unwrap();
        let new = NewProject { name: "Atlas".into(), description: None };
        let project_id = project::create(&engine, &actor, new).await.unwrap().id;
        let new = |kind, title: &str, body: &str, parent_id| NewRecord {
            kind,
            title: title.into(),
            body: Some(body.into()),
            status: None,
            parent_id,
            severity: None,
        };
        let initiative = new(RecordKind::Initiative, "CSV export", INITIATIVE, None);
        let initiative = record::create(&engine, &actor, project_id, initiative).await.unwrap();
        let plan = new(RecordKind::Plan, "CSV download button", PLAN, Some(initiative.id));
        let plan = record::create(&engine, &actor, project_id, plan).await.unwrap();
        House { engine, actor, project_id, initiative, plan, clock, config, _data: data }
    }

    /// Another node on the same database.
    pub async fn another_node(&self) -> Engine {
        Engine::start_with(self.config.clone(), self.clock.clone()).await.unwrap()
    }

    pub async fn chat(&self, record_id: Option<Uuid>) -> Chat {
        let new = NewChat { record_id, ..NewChat::default() };
        chat::create(&self.engine, &self.actor, self.project_id, new).await.unwrap()
    }

    pub async fn send(&self, chat_id: Uuid, text: &str) -> Sent {
        self.send_as(chat_id, text, &SystemClock.id().to_string()).await
    }

    pub async fn send_as(&self, chat_id: Uuid, text: &str, client_id: &str) -> Sent {
        let send = SendMessage { client_id: client_id.into(), text: text.into(), ..SendMessage::default() };
        chat::send(&self.engine, &self.actor, chat_id, send).await.unwrap()
    }

    pub async fn view(&self, chat_id: Uuid) -> ReadModel {
        chat::open(&self.engine, &self.actor, chat_id, None).await.unwrap()
    }

    /// Sends, waits for the turn's end, and gives it with the agent's message.
    pub async fn ask(&self, chat_id: Uuid, text: &str) -> (Turn, Message) {
        let sent = self.send(chat_id, text).await;
        let turn = over(&self.engine, chat_id, sent.turn.unwrap().id).await;
        (turn.clone(), self.answer(chat_id, turn.id).await)
    }

    pub async fn answer(&self, chat_id: Uuid, turn_id: Uuid) -> Message {
        let view = self.view(chat_id).await;
        view.messages.into_iter().find(|message| message.turn_id == Some(turn_id)).unwrap()
    }

    /// The whole log of a chat, folded, must be what is read fresh; and its numbers have no gap.
    pub async fn check_log(&self, chat_id: Uuid, start: ReadModel) -> Vec<Event> {
        let fresh = self.view(chat_id).await;
        let events = log(&self.engine, chat_id, fresh.seq).await;
        let mut view = start;
        for (place, event) in events.iter().enumerate() {
            let seq = i64::try_from(place).unwrap() + 1;
            fold::apply(&mut view, &Numbered { seq, event: event.clone() });
        }
        for thread in &mut view.threads {
            // the log does not say what a person has read
            thread.unread = fresh.threads.iter().find(|known| known.id == thread.id).map_or(0, |known| known.unread);
        }
        assert_eq!(view, fresh);
        events
    }
}

/// Follows the chat's log from the beginning until an event is wanted.
pub async fn until(engine: &Engine, chat_id: Uuid, wanted: impl Fn(&Event) -> bool) -> Event {
    let mut follow = engine.feed().follow(chat_id, 0);
    let found = async {
        loop {
            let frame = follow.next().await.unwrap();
            let event: Event = serde_json::from_str(&frame.json).unwrap();
            if wanted(&event) {
                return event;
            }
        }
    };
    match tokio::time::timeout(Duration::from_secs(30), found).await {
        Ok(event) => event,
        Err(_) => panic!("it did not come; the log is {:#?}", log(engine, chat_id, follow.last()).await),
    }
}

/// Waits until a turn is over; gives it as its last event says.
pub async fn over(engine: &Engine, chat_id: Uuid, turn_id: Uuid) -> Turn {
    stands(engine, chat_id, turn_id, TurnState::is_over).await
}

/// Waits until a turn's state is as wanted.
pub async fn stands(engine: &Engine, chat_id: Uuid, turn_id: Uuid, wanted: impl Fn(TurnState) -> bool) -> Turn {
    let event =
        until(engine, chat_id, |event| turn_of(event).is_some_and(|turn| turn.id == turn_id && wanted(turn.state)));
    let turn = turn_of(&event.await).unwrap();
    if turn.state.is_over() {
        // and its very last event
        until(engine, chat_id, |event| match event {
            Event::RunFinished { run_id, .. } | Event::RunError { run_id, .. } => *run_id == turn_id,
            _ => false,
        })
        .await;
    }
    turn
}

fn turn_of(event: &Event) -> Option<Turn> {
    let Event::Custom { name, value } = event else { return None };
    match Custom::parse(name, value) {
        Some(Custom::Turn(turn)) => Some(*turn),
        _ => None,
    }
}

/// The events of a chat up to a number.
pub async fn log(engine: &Engine, chat_id: Uuid, last: i64) -> Vec<Event> {
    let mut follow = engine.feed().follow(chat_id, 0);
    let mut events = Vec::new();
    for seq in 1..=last {
        let frame = follow.next().await.unwrap();
        assert_eq!(frame.seq, Some(seq));
        events.push(serde_json::from_str(&frame.json).unwrap());
    }
    events
}

pub fn calls(message: &Message) -> Vec<&ToolCall> {
    message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::ToolCall(call) => Some(call.as_ref()),
            _ => None,
        })
        .collect()
}

pub fn input<'a>(call: &'a ToolCall, field: &str) -> &'a str {
    call.input.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A node of its own, on threads of its own, that can be killed and frozen.
pub struct Node {
    runtime: tokio::runtime::Runtime,
    pub engine: Engine,
}

impl Node {
    pub async fn start(config: Config, clock: Arc<TestClock>) -> Node {
        let started = tokio::task::spawn_blocking(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            let engine = runtime.block_on(Engine::start_with(config, clock)).unwrap();
            Node { runtime, engine }
        });
        started.await.unwrap()
    }

    /// As `kill -9` does it: nothing more is written, nothing is told.
    pub fn kill(self) {
        self.runtime.shutdown_background();
    }

    /// As `SIGSTOP` does it; sending goes on as `SIGCONT` does.
    #[expect(clippy::disallowed_types, reason = "to block is what it is for: the node's whole runtime stands still")]
    pub async fn freeze(&self) -> std::sync::mpsc::Sender<()> {
        let (go_on, wait) = std::sync::mpsc::channel();
        let (frozen, is_frozen) = tokio::sync::oneshot::channel();
        drop(self.runtime.spawn(async move {
            frozen.send(()).unwrap();
            // this blocks the one thread that the node has
            wait.recv().unwrap();
        }));
        is_frozen.await.unwrap();
        go_on
    }
}

/// Runs until both are so: a script's request came to its gate, and what came before it has been shown.
pub async fn shown(engine: &Engine, chat_id: Uuid, text: &str) {
    let seen = Mutex::new(String::new());
    until(engine, chat_id, |event| {
        let mut seen = seen.lock().unwrap();
        if let Event::TextMessageContent { delta, .. } | Event::ToolCallArgs { delta, .. } = event {
            seen.push_str(delta);
        }
        seen.ends_with(text)
    })
    .await;
}

/// What no command does: a state that only time, a crash or a later version brings about.
#[expect(clippy::disallowed_methods, reason = "the statement is the test's own")]
pub async fn sql(house: &House, statement: &'static str) {
    sqlx::query(statement).execute(house.engine.pool()).await.unwrap();
}
