//! The agent's turn: queued with the message that causes it, driven by one node at a time, ended in one transaction.
//!
//! What holds throughout: one turn of a chat runs at a time, in the order of the messages; every write of a running turn names its
//! attempt, so whoever lost the turn to another node can write nothing more; nothing is shown before it is committed; no connection is
//! held while a model or a tool is waited for. Never here: a decision about who may do what, SQL, a file, or the wire of a model.

mod enqueue;
mod get;
mod resolve;

pub use enqueue::{NewTurn, enqueue};
pub use get::get;

use crate::Engine;
use uuid::Uuid;

/// Tells the workers that a chat may have a turn to run. Called after the commit; a lost call is made good by their poll.
pub fn kick(engine: &Engine, chat_id: Uuid) {
    let _ = (engine, chat_id);
}
