use uuid::Uuid;
use wire::chat::Chat;
use wire::event::Custom;

use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::audit::Entry;
use crate::store::chat::{self, ChatRow};
use crate::store::{Tx, turn as store_turn};
use crate::{Engine, turn};

/// Ends a chat: a running turn is stopped, queued ones are over, and a send is refused from now on. The row and the transcript stay.
/// Ending an ended chat changes nothing.
///
/// # Errors
/// When it is not the actor's to end.
pub async fn end(engine: &Engine, actor: &Actor, chat_id: Uuid) -> Result<Chat> {
    let mut tx = engine.begin().await?;
    let row = super::manageable(&mut tx, actor, chat_id).await?;
    chat::lock(&mut tx, chat_id).await?;
    let row = chat::get(&mut tx, row.chat.id).await?.ok_or(Error::NotFound("The chat"))?;
    if row.chat.ended_at.is_some() {
        return Ok(row.chat);
    }
    let now = tx.now();
    chat::set_ended(&mut tx, chat_id, Some(now), &row.chat.name).await?;
    let row = tell(&mut tx, actor, chat_id, "ended", "chat.ended").await?;
    let over = store_turn::end_queued(&mut tx, chat_id, now).await?;
    let stopped = store_turn::request_stop(&mut tx, chat_id).await?;
    for row in over {
        let turn_id = row.turn.id;
        tx.append(chat_id, Some((turn_id, None)), &turn::never_ran(row.turn)).await?;
    }
    tx.commit().await?;
    match stopped {
        // the turn removes the workspace when it has ended
        Some(turn_id) => turn::call_off(engine, chat_id, turn_id),
        None => turn::clear_workspace(engine, chat_id).await,
    }
    Ok(row.chat)
}

/// Opens an ended chat again. A name that was given to another chat meanwhile gets a number.
///
/// # Errors
/// When it is not the actor's.
pub async fn restore(engine: &Engine, actor: &Actor, chat_id: Uuid) -> Result<Chat> {
    let mut tx = engine.begin().await?;
    let row = super::manageable(&mut tx, actor, chat_id).await?;
    if row.chat.ended_at.is_none() {
        return Ok(row.chat);
    }
    chat::lock_names(&mut tx, row.chat.project_id, row.chat.owner.id).await?;
    let mut name = row.chat.name.clone();
    if chat::name_taken(&mut tx, row.chat.project_id, row.chat.owner.id, &name, Some(chat_id)).await? {
        let number = chat::free_number(&mut tx, row.chat.project_id, row.chat.owner.id, &name).await?;
        name = format!("{name} {number}");
    }
    chat::set_ended(&mut tx, chat_id, None, &name).await?;
    let row = tell(&mut tx, actor, chat_id, "restored", "chat.restored").await?;
    tx.commit().await?;
    Ok(row.chat)
}

async fn tell(tx: &mut Tx, actor: &Actor, chat_id: Uuid, kind: &'static str, action: &'static str) -> Result<ChatRow> {
    tx.audit(&Entry::by(actor, action, "chat", chat_id)).await?;
    let row = chat::get(tx, chat_id).await?.ok_or(Error::NotFound("The chat"))?;
    tx.notice(&super::notice(&row, "chat", chat_id, kind)).await?;
    tx.append(chat_id, None, &[Custom::Chat(Box::new(row.chat.clone())).into()]).await?;
    Ok(row)
}
