use crate::dialect::Dialect;
use crate::script::{Script, Step};
use crate::strict;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, watch};

/// A request that was made, and how its answer ended.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    pub path: String,
    /// Where the client's connection came from: the same for requests that shared one.
    pub peer: SocketAddr,
    pub headers: Vec<(String, String)>,
    pub body: Value,
    pub ending: Ending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Still being answered.
    Open,
    /// Everything in the script was sent.
    Sent,
    /// The client went away first.
    Dropped,
    /// Answered with a status and no stream.
    Refused,
}

/// The point where requests wait for a release.
pub(crate) struct Gate {
    pub arrived: Semaphore,
    pub open: Semaphore,
}

pub(crate) struct State {
    keys: Mutex<HashMap<String, Namespace>>,
    /// Told of each change of a record.
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Namespace {
    strict: bool,
    steps: Vec<(Step, bool)>,
    records: Vec<Record>,
    gates: HashMap<String, Arc<Gate>>,
    signatures: strict::Signatures,
}

/// What a request is answered with.
pub(crate) enum Answer {
    Play { step: Step, number: usize },
    Refuse { status: u16, kind: &'static str, message: String },
}

impl State {
    pub fn new() -> Self {
        Self { keys: Mutex::default(), changed: watch::channel(()).0 }
    }

    pub fn script(&self, script: Script) {
        let steps = script.steps.into_iter().map(|step| (step, false)).collect();
        let namespace = Namespace { strict: script.strict, steps, ..Namespace::default() };
        self.with(|keys| keys.insert(script.key, namespace));
    }

    /// Records the request and chooses its answer.
    pub fn answer(&self, key: &str, dialect: Dialect, mut record: Record) -> Answer {
        self.with(|keys| {
            let Some(namespace) = keys.get_mut(key) else {
                let message = "this key has no script".into();
                return Answer::Refuse { status: 401, kind: "authentication_error", message };
            };
            let answer = namespace.choose(dialect, &record.body, namespace.records.len());
            if matches!(answer, Answer::Refuse { .. }) {
                record.ending = Ending::Refused;
            }
            namespace.records.push(record);
            self.changed.send_replace(());
            answer
        })
    }

    pub fn ended(&self, key: &str, number: usize, ending: Ending) {
        self.with(|keys| {
            if let Some(record) = keys.get_mut(key).and_then(|namespace| namespace.records.get_mut(number)) {
                record.ending = ending;
                self.changed.send_replace(());
            }
        });
    }

    pub async fn watch(&self, key: &str, enough: impl Fn(&[Record]) -> bool) {
        let mut changed = self.changed.subscribe();
        // the sender lives as long as this
        let _ = changed.wait_for(|()| enough(&self.records(key))).await;
    }

    pub fn records(&self, key: &str) -> Vec<Record> {
        self.with(|keys| keys.get(key).map(|namespace| namespace.records.clone()).unwrap_or_default())
    }

    pub fn gate(&self, key: &str, gate: &str) -> Arc<Gate> {
        let new = || Arc::new(Gate { arrived: Semaphore::new(0), open: Semaphore::new(0) });
        self.with(|keys| {
            keys.entry(key.to_owned()).or_default().gates.entry(gate.to_owned()).or_insert_with(new).clone()
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Namespace>) -> T) -> T {
        work(&mut self.keys.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Namespace {
    fn choose(&mut self, dialect: Dialect, body: &Value, number: usize) -> Answer {
        if self.strict
            && let Err(message) = strict::check(dialect, body, &self.signatures)
        {
            return Answer::Refuse { status: 400, kind: "invalid_request_error", message };
        }
        let found = self.steps.iter_mut().find(|(step, used)| !used && dialect.matches(&step.when, body));
        let Some((step, used)) = found else {
            return Answer::Refuse {
                status: 400,
                kind: "invalid_request_error",
                message: "the script has no step for this request".into(),
            };
        };
        *used = !step.always;
        self.signatures.remember(body["model"].as_str().unwrap_or_default(), step);
        Answer::Play { step: step.clone(), number }
    }
}
