use uuid::Uuid;
use wire::event::Custom;

use crate::access::Actor;
use crate::error::Result;
use crate::store::chat;
use crate::{Engine, turn};

/// Lets the queued messages that a stop holds go on. Where nothing is held it changes nothing.
///
/// # Errors
/// When the chat is not the actor's to use.
pub async fn release(engine: &Engine, actor: &Actor, chat_id: Uuid) -> Result<()> {
    let mut tx = engine.begin().await?;
    let row = super::usable(&mut tx, actor, chat_id).await?;
    if !row.held {
        return Ok(());
    }
    chat::set_held(&mut tx, chat_id, false).await?;
    tx.append(chat_id, None, &[Custom::Held(false).into()]).await?;
    tx.commit().await?;
    turn::kick(engine, chat_id);
    Ok(())
}
