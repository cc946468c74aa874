//! Chats, their threads, and the one read model that pages, agents and programs share.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::message::{Message, MessageClass};
use crate::person::Named;
use crate::turn::{Pause, Turn};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    Planning,
    Platform,
}

impl Surface {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Surface::Planning => "planning",
            Surface::Platform => "platform",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Surface> {
        [Surface::Planning, Surface::Platform].into_iter().find(|surface| surface.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ChatKind {
    /// May act.
    Chat,
    /// Reads and answers only.
    Ask,
}

impl ChatKind {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ChatKind::Chat => "chat",
            ChatKind::Ask => "ask",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<ChatKind> {
        [ChatKind::Chat, ChatKind::Ask].into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chat {
    pub id: Uuid,
    pub project_id: Uuid,
    pub record_id: Option<Uuid>,
    pub name: String,
    pub description: String,
    pub surface: Surface,
    pub kind: ChatKind,
    pub temporary: bool,
    pub owner: Named,
    pub agents: Vec<Named>,
    pub pivots: Vec<Uuid>,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub ended_at: Option<OffsetDateTime>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewChat {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub record_id: Option<Uuid>,
    #[serde(default)]
    pub surface: Option<Surface>,
    #[serde(default)]
    pub kind: Option<ChatKind>,
    #[serde(default)]
    pub temporary: Option<bool>,
    #[serde(default)]
    pub agents: Option<Vec<Uuid>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChangeChat {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ThreadState {
    #[default]
    Idle,
    /// A turn is queued or runs.
    Working,
    /// A question or an approval waits for a person.
    Waiting,
}

/// One line of the list behind the chip: a chat of a record, with how it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChatLine {
    #[serde(flatten)]
    pub chat: Chat,
    pub state: ThreadState,
    pub last: Option<LastLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LastLine {
    pub sender: String,
    pub text: String,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub created_at: OffsetDateTime,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Thread {
    /// `null` for the default thread.
    pub id: Option<Uuid>,
    pub name: Option<String>,
    pub message_count: i64,
    pub last: Option<LastLine>,
    pub unread: i64,
    pub state: ThreadState,
}

/// What a chat looks like: the newest page of the open thread, the other threads as previews, and all that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReadModel {
    pub chat: Chat,
    pub threads: Vec<Thread>,
    pub messages: Vec<Message>,
    /// The open thread.
    pub thread_id: Option<Uuid>,
    pub pause: Option<Pause>,
    /// The running turn, or the first queued one.
    pub turn: Option<Turn>,
    pub queued: Vec<Turn>,
    /// A stop holds the queued turns until a person releases them.
    pub held: bool,
    /// The newest event that this view holds.
    pub seq: i64,
}

/// One message on its way in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SendMessage {
    /// Made by the sender; the same id never makes a second message. Any text of 1 to 100 characters.
    pub client_id: String,
    pub text: String,
    #[serde(default)]
    pub thread_id: Option<Uuid>,
    #[serde(default)]
    pub new_thread: Option<bool>,
    #[serde(default)]
    pub class: Option<MessageClass>,
    #[serde(default)]
    pub skill: Option<String>,
    #[serde(default)]
    pub attachments: Option<Vec<Uuid>>,
    #[serde(default)]
    pub agents: Option<Vec<Uuid>>,
}

/// The answer to a send; the same pair for the same `client_id`. A note has no turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sent {
    pub message: Message,
    pub turn: Option<Turn>,
}

/// A turn that was withdrawn gives its text back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Withdrawn {
    pub text: String,
}
