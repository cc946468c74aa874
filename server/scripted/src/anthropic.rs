//! Anthropic Messages: frames of an answer, and the texts of a request.

use crate::dialect::{Frame, interleaved, pieces};
use crate::script::{Action, Call, Step, Usage};
use serde_json::{Value, json};

pub(crate) struct Encoder {
    model: String,
    usage: Usage,
    stop: Option<String>,
    next_index: usize,
    called: bool,
}

impl Encoder {
    pub fn new(model: &str, step: &Step) -> Self {
        Self { model: model.into(), usage: step.usage, stop: step.stop.clone(), next_index: 0, called: false }
    }

    pub fn start(&mut self) -> Vec<Frame> {
        let usage = json!({
            "input_tokens": self.usage.input, "output_tokens": 1,
            "cache_read_input_tokens": self.usage.cache_read, "cache_creation_input_tokens": self.usage.cache_write,
        });
        let message = json!({
            "id": "msg_scripted", "type": "message", "role": "assistant", "model": self.model, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": usage,
        });
        vec![Frame::named("message_start", &json!({"type": "message_start", "message": message}))]
    }

    pub fn action(&mut self, action: &Action) -> Vec<Frame> {
        match action {
            Action::Text { text, chunk } => {
                let deltas = pieces(text, *chunk).into_iter().map(|text| json!({"type": "text_delta", "text": text}));
                self.block(&json!({"type": "text", "text": ""}), deltas.collect())
            }
            Action::Reasoning { text, chunk, signature } => {
                let mut deltas: Vec<Value> = pieces(text, *chunk)
                    .into_iter()
                    .map(|text| json!({"type": "thinking_delta", "thinking": text}))
                    .collect();
                if let Some(signature) = signature {
                    let half = signature.chars().count().div_ceil(2);
                    deltas.extend(
                        pieces(signature, Some(half))
                            .into_iter()
                            .map(|half| json!({"type": "signature_delta", "signature": half})),
                    );
                }
                self.block(&json!({"type": "thinking", "thinking": "", "signature": ""}), deltas)
            }
            Action::Redacted { data } => self.block(&json!({"type": "redacted_thinking", "data": data}), vec![]),
            Action::Tools { calls, chunk } => self.tools(calls, *chunk),
            Action::Usage { input, output } => {
                let usage = json!({"input_tokens": input, "output_tokens": output});
                vec![Frame::named("message_delta", &json!({"type": "message_delta", "delta": {}, "usage": usage}))]
            }
            Action::Ping => vec![Frame::named("ping", &json!({"type": "ping"}))],
            Action::Event { name, data } => vec![Frame { name: name.clone(), data: data.to_string(), comment: false }],
            Action::Error { kind, message } => {
                vec![Frame::named("error", &json!({"type": "error", "error": {"type": kind, "message": message}}))]
            }
            _ => vec![],
        }
    }

    pub fn open_text(&mut self) -> Vec<Frame> {
        vec![block_start(self.next_index, &json!({"type": "text", "text": ""}))]
    }

    pub fn text_delta(&self, text: &str) -> Frame {
        block_delta(self.next_index, &json!({"type": "text_delta", "text": text}))
    }

    pub fn close_text(&mut self) -> Vec<Frame> {
        self.next_index += 1;
        vec![block_stop(self.next_index - 1)]
    }

    pub fn finish(&mut self) -> Vec<Frame> {
        let stop = self.stop.clone().unwrap_or_else(|| if self.called { "tool_use" } else { "end_turn" }.into());
        let usage = json!({"output_tokens": self.usage.output});
        let delta = json!({"stop_reason": stop, "stop_sequence": null});
        vec![Frame::named("message_delta", &json!({"type": "message_delta", "delta": delta, "usage": usage}))]
    }

    fn block(&mut self, start: &Value, deltas: Vec<Value>) -> Vec<Frame> {
        let index = self.next_index;
        self.next_index += 1;
        let mut frames = vec![block_start(index, start)];
        frames.extend(deltas.into_iter().map(|delta| block_delta(index, &delta)));
        frames.push(block_stop(index));
        frames
    }

    fn tools(&mut self, calls: &[Call], chunk: Option<usize>) -> Vec<Frame> {
        self.called = true;
        let first = self.next_index;
        self.next_index += calls.len();
        let mut frames: Vec<Frame> = calls
            .iter()
            .enumerate()
            .map(|(number, call)| {
                block_start(first + number, &json!({"type": "tool_use", "id": call.id, "name": call.name, "input": {}}))
            })
            .collect();
        let texts: Vec<Vec<String>> =
            calls.iter().map(|call| call.arguments().map(|text| pieces(&text, chunk)).unwrap_or_default()).collect();
        for (number, piece) in interleaved(&texts) {
            frames.push(block_delta(first + number, &json!({"type": "input_json_delta", "partial_json": piece})));
        }
        frames.extend((0..calls.len()).map(|number| block_stop(first + number)));
        frames
    }
}

fn block_start(index: usize, block: &Value) -> Frame {
    Frame::named("content_block_start", &json!({"type": "content_block_start", "index": index, "content_block": block}))
}

fn block_delta(index: usize, delta: &Value) -> Frame {
    Frame::named("content_block_delta", &json!({"type": "content_block_delta", "index": index, "delta": delta}))
}

fn block_stop(index: usize) -> Frame {
    Frame::named("content_block_stop", &json!({"type": "content_block_stop", "index": index}))
}

/// The last text of the person, and the last tool result if the request ends with one.
pub(crate) fn last_texts(body: &Value) -> (String, Option<String>) {
    let blocks = |message: &Value| match &message["content"] {
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        Value::Array(blocks) => blocks.clone(),
        _ => vec![],
    };
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let user = messages.iter().rev().filter(|message| message["role"] == "user").find_map(|message| {
        blocks(message).iter().rev().find(|block| block["type"] == "text").map(|block| text(&block["text"]))
    });
    let result = messages.last().and_then(|message| {
        let last = blocks(message).into_iter().next_back()?;
        (last["type"] == "tool_result").then(|| text(&last["content"]))
    });
    (user.unwrap_or_default(), result)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
