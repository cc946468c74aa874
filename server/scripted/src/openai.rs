//! OpenAI Chat Completions: frames of an answer, and the texts of a request.

use crate::dialect::{Frame, interleaved, pieces};
use crate::script::{Action, Call, Step, Usage, UsageOn};
use serde_json::{Value, json};

pub(crate) struct Encoder {
    model: String,
    usage: Usage,
    usage_on: UsageOn,
    stop: Option<String>,
    calls: usize,
}

impl Encoder {
    pub fn new(model: &str, step: &Step) -> Self {
        Self { model: model.into(), usage: step.usage, usage_on: step.usage_on, stop: step.stop.clone(), calls: 0 }
    }

    pub fn start(&mut self) -> Vec<Frame> {
        vec![self.delta(&json!({"role": "assistant", "content": ""}))]
    }

    pub fn action(&mut self, action: &Action) -> Vec<Frame> {
        match action {
            Action::Text { text, chunk } => {
                pieces(text, *chunk).iter().map(|piece| self.delta(&json!({"content": piece}))).collect()
            }
            Action::Reasoning { text, chunk, .. } => {
                pieces(text, *chunk).iter().map(|piece| self.delta(&json!({"reasoning_content": piece}))).collect()
            }
            Action::Tools { calls, chunk } => self.tools(calls, *chunk),
            Action::Usage { input, output } => {
                vec![self.chunk(&json!([]), &json!({"prompt_tokens": input, "completion_tokens": output}))]
            }
            Action::Ping => vec![Frame::comment("ping")],
            Action::Event { name, data } => vec![Frame { name: name.clone(), data: data.to_string(), comment: false }],
            Action::Error { kind, message } => {
                vec![Frame::data(json!({"error": {"type": kind, "message": message, "code": null}}))]
            }
            _ => vec![],
        }
    }

    pub fn text_delta(&self, text: &str) -> Frame {
        self.delta(&json!({"content": text}))
    }

    pub fn finish(&mut self) -> Vec<Frame> {
        let reason = self.stop.clone().unwrap_or_else(|| if self.calls > 0 { "tool_calls" } else { "stop" }.into());
        let usage = json!({
            "prompt_tokens": self.usage.input + self.usage.cache_read + self.usage.cache_write,
            "completion_tokens": self.usage.output,
            "total_tokens": self.usage.input + self.usage.cache_read + self.usage.cache_write + self.usage.output,
            "prompt_tokens_details": {"cached_tokens": self.usage.cache_read, "cache_write_tokens": self.usage.cache_write},
            "completion_tokens_details": {"reasoning_tokens": self.usage.reasoning},
        });
        let choices = json!([{"index": 0, "delta": {}, "finish_reason": reason}]);
        let (on_finish, tail) = match self.usage_on {
            UsageOn::Tail => (Value::Null, 1),
            UsageOn::Finish => (usage.clone(), 0),
            UsageOn::Repeated => (usage.clone(), 2),
            UsageOn::Never => (Value::Null, 0),
        };
        let mut frames = vec![self.chunk(&choices, &on_finish)];
        frames.extend((0..tail).map(|_| self.chunk(&json!([]), &usage)));
        frames
    }

    fn tools(&mut self, calls: &[Call], chunk: Option<usize>) -> Vec<Frame> {
        let first = self.calls;
        self.calls += calls.len();
        let mut frames: Vec<Frame> = calls
            .iter()
            .enumerate()
            .map(|(number, call)| {
                let mut function = json!({"name": call.name});
                if call.null {
                    function["arguments"] = Value::Null;
                } else if call.arguments().is_some() {
                    function["arguments"] = json!("");
                }
                self.delta(&json!({"tool_calls": [{"index": first + number, "id": call.id, "type": "function", "function": function}]}))
            })
            .collect();
        let texts: Vec<Vec<String>> =
            calls.iter().map(|call| call.arguments().map(|text| pieces(&text, chunk)).unwrap_or_default()).collect();
        for (number, piece) in interleaved(&texts) {
            frames.push(
                self.delta(&json!({"tool_calls": [{"index": first + number, "function": {"arguments": piece}}]})),
            );
        }
        frames
    }

    fn delta(&self, delta: &Value) -> Frame {
        self.chunk(&json!([{"index": 0, "delta": delta, "finish_reason": null}]), &Value::Null)
    }

    fn chunk(&self, choices: &Value, usage: &Value) -> Frame {
        Frame::data(json!({
            "id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": self.model,
            "choices": choices, "usage": usage,
        }))
    }
}

/// The last text of the person, and the last tool result if the request ends with one.
pub(crate) fn last_texts(body: &Value) -> (String, Option<String>) {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let user = messages.iter().rev().find(|message| message["role"] == "user").map(|message| text(&message["content"]));
    let result = messages.last().filter(|message| message["role"] == "tool").map(|message| text(&message["content"]));
    (user.unwrap_or_default(), result)
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().rev().find_map(|part| part["text"].as_str()).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}
