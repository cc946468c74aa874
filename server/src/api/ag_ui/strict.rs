//! Makes of a turn's part of the log a stream that a strict AG-UI client accepts: begins with `RUN_STARTED`, every start has its end, no
//! empty delta, nothing after the end, and of each event the fields that the protocol knows.

use serde_json::{Map, Value, json};
use uuid::Uuid;
use wire::error::Problem;

pub struct Strict {
    thread_id: String,
    run_id: String,
    stage: Stage,
    /// What was started and not ended, with the event that ends it.
    open: Vec<(Kind, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Before,
    Running,
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Reasoning,
    ReasoningMessage,
    Tool,
}

impl Kind {
    const fn end(self) -> (&'static str, &'static str) {
        match self {
            Kind::Text => ("TEXT_MESSAGE_END", "messageId"),
            Kind::Reasoning => ("REASONING_END", "messageId"),
            Kind::ReasoningMessage => ("REASONING_MESSAGE_END", "messageId"),
            Kind::Tool => ("TOOL_CALL_END", "toolCallId"),
        }
    }
}

/// A run that never began: its start and its error.
pub fn failed(thread_id: &str, run_id: &str, problem: &Problem) -> [Value; 2] {
    [
        json!({"type": "RUN_STARTED", "threadId": thread_id, "runId": run_id}),
        json!({"type": "RUN_ERROR", "message": problem.detail, "code": problem.code}),
    ]
}

impl Strict {
    pub fn new(chat_id: Uuid, turn_id: Uuid) -> Strict {
        let (thread_id, run_id) = (chat_id.to_string(), turn_id.to_string());
        Strict { thread_id, run_id, stage: Stage::Before, open: Vec::new() }
    }

    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// The log ended without an end of the run: it was withdrawn, or the server is about to end.
    pub fn cut_off(&mut self) -> Vec<Value> {
        let mut said = self.begin();
        self.finish(
            &mut said,
            json!({"type": "RUN_ERROR", "message": "The run was withdrawn or cut off.", "code": "cut_off"}),
        );
        said
    }

    /// What to say for one event of the log.
    pub fn take(&mut self, event: &str) -> Vec<Value> {
        let mut said = Vec::new();
        if self.stage == Stage::Over {
            return said;
        }
        let Ok(Value::Object(event)) = serde_json::from_str(event) else { return said };
        let kind = text(&event, "type").to_owned();
        if self.stage == Stage::Before && kind == "CUSTOM" {
            return said;
        }
        said.extend(self.begin());
        match kind.as_str() {
            "TEXT_MESSAGE_START" => {
                let id = text(&event, "messageId");
                self.start(&mut said, Kind::Text, id, json!({"type": kind, "messageId": id, "role": "assistant"}));
            }
            "TEXT_MESSAGE_CONTENT" => self.grow(&mut said, Kind::Text, text(&event, "messageId"), &kind, &event),
            "TEXT_MESSAGE_END" => self.end(&mut said, Kind::Text, text(&event, "messageId")),
            "REASONING_START" => {
                let id = thought(&event);
                self.start(&mut said, Kind::Reasoning, &id, json!({"type": kind, "messageId": id}));
            }
            "REASONING_MESSAGE_START" => {
                let id = thought(&event);
                let start = json!({"type": kind, "messageId": id, "role": "reasoning"});
                self.start(&mut said, Kind::ReasoningMessage, &id, start);
            }
            "REASONING_MESSAGE_CONTENT" => {
                self.grow(&mut said, Kind::ReasoningMessage, &thought(&event), &kind, &event);
            }
            "REASONING_MESSAGE_END" => self.end(&mut said, Kind::ReasoningMessage, &thought(&event)),
            "REASONING_END" => self.end(&mut said, Kind::Reasoning, &thought(&event)),
            "TOOL_CALL_START" => {
                let id = text(&event, "toolCallId");
                let (name, parent) = (text(&event, "toolCallName"), text(&event, "parentMessageId"));
                let start = json!({"type": kind, "toolCallId": id, "toolCallName": name, "parentMessageId": parent});
                self.start(&mut said, Kind::Tool, id, start);
            }
            "TOOL_CALL_ARGS" => self.grow(&mut said, Kind::Tool, text(&event, "toolCallId"), &kind, &event),
            "TOOL_CALL_END" => self.end(&mut said, Kind::Tool, text(&event, "toolCallId")),
            "TOOL_CALL_RESULT" => {
                let (message, call) = (text(&event, "messageId"), text(&event, "toolCallId"));
                self.end(&mut said, Kind::Tool, call);
                let content = text(&event, "content");
                // a result is a message of its own there
                said.push(json!({"type": kind, "messageId": format!("{message}-{call}"), "toolCallId": call, "role": "tool", "content": content}));
            }
            "CUSTOM" => self.custom(&mut said, &event),
            "RUN_FINISHED" => {
                let result = event.get("result").cloned().unwrap_or_default();
                let outcome = if result["state"] == "completed" { "success" } else { "cancelled" };
                let finished = self.finished(&result, &json!({"type": outcome}));
                self.finish(&mut said, finished);
            }
            "RUN_ERROR" => {
                let (message, code) = (text(&event, "message"), text(&event, "code"));
                self.finish(&mut said, json!({"type": kind, "message": message, "code": code}));
            }
            // snapshots and what is not known here are not the run's
            _ => {}
        }
        said
    }

    fn begin(&mut self) -> Vec<Value> {
        if self.stage != Stage::Before {
            return Vec::new();
        }
        self.stage = Stage::Running;
        vec![json!({"type": "RUN_STARTED", "threadId": self.thread_id, "runId": self.run_id})]
    }

    fn start(&mut self, said: &mut Vec<Value>, kind: Kind, id: &str, event: Value) {
        // a step that runs again starts what it had not ended
        self.end(said, kind, id);
        self.open.push((kind, id.to_owned()));
        said.push(event);
    }

    fn grow(&self, said: &mut Vec<Value>, kind: Kind, id: &str, name: &str, event: &Map<String, Value>) {
        let delta = text(event, "delta");
        if !delta.is_empty() && self.open.iter().any(|(other, open)| *other == kind && open == id) {
            said.push(json!({"type": name, kind.end().1: id, "delta": delta}));
        }
    }

    fn end(&mut self, said: &mut Vec<Value>, kind: Kind, id: &str) {
        if let Some(place) = self.open.iter().position(|(other, open)| *other == kind && open == id) {
            self.open.remove(place);
            let (name, field) = kind.end();
            said.push(json!({"type": name, field: id}));
        }
    }

    fn custom(&mut self, said: &mut Vec<Value>, event: &Map<String, Value>) {
        let value = event.get("value").cloned().unwrap_or_default();
        let name = text(event, "name");
        said.push(json!({"type": "CUSTOM", "name": name, "value": value}));
        if name == "pause" && value["state"] == "open" {
            let asked = json!({
                "id": value["id"],
                "reason": value["kind"],
                "expiresAt": value["expires_at"],
                "metadata": {"questions": value["questions"], "plan": value["plan"], "call": value["call"]},
            });
            let finished = self.finished(&Value::Null, &json!({"type": "interrupt", "interrupts": [asked]}));
            self.finish(said, finished);
        }
    }

    fn finished(&self, result: &Value, outcome: &Value) -> Value {
        json!({"type": "RUN_FINISHED", "threadId": self.thread_id, "runId": self.run_id, "result": result, "outcome": outcome})
    }

    fn finish(&mut self, said: &mut Vec<Value>, last: Value) {
        for (kind, id) in std::mem::take(&mut self.open).into_iter().rev() {
            let (name, field) = kind.end();
            said.push(json!({"type": name, field: id}));
        }
        said.push(last);
        self.stage = Stage::Over;
    }
}

fn text<'a>(event: &'a Map<String, Value>, field: &str) -> &'a str {
    event.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Reasoning is a message of its own there, and ours is a part of the answer.
fn thought(event: &Map<String, Value>) -> String {
    format!("{}-{}", text(event, "messageId"), text(event, "partId"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(events: &[Value]) -> Vec<String> {
        let mut strict = Strict::new(Uuid::nil(), Uuid::nil());
        let mut all: Vec<Value> = events.iter().flat_map(|event| strict.take(&event.to_string())).collect();
        if !strict.is_over() {
            all.extend(strict.cut_off());
        }
        all.iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn what_was_started_is_ended_before_the_run_is() {
        let start = json!({"type": "TEXT_MESSAGE_START", "messageId": "m", "partId": "p1", "role": "assistant"});
        let content = json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "partId": "p1", "delta": "x"});
        let events = [
            json!({"type": "CUSTOM", "name": "turn", "value": {}}),
            json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}),
            start.clone(),
            content.clone(),
            json!({"type": "CUSTOM", "name": "restarted", "value": {"part_id": "p1"}}),
            json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}),
            start,
            content,
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "partId": "p1", "delta": ""}),
            json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "Read", "parentMessageId": "m"}),
            json!({"type": "RUN_ERROR", "message": "m", "code": "c"}),
            json!({"type": "RUN_FINISHED"}),
        ];
        assert_eq!(
            told(&events),
            [
                "RUN_STARTED",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT",
                "CUSTOM",
                "TEXT_MESSAGE_END",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT",
                "TOOL_CALL_START",
                "TOOL_CALL_END",
                "TEXT_MESSAGE_END",
                "RUN_ERROR"
            ]
        );
    }

    #[test]
    fn a_pause_ends_the_stream_with_what_is_asked() {
        let mut strict = Strict::new(Uuid::nil(), Uuid::nil());
        strict.take(&json!({"type": "RUN_STARTED"}).to_string());
        let pause = json!({"id": "p", "kind": "question", "state": "open", "expires_at": "2026-01-01T00:00:00Z"});
        let said = strict.take(&json!({"type": "CUSTOM", "name": "pause", "value": pause}).to_string());
        assert_eq!(said[1]["outcome"]["type"], "interrupt");
        assert_eq!(said[1]["outcome"]["interrupts"][0]["id"], "p");
        assert!(strict.is_over());
    }

    #[test]
    fn a_log_that_ends_early_is_an_error_and_never_silence() {
        assert_eq!(told(&[]), ["RUN_STARTED", "RUN_ERROR"]);
    }
}
