//! The agent's tools. Each has one definition: name, description, JSON Schema made from a Rust type, kind, scopes, the function. The turn loop,
//! the MCP endpoint and the documentation are all made from the one [`Registry`].
//!
//! How the loop uses it:
//! 1. [`Registry::specs`] tells the model which tools there are on this surface, for this kind of chat and these scopes.
//! 2. For each call [`Registry::allowed`] finds the tool again, by the scopes as they are at that moment; [`Denied`] is an error result.
//! 3. [`Tool::run`] runs it. Calls of one step may run side by side when the kind of all of them is [`ToolKind::Read`]; else one after another.
//!
//! A tool never fails the turn: what went wrong is an outcome with `is_error`, in words that tell the agent what would be right. A tool touches no
//! file outside the chat's workspace, holds no database connection while it waits, and decides nothing about records: that is the reconcile's.

mod context;
mod definition;
mod edit;
mod glob;
mod grep;
mod outcome;
mod read;
mod registry;
mod related;
mod todo_write;
mod write;

pub use context::{Related, RelatedRecord, ToolContext};
pub use definition::{Tool, ToolKind};
pub use outcome::{MAX_RESULT_BYTES, ToolOutcome};
pub use registry::{Denied, Registry};

#[cfg(test)]
mod tests;
