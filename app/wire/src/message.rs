//! Messages and the parts they are made of.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::diff::Diff;
use crate::record::RecordKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SenderKind {
    Person,
    Agent,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sender {
    pub kind: SenderKind,
    pub id: Uuid,
    pub name: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MessageClass {
    #[default]
    Message,
    Log,
    Note,
    Resource,
}

impl MessageClass {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MessageClass::Message => "message",
            MessageClass::Log => "log",
            MessageClass::Note => "note",
            MessageClass::Resource => "resource",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<MessageClass> {
        [MessageClass::Message, MessageClass::Log, MessageClass::Note, MessageClass::Resource]
            .into_iter()
            .find(|class| class.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MessageState {
    Streaming,
    Settled,
    Failed,
}

impl MessageState {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MessageState::Streaming => "streaming",
            MessageState::Settled => "settled",
            MessageState::Failed => "failed",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<MessageState> {
        [MessageState::Streaming, MessageState::Settled, MessageState::Failed]
            .into_iter()
            .find(|state| state.name() == name)
    }
}

/// One entry of a thread. Order is by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Message {
    pub id: Uuid,
    pub chat_id: Uuid,
    pub thread_id: Option<Uuid>,
    pub turn_id: Option<Uuid>,
    pub client_id: Option<String>,
    pub sender: Sender,
    pub class: MessageClass,
    pub subclass: Option<String>,
    pub format: String,
    pub state: MessageState,
    pub parts: Vec<Part>,
    pub attachments: Vec<Attachment>,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub edited_at: Option<OffsetDateTime>,
}

impl Message {
    /// The texts of the message's parts, joined.
    #[must_use]
    pub fn text(&self) -> String {
        self.parts
            .iter()
            .filter_map(|part| match part {
                Part::Text { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Attachment {
    pub id: Uuid,
    pub name: String,
    pub media_type: String,
    pub size: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// `id` is stable while the part grows.
    Text {
        id: String,
        text: String,
    },
    Reasoning {
        id: String,
        text: String,
    },
    ToolCall(Box<ToolCall>),
    Changes(Changes),
}

impl Part {
    /// The id that events name the part by.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Part::Text { id, .. } | Part::Reasoning { id, .. } => Some(id),
            Part::ToolCall(call) => Some(&call.id),
            Part::Changes(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ToolState {
    Active,
    Success,
    Error,
    Cancelled,
}

impl ToolState {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ToolState::Active => "active",
            ToolState::Success => "success",
            ToolState::Error => "error",
            ToolState::Cancelled => "cancelled",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<ToolState> {
        [ToolState::Active, ToolState::Success, ToolState::Error, ToolState::Cancelled]
            .into_iter()
            .find(|state| state.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// Path, command, address or question: what the card's header says beside the name.
    pub label: String,
    /// The arguments; while they stream in, the text so far as a string.
    pub input: Value,
    pub state: ToolState,
    pub output: Option<String>,
    pub truncated: bool,
    /// What the call changed in a file, for `Edit` and `Write`.
    pub diff: Option<Diff>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub started_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub ended_at: Option<OffsetDateTime>,
}

/// What the reconcile of a turn did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Changes {
    pub records: Vec<ChangedRecord>,
    pub refused: Vec<RefusedFile>,
    /// Proposals that wait for a decision.
    pub conflicts: Vec<Uuid>,
}

impl Changes {
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty() && self.refused.is_empty() && self.conflicts.is_empty()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangedRecord {
    pub record_id: Uuid,
    pub version: i32,
    pub added: i32,
    pub removed: i32,
    pub new: bool,
    /// Somebody else's change was merged in.
    pub merged: bool,
    pub kind: RecordKind,
    pub title: String,
    pub slug: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RefusedFile {
    pub path: String,
    pub reason: String,
}
