//! Turns, their usage, and the pauses they may wait in.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum TurnState {
    Queued,
    Running,
    Paused,
    Completed,
    Failed,
    Stopped,
    Interrupted,
}

impl TurnState {
    pub const ALL: [TurnState; 7] = [
        TurnState::Queued,
        TurnState::Running,
        TurnState::Paused,
        TurnState::Completed,
        TurnState::Failed,
        TurnState::Stopped,
        TurnState::Interrupted,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TurnState::Queued => "queued",
            TurnState::Running => "running",
            TurnState::Paused => "paused",
            TurnState::Completed => "completed",
            TurnState::Failed => "failed",
            TurnState::Stopped => "stopped",
            TurnState::Interrupted => "interrupted",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<TurnState> {
        TurnState::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Nothing more will happen in the turn.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, TurnState::Completed | TurnState::Failed | TurnState::Stopped | TurnState::Interrupted)
    }
}

/// Who or what caused a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    Person,
    ChatCall,
    Notification,
    Flow,
    Task,
}

impl Cause {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Person => "person",
            Cause::ChatCall => "chat_call",
            Cause::Notification => "notification",
            Cause::Flow => "flow",
            Cause::Task => "task",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Cause> {
        [Cause::Person, Cause::ChatCall, Cause::Notification, Cause::Flow, Cause::Task]
            .into_iter()
            .find(|cause| cause.name() == name)
    }
}

/// Tokens of a turn, summed over its calls to the provider. `input_tokens` leaves out what the cache gave or took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Usage {
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub cache_read_tokens: i64,
    pub cache_write_tokens: i64,
    pub reasoning_tokens: i64,
    /// `null` where the model's price is not known.
    pub cost_usd: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TurnError {
    pub code: String,
    pub detail: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Turn {
    pub id: Uuid,
    pub chat_id: Uuid,
    pub thread_id: Option<Uuid>,
    /// The message that caused the turn.
    pub message_id: Uuid,
    pub agent_id: Uuid,
    pub agent_name: String,
    pub state: TurnState,
    pub cause: Cause,
    pub skill: Option<String>,
    pub runtime: String,
    pub model: String,
    pub iterations: i32,
    pub tool_calls: i32,
    pub usage: Usage,
    pub error: Option<TurnError>,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub queued_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub started_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub first_token_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub ended_at: Option<OffsetDateTime>,
}

impl Eq for Turn {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PauseKind {
    Question,
    Plan,
    Approval,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PauseState {
    Open,
    Answered,
    Expired,
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Question {
    pub id: String,
    pub text: String,
    pub options: Vec<String>,
    pub multiple: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingCall {
    pub tool: String,
    pub input: Value,
}

/// A turn parked on a tool call that a person must answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pause {
    pub id: Uuid,
    pub turn_id: Uuid,
    pub kind: PauseKind,
    pub questions: Option<Vec<Question>>,
    pub plan: Option<String>,
    pub call: Option<PendingCall>,
    pub state: PauseState,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub expires_at: OffsetDateTime,
}
