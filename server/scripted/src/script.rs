use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the holder of one API key is answered. For each request the first step that matches and is not used up is played.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    pub key: String,
    /// Refuse a history that the real providers would refuse.
    #[serde(default)]
    pub strict: bool,
    pub steps: Vec<Step>,
}

/// The answer to one request, or to many with [`Step::always`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    pub when: When,
    /// Play this step for every request that matches, not only for the first.
    pub always: bool,
    pub wire: Wire,
    /// The figures of the whole answer.
    pub usage: Usage,
    pub usage_on: UsageOn,
    /// Overrides the stop reason, in the words of the dialect.
    pub stop: Option<String>,
    pub actions: Vec<Action>,
}

/// Which requests a step answers. What is not given matches everything.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct When {
    pub model: Option<String>,
    /// A part of the last text that the person said.
    pub user: Option<String>,
    /// A part of the last tool result; only requests that end with tool results match.
    pub result: Option<String>,
}

/// How the bytes of the answer's body are written.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wire {
    pub framing: Framing,
    /// No space after the colon of a field.
    pub tight: bool,
    /// So many bytes a write.
    pub bytes: Option<usize>,
    /// Cut one write in two at this position of the body.
    pub split: Option<usize>,
    /// End the body, without an error, after so many bytes.
    pub end_after: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Framing {
    #[default]
    Lf,
    CrLf,
    Cr,
    /// The three in turn, line by line.
    Mixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    /// Without what was read from or written to the cache.
    pub input: i64,
    pub output: i64,
    pub cache_read: i64,
    pub cache_write: i64,
    pub reasoning: i64,
}

impl Default for Usage {
    fn default() -> Self {
        Self { input: 10, output: 5, cache_read: 0, cache_write: 0, reasoning: 0 }
    }
}

/// Where the OpenAI dialect tells the usage. The Anthropic dialect has one way only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsageOn {
    /// In a last chunk with an empty list of choices.
    #[default]
    Tail,
    /// On the chunk with the finish reason.
    Finish,
    /// The same figures on every chunk from the finish reason on, and once more in the tail.
    Repeated,
    /// Nowhere: the field is null.
    Never,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Text, in deltas of `chunk` characters, or in one.
    Text {
        text: String,
        #[serde(default)]
        chunk: Option<usize>,
    },
    /// Thinking. The OpenAI dialect has no signatures.
    Reasoning {
        text: String,
        #[serde(default)]
        chunk: Option<usize>,
        /// Sent in two deltas.
        #[serde(default)]
        signature: Option<String>,
    },
    /// A block of thinking that the provider withholds (Anthropic).
    Redacted { data: String },
    /// Tool calls whose deltas alternate; one call is the plain case.
    Tools {
        calls: Vec<Call>,
        #[serde(default)]
        chunk: Option<usize>,
    },
    /// A running total in mid-stream; what is not given is sent as null.
    Usage {
        #[serde(default)]
        input: Option<i64>,
        #[serde(default)]
        output: Option<i64>,
    },
    /// Wait until the gate is released.
    Hold {
        #[serde(default)]
        gate: String,
    },
    /// Pause. For benchmarks and for watching by eye; tests use `hold`.
    Delay { milliseconds: u64 },
    /// `count` text deltas with a pause between, each `index:microseconds since 1970` and a space.
    Tokens {
        count: usize,
        #[serde(default)]
        microseconds: u64,
    },
    /// One frame that means nothing: a ping event (Anthropic), a comment (OpenAI).
    Ping,
    /// Such a frame each time the gate is released, and nothing else, for ever.
    Pings {
        #[serde(default)]
        gate: String,
    },
    /// One event as given.
    Event {
        #[serde(default)]
        name: Option<String>,
        data: Value,
    },
    /// Text put into the body as it is.
    Raw { text: String },
    /// An error event after status 200; `kind` is the error's type. The body then ends.
    Error { kind: String, message: String },
    /// Answer with a status instead of a stream. Only as the first action. A text body is sent as it is.
    Status {
        status: u16,
        #[serde(default)]
        headers: Vec<(String, String)>,
        #[serde(default)]
        body: Value,
    },
    /// Never send the head of the answer. Only as the first action.
    Hang,
    /// Send nothing more, but keep the connection open.
    Silence,
    /// Break the connection.
    Reset,
    /// End the body well, without the terminal event.
    Cut,
    /// As `cut`, but after telling the stop reason: only the very last event is missing.
    CutBeforeTerminal,
}

/// A tool call of an answer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    pub id: String,
    pub name: String,
    /// The arguments; absent: none are sent at all.
    #[serde(default)]
    pub input: Option<Value>,
    /// The arguments as text, valid or not, in place of `input`.
    #[serde(default)]
    pub raw: Option<String>,
    /// Send `arguments: null` (OpenAI).
    #[serde(default)]
    pub null: bool,
}

impl Call {
    #[must_use]
    pub fn new(id: &str, name: &str, input: Value) -> Self {
        Self { id: id.into(), name: name.into(), input: Some(input), ..Self::default() }
    }

    #[must_use]
    pub fn raw(id: &str, name: &str, raw: &str) -> Self {
        Self { id: id.into(), name: name.into(), raw: Some(raw.into()), ..Self::default() }
    }

    /// The arguments as they are written to the wire.
    pub(crate) fn arguments(&self) -> Option<String> {
        self.raw.clone().or_else(|| self.input.as_ref().map(Value::to_string))
    }
}

impl Script {
    #[must_use]
    pub fn new(key: &str, steps: impl IntoIterator<Item = Step>) -> Self {
        Self { key: key.into(), strict: false, steps: steps.into_iter().collect() }
    }

    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }
}

impl Step {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An answer of one text.
    #[must_use]
    pub fn say(text: &str) -> Self {
        Self::new().text(text)
    }

    /// An answer of one tool call.
    #[must_use]
    pub fn call(id: &str, name: &str, input: Value) -> Self {
        Self::new().tools([Call::new(id, name, input)])
    }

    /// An answer with a status and no stream.
    #[must_use]
    pub fn status(status: u16, headers: &[(&str, &str)]) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self::new().then(Action::Status { status, headers, body: Value::Null })
    }

    #[must_use]
    pub fn then(mut self, action: Action) -> Self {
        self.actions.push(action);
        self
    }

    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.then(Action::Text { text: text.into(), chunk: None })
    }

    #[must_use]
    pub fn chunked(self, text: &str, chunk: usize) -> Self {
        self.then(Action::Text { text: text.into(), chunk: Some(chunk) })
    }

    #[must_use]
    pub fn reasoning(self, text: &str, signature: Option<&str>) -> Self {
        self.then(Action::Reasoning { text: text.into(), chunk: None, signature: signature.map(Into::into) })
    }

    #[must_use]
    pub fn tools(self, calls: impl IntoIterator<Item = Call>) -> Self {
        self.then(Action::Tools { calls: calls.into_iter().collect(), chunk: None })
    }

    #[must_use]
    pub fn hold(self, gate: &str) -> Self {
        self.then(Action::Hold { gate: gate.into() })
    }

    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    #[must_use]
    pub fn usage_on(mut self, usage_on: UsageOn) -> Self {
        self.usage_on = usage_on;
        self
    }

    #[must_use]
    pub fn stop(mut self, reason: &str) -> Self {
        self.stop = Some(reason.into());
        self
    }

    #[must_use]
    pub fn wire(mut self, wire: Wire) -> Self {
        self.wire = wire;
        self
    }

    #[must_use]
    pub fn always(mut self) -> Self {
        self.always = true;
        self
    }

    /// Only for requests whose last text of the person contains this.
    #[must_use]
    pub fn when_user(mut self, part: &str) -> Self {
        self.when.user = Some(part.into());
        self
    }

    /// Only for requests that end with tool results, the last of which contains this.
    #[must_use]
    pub fn when_result(mut self, part: &str) -> Self {
        self.when.result = Some(part.into());
        self
    }

    /// Only for requests for this model.
    #[must_use]
    pub fn when_model(mut self, model: &str) -> Self {
        self.when.model = Some(model.into());
        self
    }
}
