use uuid::Uuid;
use wire::event::{Custom, Event, RunResult};
use wire::turn::{Turn, TurnState};

use super::get::owned;
use super::kick;
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::feed::Poke;
use crate::store::audit::Entry;
use crate::store::turn;

/// Stops a turn, on whichever node runs it. The text so far stays, and messages that wait behind it are held until the person sends or
/// releases them. A turn that is queued still does not start, and one that is over stays as it is.
///
/// # Errors
/// When it is not the actor's to stop.
pub async fn stop(engine: &Engine, actor: &Actor, turn_id: Uuid) -> Result<Turn> {
    let mut tx = engine.begin().await?;
    let chat_id = owned(actor, turn::get(&mut tx, turn_id).await?)?.turn.chat_id;
    turn::lock_chat(&mut tx, chat_id).await?;
    let row = turn::get(&mut tx, turn_id).await?.ok_or(Error::NotFound("The turn"))?;
    if row.turn.state.is_over() || row.stop_requested {
        return Ok(row.turn);
    }
    let now = tx.now();
    let mut events = Vec::new();
    if row.turn.state == TurnState::Queued {
        turn::end_one_queued(&mut tx, turn_id, None, now).await?;
        let row = turn::get(&mut tx, turn_id).await?.ok_or(Error::NotFound("The turn"))?;
        events.extend(never_ran(row.turn));
    } else {
        // the chat's only turn that is not queued is this one
        turn::request_stop(&mut tx, chat_id).await?;
    }
    let behind = turn::alive(&mut tx, chat_id).await?.iter().any(|row| row.turn.state == TurnState::Queued);
    if behind {
        turn::hold(&mut tx, chat_id, true).await?;
        events.push(Custom::Held(true).into());
    }
    tx.audit(&Entry::by(actor, "turn.stop_requested", "turn", turn_id)).await?;
    if !events.is_empty() {
        tx.append(chat_id, Some((turn_id, None)), &events).await?;
    }
    let row = turn::get(&mut tx, turn_id).await?.ok_or(Error::NotFound("The turn"))?;
    tx.commit().await?;
    call_off(engine, chat_id, turn_id);
    Ok(row.turn)
}

/// What the log says of a queued turn that is over before it ran.
pub(crate) fn never_ran(turn: Turn) -> [Event; 2] {
    let result = RunResult { state: turn.state, usage: turn.usage };
    let finished = Event::RunFinished { thread_id: turn.chat_id, run_id: turn.id, result };
    [Custom::Turn(Box::new(turn)).into(), finished]
}

/// Tells whoever drives the turn that it is to stop; called after the commit that asks for it.
pub(crate) fn call_off(engine: &Engine, chat_id: Uuid, turn_id: Uuid) {
    engine.feed().poke(Poke::Stop(turn_id));
    engine.feed().poke_others(Poke::Stop(turn_id));
    // a paused turn is driven by nobody and is taken up to be ended
    kick(engine, chat_id);
}
