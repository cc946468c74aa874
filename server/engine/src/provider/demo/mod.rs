//! The runtime without a model: it follows a small set of plain requests by real tool calls, through the very same loop as any model.
//!
//! It is deterministic, uses no network, and never pretends to be a model: what it does not understand it says, with the list of what it
//! can do. It decides each step from the conversation alone: the person's last message, and what the tools have answered since.

mod draft;
mod fix;
mod plan;
mod request;
mod seen;

use std::time::Duration;

use futures::stream::BoxStream;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::plan::Step;
use self::seen::Seen;
use super::outlet::{self, Outlet};
use super::{Block, Completion, Delta, Provider, ProviderError, Request, StopReason, Usage};

/// What stands in a caption as the name of this runtime.
pub const NAME: &str = "demo";

/// See the room's description.
pub struct Demo;

/// Bytes of one piece of a text or of arguments.
const PIECE: usize = 12;
/// Between two pieces, so that a person sees the text grow as with a model.
const PACE: Duration = Duration::from_millis(8);

impl Provider for Demo {
    fn name(&self) -> &'static str {
        NAME
    }

    fn stream(&self, request: Request, stop: CancellationToken) -> BoxStream<'static, Result<Delta, ProviderError>> {
        outlet::stream(move |outlet| async move {
            tokio::select! {
                biased;
                () = stop.cancelled() => Err(ProviderError::Stopped),
                () = answer(&request, outlet) => Ok(()),
            }
        })
    }
}

async fn answer(request: &Request, mut outlet: Outlet) {
    let seen = Seen::of(request);
    let (blocks, stop) = match plan::next(&seen) {
        Step::Say(text) => (vec![Block::Text { text }], StopReason::EndTurn),
        Step::Call(calls) => {
            let numbered = calls.into_iter().enumerate().map(|(place, (name, input))| Block::ToolCall {
                id: format!("demo_{}", seen.calls_before + place + 1),
                name: name.to_owned(),
                input,
                malformed: None,
            });
            (numbered.collect(), StopReason::ToolUse)
        }
    };
    let mut index = 0;
    for block in &blocks {
        match block {
            Block::Text { text } => {
                for piece in pieces(text) {
                    outlet.send(Delta::Text(piece.to_owned())).await;
                    tokio::time::sleep(PACE).await;
                }
            }
            Block::ToolCall { id, name, input, .. } => {
                outlet.send(Delta::ToolCallStart { index, id: id.clone(), name: name.clone() }).await;
                for piece in pieces(&input.to_string()) {
                    outlet.send(Delta::ToolCallArgs { index, json: piece.to_owned() }).await;
                }
                tokio::time::sleep(PACE).await;
                index += 1;
            }
            Block::Reasoning { .. } | Block::Image { .. } => {}
        }
    }
    outlet.send(Delta::Done(Completion { blocks, usage: Usage::default(), stop })).await;
}

/// The text in pieces that end between characters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len().min(PIECE);
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// A call of a tool: its name and arguments.
type Call = (&'static str, Value);

#[cfg(test)]
mod tests;
