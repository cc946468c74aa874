use uuid::Uuid;
use wire::chat::Withdrawn;
use wire::event::{Custom, Event};
use wire::turn::TurnState;

use super::get::owned;
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::audit::Entry;
use crate::store::{message, thread, turn};

/// Takes a queued turn back before it runs, with its message, whose text is given back. A message that went to several agents is taken
/// back as a whole.
///
/// # Errors
/// When it is not the actor's, or one of the message's turns has begun.
pub async fn withdraw(engine: &Engine, actor: &Actor, turn_id: Uuid) -> Result<Withdrawn> {
    let mut tx = engine.begin().await?;
    let chat_id = owned(actor, turn::get(&mut tx, turn_id).await?)?.turn.chat_id;
    turn::lock_chat(&mut tx, chat_id).await?;
    let row = turn::get(&mut tx, turn_id).await?.ok_or(Error::NotFound("The turn"))?;
    let message_id = row.turn.message_id;
    let turns = turn::of_message(&mut tx, message_id).await?;
    if turns.iter().any(|row| row.turn.state != TurnState::Queued) {
        return Err(Error::conflict("turn_started", "This turn is not waiting any more. Stop it instead."));
    }
    let stored = message::get(&mut tx, message_id).await?.ok_or(Error::NotFound("The message"))?;
    let now = tx.now();
    let mut events: Vec<Event> = Vec::new();
    for row in &turns {
        turn::end_one_queued(&mut tx, row.turn.id, Some(("withdrawn", "It was withdrawn before it ran.")), now).await?;
        events.push(Custom::Withdrawn { turn_id: row.turn.id, message_id }.into());
    }
    turn::withdraw_message(&mut tx, message_id, now).await?;
    let threads = thread::previews(&mut tx, chat_id).await?;
    let last = threads.into_iter().find(|thread| thread.id == row.turn.thread_id).and_then(|thread| thread.last);
    if let Some(last) = last {
        events.push(Custom::Preview { thread_id: row.turn.thread_id, last }.into());
    }
    let left = turn::alive(&mut tx, chat_id).await?;
    if !left.iter().any(|row| row.turn.state == TurnState::Queued) && turn::is_held(&mut tx, chat_id).await? {
        turn::hold(&mut tx, chat_id, false).await?;
        events.push(Custom::Held(false).into());
    }
    tx.audit(&Entry::by(actor, "turn.withdrawn", "turn", turn_id)).await?;
    tx.append(chat_id, None, &events).await?;
    tx.commit().await?;
    Ok(Withdrawn { text: stored.message.text() })
}
