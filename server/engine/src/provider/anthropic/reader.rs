use crate::provider::arguments::{malformed_call, tool_call};
use crate::provider::failure::Failure;
use crate::provider::json::{self, without_nul};
use crate::provider::reader::{Progress, count};
use crate::provider::sse;
use crate::provider::{Block, Completion, Delta, StopReason, Usage};
use serde::Deserialize;
use serde_json::Value;

/// Folds the events of one answer. Blocks are told apart by their index, so their deltas may alternate.
pub(in crate::provider) struct Reader {
    model: String,
    blocks: Vec<Building>,
    calls: usize,
    usage: Usage,
    stop: Option<String>,
}

struct Building {
    index: u64,
    content: Content,
}

enum Content {
    Text(String),
    Thinking {
        text: String,
        signature: String,
    },
    Redacted(String),
    Tool {
        number: usize,
        id: String,
        name: String,
        arguments: String,
    },
    /// Of a kind that we do not know.
    Unknown,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    index: Option<u64>,
    message: Option<Message>,
    content_block: Option<Start>,
    delta: Option<Change>,
    usage: Option<Tokens>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type", default)]
    kind: String,
}

#[derive(Deserialize)]
struct Message {
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct Start {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    thinking: Option<String>,
    signature: Option<String>,
    data: Option<String>,
    id: Option<String>,
    name: Option<String>,
    input: Option<Value>,
}

#[derive(Deserialize)]
struct Change {
    text: Option<String>,
    thinking: Option<String>,
    signature: Option<String>,
    partial_json: Option<String>,
    stop_reason: Option<String>,
}

/// Running totals; what is null or absent is not told and changes nothing.
#[derive(Deserialize)]
struct Tokens {
    #[serde(default, deserialize_with = "count")]
    input_tokens: Option<i64>,
    #[serde(default, deserialize_with = "count")]
    output_tokens: Option<i64>,
    #[serde(default, deserialize_with = "count")]
    cache_read_input_tokens: Option<i64>,
    #[serde(default, deserialize_with = "count")]
    cache_creation_input_tokens: Option<i64>,
}

impl Reader {
    pub fn new(model: &str) -> Self {
        Self { model: model.into(), blocks: vec![], calls: 0, usage: Usage::default(), stop: None }
    }

    pub const fn usage(&self) -> Usage {
        self.usage
    }

    pub fn read(&mut self, event: &sse::Event, deltas: &mut Vec<Delta>) -> Result<Progress, Failure> {
        let parsed: Event = match json::parse(&event.data) {
            Ok(parsed) => parsed,
            Err(error) => return unknown_or_malformed(event, &error),
        };
        let kind = if parsed.kind.is_empty() { event.name.as_str() } else { parsed.kind.as_str() };
        match kind {
            "message_start" => {
                self.count(parsed.message.and_then(|message| message.usage));
                Ok(Progress::Alive)
            }
            "content_block_start" => {
                if let Some(start) = parsed.content_block {
                    self.start(parsed.index.unwrap_or_default(), start, deltas);
                }
                Ok(Progress::Alive)
            }
            "content_block_delta" => {
                let before = deltas.len();
                let signed =
                    parsed.delta.is_some_and(|change| self.change(parsed.index.unwrap_or_default(), change, deltas));
                Ok(if signed || deltas.len() > before { Progress::Alive } else { Progress::Idle })
            }
            "content_block_stop" => Ok(Progress::Alive),
            "message_delta" => {
                self.count(parsed.usage);
                if let Some(stop) = parsed.delta.and_then(|change| change.stop_reason) {
                    self.stop = Some(stop);
                }
                Ok(Progress::Alive)
            }
            "message_stop" => Ok(Progress::Complete(self.complete())),
            "error" => Err(Failure::from_event(&parsed.error.unwrap_or_default(), &self.model)),
            _ => Ok(Progress::Idle),
        }
    }

    fn count(&mut self, tokens: Option<Tokens>) {
        let Some(tokens) = tokens else { return };
        let usage = &mut self.usage;
        usage.input_tokens = tokens.input_tokens.unwrap_or(usage.input_tokens);
        usage.output_tokens = tokens.output_tokens.unwrap_or(usage.output_tokens);
        usage.cache_read_tokens = tokens.cache_read_input_tokens.unwrap_or(usage.cache_read_tokens);
        usage.cache_write_tokens = tokens.cache_creation_input_tokens.unwrap_or(usage.cache_write_tokens);
    }

    fn start(&mut self, index: u64, start: Start, deltas: &mut Vec<Delta>) {
        let content = match start.kind.as_str() {
            "text" => Content::Text(show(start.text, Delta::Text, deltas)),
            "thinking" => Content::Thinking {
                text: show(start.thinking, Delta::Reasoning, deltas),
                signature: start.signature.unwrap_or_default(),
            },
            "redacted_thinking" => Content::Redacted(start.data.unwrap_or_default()),
            "tool_use" => {
                let number = self.calls;
                self.calls += 1;
                let id = without_nul(start.id.unwrap_or_default());
                let name = without_nul(start.name.unwrap_or_default());
                deltas.push(Delta::ToolCallStart { index: number, id: id.clone(), name: name.clone() });
                // some servers send the arguments whole, here
                let whole = start.input.filter(|input| input.as_object().is_some_and(|fields| !fields.is_empty()));
                let arguments = whole.map(|input| input.to_string()).unwrap_or_default();
                if !arguments.is_empty() {
                    deltas.push(Delta::ToolCallArgs { index: number, json: arguments.clone() });
                }
                Content::Tool { number, id, name, arguments }
            }
            _ => Content::Unknown,
        };
        self.blocks.push(Building { index, content });
    }

    /// Whether a signature grew: that is life, too, but nothing to show.
    fn change(&mut self, index: u64, change: Change, deltas: &mut Vec<Delta>) -> bool {
        if !self.blocks.iter().any(|block| block.index == index) && change.text.is_some() {
            self.blocks.push(Building { index, content: Content::Text(String::new()) });
        }
        let Some(block) = self.blocks.iter_mut().rev().find(|block| block.index == index) else { return false };
        match &mut block.content {
            Content::Text(text) => text.push_str(&show(change.text, Delta::Text, deltas)),
            Content::Thinking { text, signature } => {
                text.push_str(&show(change.thinking, Delta::Reasoning, deltas));
                if let Some(more) = change.signature {
                    signature.push_str(&more);
                    return true;
                }
            }
            Content::Tool { number, arguments, .. } => {
                if let Some(json) = change.partial_json.filter(|json| !json.is_empty()) {
                    arguments.push_str(&json);
                    deltas.push(Delta::ToolCallArgs { index: *number, json });
                }
            }
            Content::Redacted(_) | Content::Unknown => {}
        }
        false
    }

    fn complete(&mut self) -> Completion {
        let stop = match self.stop.take().as_deref() {
            Some("end_turn" | "stop_sequence") => StopReason::EndTurn,
            Some("tool_use") => StopReason::ToolUse,
            Some("max_tokens" | "model_context_window_exceeded") => StopReason::MaxTokens,
            Some("refusal") => StopReason::Refusal,
            Some(other) => StopReason::Other(other.to_owned()),
            None if self.calls > 0 => StopReason::ToolUse,
            None => StopReason::Other("none given".into()),
        };
        let last_call = self.calls.checked_sub(1).filter(|_| stop == StopReason::MaxTokens);
        let model = &self.model;
        let blocks = std::mem::take(&mut self.blocks);
        let blocks = blocks.into_iter().filter_map(|block| finish(block.content, model, last_call)).collect();
        Completion { blocks, usage: self.usage, stop }
    }
}

/// `cut_call` is the number of the call at which the answer was cut short: without arguments it may have lost them.
fn finish(content: Content, model: &str, cut_call: Option<usize>) -> Option<Block> {
    let model = model.to_owned();
    match content {
        Content::Text(text) if text.is_empty() => None,
        Content::Text(text) => Some(Block::Text { text }),
        Content::Thinking { text, signature } if text.is_empty() && signature.is_empty() => None,
        Content::Thinking { text, signature } => {
            let signature = Some(signature).filter(|signature| !signature.is_empty());
            Some(Block::Reasoning { text, signature, redacted: None, model })
        }
        Content::Redacted(data) => {
            Some(Block::Reasoning { text: String::new(), signature: None, redacted: Some(data), model })
        }
        Content::Tool { number, id, name, arguments } if cut_call == Some(number) && arguments.trim().is_empty() => {
            Some(malformed_call(id, name, arguments))
        }
        Content::Tool { id, name, arguments, .. } => Some(tool_call(id, name, arguments)),
        Content::Unknown => None,
    }
}

/// Shows a piece, unless it is empty, and gives it back.
fn show(piece: Option<String>, delta: fn(String) -> Delta, deltas: &mut Vec<Delta>) -> String {
    let piece = without_nul(piece.unwrap_or_default());
    if !piece.is_empty() {
        deltas.push(delta(piece.clone()));
    }
    piece
}

/// An event of a kind that we do not know may look like anything.
fn unknown_or_malformed(event: &sse::Event, error: &serde_json::Error) -> Result<Progress, Failure> {
    let known = [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "error",
    ];
    let kind = json::parse(&event.data).map_or_else(|_| event.name.clone(), |Kind { kind }| kind);
    if kind.is_empty() || known.contains(&kind.as_str()) {
        Err(Failure::malformed(&error.to_string()))
    } else {
        Ok(Progress::Idle)
    }
}
