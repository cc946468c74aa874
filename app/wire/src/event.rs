//! Events of a chat's log, by the names of AG-UI, and the notices of the one stream that a browser tab keeps open.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::chat::{Chat, LastLine};
use crate::diff::Diff;
use crate::message::{Changes, Message, ToolState};
use crate::tool::TodoItem;
use crate::turn::{Pause, Turn, TurnState, Usage};

/// One event of the log with its number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbered {
    pub seq: i64,
    pub event: Event,
}

/// Unknown types and fields are passed over, so that an older page goes on working with a newer server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum Event {
    /// A turn starts; `message_id` is the agent's message that grows with it.
    RunStarted {
        thread_id: Uuid,
        run_id: Uuid,
        message_id: Uuid,
    },
    TextMessageStart {
        message_id: Uuid,
        part_id: String,
        role: String,
    },
    TextMessageContent {
        message_id: Uuid,
        part_id: String,
        delta: String,
    },
    TextMessageEnd {
        message_id: Uuid,
        part_id: String,
    },
    ReasoningStart {
        message_id: Uuid,
        part_id: String,
    },
    ReasoningMessageStart {
        message_id: Uuid,
        part_id: String,
        role: String,
    },
    ReasoningMessageContent {
        message_id: Uuid,
        part_id: String,
        delta: String,
    },
    ReasoningMessageEnd {
        message_id: Uuid,
        part_id: String,
    },
    ReasoningEnd {
        message_id: Uuid,
        part_id: String,
    },
    ToolCallStart {
        tool_call_id: String,
        tool_call_name: String,
        parent_message_id: Uuid,
    },
    ToolCallArgs {
        tool_call_id: String,
        delta: String,
    },
    /// The arguments are whole; `label` and `input` are what the card shows, `started_at` when the tool began.
    ToolCallEnd {
        tool_call_id: String,
        #[serde(default)]
        label: String,
        #[serde(default)]
        input: Value,
        #[serde(default, with = "time::serde::rfc3339::option")]
        started_at: Option<OffsetDateTime>,
    },
    ToolCallResult {
        message_id: Uuid,
        tool_call_id: String,
        role: String,
        content: String,
        state: ToolState,
        #[serde(default)]
        truncated: bool,
        #[serde(default)]
        diff: Option<Diff>,
        #[serde(default, with = "time::serde::rfc3339::option")]
        ended_at: Option<OffsetDateTime>,
    },
    RunFinished {
        thread_id: Uuid,
        run_id: Uuid,
        result: RunResult,
    },
    RunError {
        thread_id: Uuid,
        run_id: Uuid,
        message: String,
        code: String,
        result: RunResult,
    },
    MessagesSnapshot {
        messages: Value,
    },
    StateSnapshot {
        snapshot: Value,
    },
    Custom {
        name: String,
        value: Value,
    },
    #[serde(other)]
    Unknown,
}

/// How a turn ended, with what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    pub state: TurnState,
    pub usage: Usage,
}

/// The payloads of `CUSTOM` events, by their names.
#[derive(Clone, Debug, PartialEq)]
pub enum Custom {
    /// A turn as it stands: queued, started, paused, over.
    Turn(Box<Turn>),
    /// A turn was withdrawn before it ran; its message is gone with it.
    Withdrawn {
        turn_id: Uuid,
        message_id: Uuid,
    },
    /// A message that is new or was changed as a whole; never one that streams.
    Message(Box<Message>),
    /// The chat itself: name, description, agents, end.
    Chat(Box<Chat>),
    /// Whether a stop holds the queue.
    Held(bool),
    /// The last line of a thread, once the message that it is of has settled.
    Preview {
        thread_id: Option<Uuid>,
        last: LastLine,
    },
    Reconcile {
        message_id: Uuid,
        changes: Changes,
    },
    Pause(Option<Box<Pause>>),
    Todo {
        tool_call_id: String,
        items: Vec<TodoItem>,
    },
    Call(Value),
    Banner(Banner),
    Usage {
        turn_id: Uuid,
        usage: Usage,
    },
    /// The text of this part so far is void; the step runs again.
    Restarted {
        part_id: String,
    },
    Attached {
        mode: Mode,
        seq: i64,
    },
    Heartbeat,
}

/// Something about the surroundings that the person should know and can mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Banner {
    /// Stable: `no_model`, `provider_down`, `provider_key`, `waiting`, `sandbox_missing`, …
    pub code: String,
    pub text: String,
    /// What to do, where it is more than the text says.
    pub href: Option<String>,
    /// It is bad enough to interrupt.
    pub alert: bool,
}

impl Banner {
    /// Whether a turn that ended so shows that the banner is no longer true.
    #[must_use]
    pub fn is_past(&self, ended: TurnState) -> bool {
        self.code == "waiting" || (self.alert && ended == TurnState::Completed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Replay,
    Snapshot,
    Closed,
}

impl From<Custom> for Event {
    fn from(custom: Custom) -> Event {
        let (name, value) = match custom {
            Custom::Turn(turn) => ("turn", to_value(&turn)),
            Custom::Withdrawn { turn_id, message_id } => {
                ("withdrawn", json!({"turn_id": turn_id, "message_id": message_id}))
            }
            Custom::Message(message) => ("message", to_value(&message)),
            Custom::Chat(chat) => ("chat", to_value(&chat)),
            Custom::Held(held) => ("held", json!(held)),
            Custom::Preview { thread_id, last } => ("preview", json!({"thread_id": thread_id, "last": last})),
            Custom::Reconcile { message_id, changes } => {
                ("reconcile", json!({"message_id": message_id, "changes": changes}))
            }
            Custom::Pause(pause) => ("pause", to_value(&pause)),
            Custom::Todo { tool_call_id, items } => ("todo", json!({"tool_call_id": tool_call_id, "items": items})),
            Custom::Call(value) => ("call", value),
            Custom::Banner(banner) => ("banner", to_value(&banner)),
            Custom::Usage { turn_id, usage } => ("usage", json!({"turn_id": turn_id, "usage": usage})),
            Custom::Restarted { part_id } => ("restarted", json!({"part_id": part_id})),
            Custom::Attached { mode, seq } => ("attached", json!({"mode": mode, "seq": seq})),
            Custom::Heartbeat => ("heartbeat", Value::Null),
        };
        Event::Custom { name: name.to_owned(), value }
    }
}

impl Custom {
    /// Reads the payload of a `CUSTOM` event; nothing for a name or shape that is not known here.
    #[must_use]
    pub fn parse(name: &str, value: &Value) -> Option<Custom> {
        let field = |key: &str| value.get(key).cloned().unwrap_or(Value::Null);
        Some(match name {
            "turn" => Custom::Turn(from_value(value.clone())?),
            "withdrawn" => Custom::Withdrawn {
                turn_id: from_value(field("turn_id"))?,
                message_id: from_value(field("message_id"))?,
            },
            "message" => Custom::Message(from_value(value.clone())?),
            "chat" => Custom::Chat(from_value(value.clone())?),
            "held" => Custom::Held(value.as_bool()?),
            "preview" => {
                Custom::Preview { thread_id: from_value(field("thread_id"))?, last: from_value(field("last"))? }
            }
            "reconcile" => Custom::Reconcile {
                message_id: from_value(field("message_id"))?,
                changes: from_value(field("changes"))?,
            },
            "pause" => Custom::Pause(from_value(value.clone())?),
            "todo" => {
                Custom::Todo { tool_call_id: from_value(field("tool_call_id"))?, items: from_value(field("items"))? }
            }
            "call" => Custom::Call(value.clone()),
            "banner" => Custom::Banner(from_value(value.clone())?),
            "usage" => Custom::Usage { turn_id: from_value(field("turn_id"))?, usage: from_value(field("usage"))? },
            "restarted" => Custom::Restarted { part_id: from_value(field("part_id"))? },
            "attached" => Custom::Attached { mode: from_value(field("mode"))?, seq: from_value(field("seq"))? },
            "heartbeat" => Custom::Heartbeat,
            _ => return None,
        })
    }
}

fn to_value<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

fn from_value<T: serde::de::DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

/// One line of the tab's stream: that something changed, never what it says. Who reads it fetches what it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Notice {
    /// `record`, `project`, `chat`, `turn`, `message`, `proposal`, `member`, …
    pub topic: String,
    pub id: Uuid,
    /// `created`, `saved`, `ended`, `queued`, `settled`, …
    pub kind: String,
    pub project_id: Option<Uuid>,
    /// The record that it concerns: the record itself, or the one that the chat is anchored to.
    pub record_id: Option<Uuid>,
    pub chat_id: Option<Uuid>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_carry_the_names_of_ag_ui() {
        let id = Uuid::nil();
        let event = Event::TextMessageContent { message_id: id, part_id: "p1".into(), delta: "a\r\nb".into() };
        let value = serde_json::to_value(&event).unwrap();
        assert_eq!(value["type"], "TEXT_MESSAGE_CONTENT");
        assert_eq!(value["messageId"], id.to_string());
        assert_eq!(serde_json::from_value::<Event>(value).unwrap(), event);
    }

    #[test]
    fn an_unknown_event_is_passed_over() {
        let event: Event = serde_json::from_value(json!({"type": "FROM_THE_FUTURE", "x": 1})).unwrap();
        assert_eq!(event, Event::Unknown);
    }

    #[test]
    fn custom_payloads_round_trip() {
        let custom = Custom::Restarted { part_id: "p2".into() };
        let Event::Custom { name, value } = custom.clone().into() else { unreachable!("a custom event") };
        assert_eq!(Custom::parse(&name, &value), Some(custom));
        assert_eq!(Custom::parse("from_the_future", &Value::Null), None);
    }
}
