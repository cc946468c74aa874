//! The agent's turn: queued with the message that causes it, driven by one node at a time, ended in one transaction.
//!
//! What holds throughout: one turn of a chat runs at a time, in the order of the messages; every write of a running turn names its
//! attempt, so whoever lost the turn to another node can write nothing more; nothing is shown before it is committed; no connection is
//! held while a model or a tool is waited for. Never here: a decision about who may do what, SQL, a file, or the wire of a model.

mod answer;
mod claim;
mod ending;
mod enqueue;
mod get;
mod history;
mod patience;
mod prepare;
mod prompt;
mod related;
mod repeats;
mod resolve;
mod run;
mod settle;
mod step;
mod stop;
mod tools;
mod withdraw;
mod worker;
mod writer;

pub use enqueue::{NewTurn, enqueue};
pub use get::get;
pub use stop::stop;
pub(crate) use stop::{call_off, never_ran};
pub use withdraw::withdraw;
pub(crate) use worker::{Running, renew, work};

use uuid::Uuid;

use crate::Engine;
use crate::feed::Poke;
use crate::store::turn;
use crate::workspace::Workspace;

/// Tells the workers that a chat may have a turn to run. Called after the commit; a lost call is made good by their poll.
pub fn kick(engine: &Engine, chat_id: Uuid) {
    engine.feed().poke(Poke::Chat(chat_id));
}

/// Removes the workspace of a chat that has ended.
pub(crate) async fn clear_workspace(engine: &Engine, chat_id: Uuid) {
    let root = run::folder(engine, chat_id);
    let released = tokio::task::spawn_blocking(move || Workspace::release(&root)).await;
    if !matches!(released, Ok(Ok(()))) {
        tracing::warn!(chat = %chat_id, "the workspace of an ended chat could not be removed");
    }
}

/// Gives a turn up, so that another node goes on with it at once. Should that fail, its lease lapses.
async fn release(engine: &Engine, turn_id: Uuid, attempt: i32) {
    let released = async {
        let mut connection = engine.pool().acquire().await?;
        turn::release(&mut connection, turn_id, attempt).await
    };
    if let Err(error) = released.await {
        tracing::warn!(turn = %turn_id, %error, "a turn could not be released; its lease will lapse");
    }
}
