use crate::provider::arguments::{malformed_call, tool_call};
use crate::provider::failure::Failure;
use crate::provider::json::{self, without_nul};
use crate::provider::pace::Pace;
use crate::provider::reader::{Progress, count, lenient};
use crate::provider::sse;
use crate::provider::{Block, Completion, Delta, StopReason, Usage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::sync::Arc;

/// Folds the chunks of one answer.
pub(in crate::provider) struct Reader {
    model: String,
    pace: Arc<dyn Pace>,
    said: Vec<Said>,
    calls: Vec<Call>,
    usage: Usage,
    finish: Option<String>,
    refused: bool,
}

/// Text and reasoning in the order they came.
enum Said {
    Text(String),
    Reasoning(String),
}

struct Call {
    /// The provider's number; servers that give none number by order.
    index: u64,
    id: String,
    name: String,
    arguments: String,
    /// Started for the reader: it has its name.
    shown: bool,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<Tokens>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    delta: Option<Change>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Change {
    #[serde(default)]
    content: Option<Content>,
    #[serde(default, deserialize_with = "lenient")]
    reasoning_content: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    reasoning: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<CallChange>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

#[derive(Deserialize)]
struct CallChange {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<Function>,
}

#[derive(Default, Deserialize)]
struct Function {
    #[serde(default)]
    name: Option<String>,
    /// A text by the protocol; some servers send the object itself, or null.
    #[serde(default)]
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct Tokens {
    #[serde(default, deserialize_with = "count")]
    prompt_tokens: Option<i64>,
    #[serde(default, deserialize_with = "count")]
    completion_tokens: Option<i64>,
    #[serde(default, deserialize_with = "lenient")]
    prompt_tokens_details: Option<PromptTokens>,
    #[serde(default, deserialize_with = "lenient")]
    completion_tokens_details: Option<CompletionTokens>,
}

#[derive(Deserialize)]
struct PromptTokens {
    #[serde(default, deserialize_with = "count")]
    cached_tokens: Option<i64>,
    #[serde(default, deserialize_with = "count")]
    cache_write_tokens: Option<i64>,
}

#[derive(Deserialize)]
struct CompletionTokens {
    #[serde(default, deserialize_with = "count")]
    reasoning_tokens: Option<i64>,
}

impl Reader {
    pub fn new(model: &str, pace: Arc<dyn Pace>) -> Self {
        let usage = Usage::default();
        Self { model: model.into(), pace, said: vec![], calls: vec![], usage, finish: None, refused: false }
    }

    pub const fn usage(&self) -> Usage {
        self.usage
    }

    pub fn read(&mut self, event: &sse::Event, deltas: &mut Vec<Delta>) -> Result<Progress, Failure> {
        if event.data.trim() == "[DONE]" {
            return Ok(Progress::Complete(self.complete()));
        }
        if event.name == "error" {
            let error = json::parse(&event.data).unwrap_or_else(|_| Value::String(event.data.clone()));
            return Err(Failure::from_event(&error, &self.model));
        }
        let chunk: Chunk = match json::parse(&event.data) {
            Ok(chunk) => chunk,
            Err(error) => return unknown_or_malformed(&event.data, &error),
        };
        if let Some(error) = chunk.error {
            return Err(Failure::from_event(&error, &self.model));
        }
        let mut alive = self.usage_changed(chunk.usage);
        let before = deltas.len();
        for choice in chunk.choices.unwrap_or_default() {
            if choice.index.unwrap_or_default() > 0 {
                continue;
            }
            if let Some(change) = choice.delta {
                self.change(change, deltas);
            }
            if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
                self.finish = Some(reason);
                alive = true;
            }
        }
        Ok(if alive || deltas.len() > before { Progress::Alive } else { Progress::Idle })
    }

    /// The last figures win; they are running totals, not differences.
    fn usage_changed(&mut self, tokens: Option<Tokens>) -> bool {
        let Some(tokens) = tokens else { return false };
        let before = self.usage;
        if let Some(prompt) = tokens.prompt_tokens {
            let details = tokens.prompt_tokens_details;
            let read = details.as_ref().and_then(|details| details.cached_tokens).unwrap_or_default();
            let write = details.and_then(|details| details.cache_write_tokens).unwrap_or_default();
            self.usage.cache_read_tokens = read;
            self.usage.cache_write_tokens = write;
            self.usage.input_tokens = prompt.saturating_sub(read).saturating_sub(write).max(0);
        }
        self.usage.output_tokens = tokens.completion_tokens.unwrap_or(self.usage.output_tokens);
        let reasoning = tokens.completion_tokens_details.and_then(|details| details.reasoning_tokens);
        self.usage.reasoning_tokens = reasoning.unwrap_or(self.usage.reasoning_tokens);
        before != self.usage
    }

    fn change(&mut self, change: Change, deltas: &mut Vec<Delta>) {
        for piece in [change.reasoning_content, change.reasoning].into_iter().flatten().take(1) {
            self.reasoning(without_nul(piece), deltas);
        }
        match change.content {
            Some(Content::Text(piece)) => self.text(without_nul(piece), deltas),
            Some(Content::Parts(parts)) => {
                parts.into_iter().filter_map(|part| part.text).for_each(|piece| self.text(without_nul(piece), deltas));
            }
            Some(Content::Other(_)) | None => {}
        }
        if let Some(piece) = change.refusal.filter(|piece| !piece.is_empty()) {
            self.refused = true;
            self.text(without_nul(piece), deltas);
        }
        for call in change.tool_calls.unwrap_or_default() {
            self.call(call, deltas);
        }
    }

    fn text(&mut self, piece: String, deltas: &mut Vec<Delta>) {
        if piece.is_empty() {
            return;
        }
        match self.said.last_mut() {
            Some(Said::Text(text)) => text.push_str(&piece),
            _ => self.said.push(Said::Text(piece.clone())),
        }
        deltas.push(Delta::Text(piece));
    }

    fn reasoning(&mut self, piece: String, deltas: &mut Vec<Delta>) {
        if piece.is_empty() {
            return;
        }
        match self.said.last_mut() {
            Some(Said::Reasoning(text)) => text.push_str(&piece),
            _ => self.said.push(Said::Reasoning(piece.clone())),
        }
        deltas.push(Delta::Reasoning(piece));
    }

    fn call(&mut self, change: CallChange, deltas: &mut Vec<Delta>) {
        let function = change.function.unwrap_or_default();
        let id = change.id.filter(|id| !id.is_empty());
        let name = function.name.filter(|name| !name.is_empty());
        let number = self.number(change.index, id.as_deref(), name.as_deref());
        let call = &mut self.calls[number];
        if call.id.is_empty() {
            call.id = without_nul(id.unwrap_or_default());
        }
        if call.name.is_empty() {
            call.name = without_nul(name.unwrap_or_default());
        }
        if !call.shown && !call.name.is_empty() {
            if call.id.is_empty() {
                call.id = self.pace.call_id();
            }
            call.shown = true;
            deltas.push(Delta::ToolCallStart { index: number, id: call.id.clone(), name: call.name.clone() });
            if !call.arguments.is_empty() {
                deltas.push(Delta::ToolCallArgs { index: number, json: call.arguments.clone() });
            }
        }
        let piece = match function.arguments {
            None | Some(Value::Null) => return,
            Some(Value::String(piece)) => piece,
            Some(whole) => whole.to_string(),
        };
        if piece.is_empty() {
            return;
        }
        call.arguments.push_str(&piece);
        if call.shown {
            deltas.push(Delta::ToolCallArgs { index: number, json: piece });
        }
    }

    /// Which call a change belongs to. A new id with a name begins another call even under a number that is taken: some servers number
    /// every call 0. Without a number the id decides, else the change belongs to the last call.
    fn number(&mut self, index: Option<u64>, id: Option<&str>, name: Option<&str>) -> usize {
        let begins = |call: &Call| name.is_some() && id.is_some_and(|id| !call.id.is_empty() && call.id != id);
        let known = match (index, id) {
            (Some(index), _) => self.calls.iter().rposition(|call| call.index == index),
            (None, Some(id)) => self.calls.iter().rposition(|call| call.id == id),
            (None, None) if name.is_some() => None,
            (None, None) => self.calls.len().checked_sub(1),
        };
        if let Some(number) = known.filter(|number| !begins(&self.calls[*number])) {
            return number;
        }
        let index = index.unwrap_or(self.calls.len() as u64);
        self.calls.push(Call { index, id: String::new(), name: String::new(), arguments: String::new(), shown: false });
        self.calls.len() - 1
    }

    fn complete(&mut self) -> Completion {
        let stop = match self.finish.take().as_deref() {
            Some("length") => StopReason::MaxTokens,
            Some("content_filter") => StopReason::Refusal,
            _ if self.refused => StopReason::Refusal,
            Some("tool_calls" | "function_call") => StopReason::ToolUse,
            Some("stop") | None if !self.calls.is_empty() => StopReason::ToolUse,
            Some("stop") => StopReason::EndTurn,
            Some(other) => StopReason::Other(other.to_owned()),
            None => StopReason::Other("none given".into()),
        };
        let model = &self.model;
        let said = std::mem::take(&mut self.said).into_iter().map(|said| match said {
            Said::Text(text) => Block::Text { text },
            Said::Reasoning(text) => Block::Reasoning { text, signature: None, redacted: None, model: model.clone() },
        });
        let cut = stop == StopReason::MaxTokens;
        let calls = std::mem::take(&mut self.calls);
        let last = calls.len().saturating_sub(1);
        let calls = calls.into_iter().enumerate().filter(|(_, call)| call.shown).map(|(number, call)| {
            // cut short before its arguments came, it may have lost them
            if cut && number == last && call.arguments.trim().is_empty() {
                malformed_call(call.id, call.name, call.arguments)
            } else {
                tool_call(call.id, call.name, call.arguments)
            }
        });
        Completion { blocks: said.chain(calls).collect(), usage: self.usage, stop }
    }
}

/// What has none of a chunk's fields is no chunk, and may look like anything.
fn unknown_or_malformed(data: &str, error: &serde_json::Error) -> Result<Progress, Failure> {
    match json::parse::<Value>(data) {
        Ok(Value::Object(fields)) if !["choices", "error"].iter().any(|field| fields.contains_key(*field)) => {
            Ok(Progress::Idle)
        }
        _ => Err(Failure::malformed(&error.to_string())),
    }
}
