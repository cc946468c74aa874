use uuid::Uuid;
use wire::chat::{ChangeChat, Chat};
use wire::event::Custom;

use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::chat;

const DESCRIPTION_MAX: usize = 2_000;

/// Renames or describes a chat.
///
/// # Errors
/// When it is not the actor's, or the name is not to be had.
pub async fn change(engine: &Engine, actor: &Actor, chat_id: Uuid, change: ChangeChat) -> Result<Chat> {
    let mut tx = engine.begin().await?;
    let row = super::manageable(&mut tx, actor, chat_id).await?;
    let name = match change.name.as_deref() {
        Some(name) => {
            let name = super::create::check_name(name)?;
            chat::lock_names(&mut tx, row.chat.project_id, row.chat.owner.id).await?;
            if row.chat.ended_at.is_none()
                && chat::name_taken(&mut tx, row.chat.project_id, row.chat.owner.id, &name, Some(chat_id)).await?
            {
                return Err(super::create::taken(&name));
            }
            name
        }
        None => row.chat.name.clone(),
    };
    let description = match change.description.as_deref() {
        Some(text) if text.chars().count() > DESCRIPTION_MAX => {
            return Err(Error::invalid(
                "description",
                format!("A chat's description has at most {DESCRIPTION_MAX} characters."),
            ));
        }
        Some(text) => crate::text::storable(text.trim()).into_owned(),
        None => row.chat.description.clone(),
    };
    if name == row.chat.name && description == row.chat.description {
        return Ok(row.chat);
    }
    chat::describe(&mut tx, chat_id, &name, &description).await?;
    let row = chat::get(&mut tx, chat_id).await?.ok_or(Error::NotFound("The chat"))?;
    tx.notice(&super::notice(&row, "chat", chat_id, "changed")).await?;
    tx.append(chat_id, None, &[Custom::Chat(Box::new(row.chat.clone())).into()]).await?;
    tx.commit().await?;
    Ok(row.chat)
}
