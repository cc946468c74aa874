//! The only room that speaks to a model.
//!
//! The turn loop hands a [`Request`] to a [`Provider`] and reads [`Delta`]s until [`Delta::Done`] or an error. What the loop may rely on:
//!
//! - A call is complete only after the provider's own terminal event: exactly one [`Delta::Done`], and nothing after it. A connection
//!   that merely ends is a failure ([`ProviderError::Cut`]).
//! - Failures that may pass are tried again inside the call. [`Delta::Waiting`] says that a pause begins, [`Delta::Restarted`] that the
//!   call is made anew; whatever was streamed before [`Delta::Restarted`] is void.
//! - Dropping the stream, or cancelling the token, ends the HTTP request at once.
//! - Errors come once, as the last item.
//!
//! The HTTP and stream layer is our own, small, on `reqwest`. The `genai` crate (0.7.2) was read for it and breaks these rules: it keeps one
//! Anthropic block at a time and ignores indices, so two tool calls whose deltas alternate are mixed; it turns CR into LF read by read,
//! so a CRLF cut in two ends an event twice; it takes what is left at the end of the body for a whole event; it keeps the first usage of
//! the OpenAI dialect, not the last; it shows no usage of a call that is stopped; a lone surrogate or a byte that is no UTF-8 ends the
//! call; and it logs what the provider sent.
//!
//! What this room never does: read the database, know chats or records, keep a conversation between two calls, or log a key, a prompt
//! or an answer.

mod anthropic;
mod arguments;
mod block;
mod delta;
mod demo;
mod error;
mod failure;
pub mod history;
mod image;
mod json;
mod openai;
mod outlet;
mod pace;
pub mod price;
mod reader;
mod remote;
mod request;
mod retry;
mod settings;
mod sse;

pub use block::{Block, Item, ToolResult};
pub use delta::{Completion, Delta, StopReason, Usage};
pub use demo::Demo;
pub use error::ProviderError;
pub use pace::{Pace, RealPace};
pub use remote::RemoteProvider;
pub use request::{Request, ToolSpec};
pub use settings::{Dialect, Settings};

use std::sync::Arc;
use std::time::Duration;

use crate::config::{ModelConfig, ProviderKind};
use futures::stream::BoxStream;
use tokio_util::sync::CancellationToken;

/// A model behind a wire protocol, or something that behaves like one.
pub trait Provider: Send + Sync {
    /// The name shown in captions and stored with the turn: `anthropic`, `openai`, `demo`.
    fn name(&self) -> &'static str;

    /// Makes one call of the model. The stream ends after [`Delta::Done`] or after the first error; a cancelled `stop` ends it with
    /// [`ProviderError::Stopped`].
    fn stream(&self, request: Request, stop: CancellationToken) -> BoxStream<'static, Result<Delta, ProviderError>>;
}

/// The provider that the installation is configured with; nothing when it is to run without a model.
#[must_use]
pub fn remote(config: &ModelConfig, silence: Duration) -> Option<Result<Arc<dyn Provider>, ProviderError>> {
    let dialect = match config.provider {
        ProviderKind::Anthropic => Dialect::Anthropic,
        ProviderKind::OpenAi => Dialect::OpenAi,
        ProviderKind::Demo => return None,
    };
    let settings =
        Settings { silence_limit: silence, ..Settings::new(dialect, config.base_url.clone(), config.key.clone()) };
    Some(RemoteProvider::new(settings).map(|provider| Arc::new(provider) as Arc<dyn Provider>))
}
