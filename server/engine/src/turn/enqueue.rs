use uuid::Uuid;
use wire::turn::{Cause, Turn};

use super::resolve::resolve;
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::{Tx, turn};

/// A turn to queue.
#[derive(Clone, Debug)]
pub struct NewTurn<'a> {
    pub chat_id: Uuid,
    pub thread_id: Option<Uuid>,
    /// The message that causes it, stored already. Turns of a chat run in the order of these ids.
    pub message_id: Uuid,
    pub agent_id: Uuid,
    pub cause: Cause,
    pub skill: Option<&'a str>,
}

/// Queues a turn inside the transaction of a send, which holds the chat's lock and has checked that the actor may send. It appends no
/// event: the caller puts [`wire::event::Custom::Turn`] of the answer behind its message, and calls [`super::kick`] after the commit.
///
/// Runtime and model are fixed here. One that is named and not available makes no other one take its place: the turn runs, says so
/// and fails.
///
/// # Errors
/// When the chat or the agent is not there.
pub async fn enqueue(tx: &mut Tx, engine: &Engine, actor: &Actor, new: NewTurn<'_>) -> Result<Turn> {
    let settings = turn::settings(tx, new.chat_id, new.agent_id).await?.ok_or(Error::NotFound("The agent"))?;
    let choice = resolve(&settings, &engine.config().model);
    let id = engine.id();
    let now = tx.now();
    let scopes: Vec<String> = actor.scopes.iter().map(|scope| scope.name().to_owned()).collect();
    let row = turn::NewTurnRow {
        id,
        organisation_id: actor.organisation_id,
        chat_id: new.chat_id,
        thread_id: new.thread_id,
        message_id: new.message_id,
        agent_id: new.agent_id,
        person_id: actor.person_id,
        cause: new.cause,
        skill: new.skill,
        runtime: &choice.runtime,
        model: &choice.model,
        scopes: &scopes,
        address: actor.address.as_deref(),
    };
    turn::insert(tx, &row, now).await?;
    let row = turn::get(tx, id).await?.ok_or(Error::NotFound("The turn"))?;
    Ok(row.turn)
}
