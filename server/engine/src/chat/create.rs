use uuid::Uuid;
use wire::access::Scope;
use wire::chat::{Chat, ChatKind, NewChat, Surface};

use crate::Engine;
use crate::access::{Actor, Target, may};
use crate::error::{Error, Result};
use crate::store::audit::Entry;
use crate::store::chat;

const NAME_MAX: usize = 100;

/// Makes a chat. On a bug it is anchored to the bug's parent plan.
///
/// # Errors
/// When the project, record or an agent is not the actor's to see, the scope is missing, or the name is not to be had.
pub async fn create(engine: &Engine, actor: &Actor, project_id: Uuid, new: NewChat) -> Result<Chat> {
    let kind = new.kind.unwrap_or(ChatKind::Chat);
    let mut tx = engine.begin().await?;
    let organisation_id =
        chat::project_organisation(&mut tx, project_id).await?.ok_or(Error::NotFound("The project"))?;
    may(actor, Scope::RecordsRead, Target::Organisation { id: organisation_id, what: "The project" })?;
    may(actor, super::use_scope(kind), Target::Organisation { id: organisation_id, what: "The project" })?;
    if new.surface == Some(Surface::Platform) {
        return Err(Error::invalid(
            "surface_unavailable",
            "Platform chats are not part of this version. Leave `surface` out for a planning chat.",
        ));
    }
    if new.temporary == Some(true) {
        return Err(Error::invalid(
            "temporary_unavailable",
            "Temporary chats are not part of this version. Leave `temporary` out.",
        ));
    }
    let record_id = match new.record_id {
        Some(record_id) => {
            Some(chat::anchor(&mut tx, project_id, record_id).await?.ok_or(Error::NotFound("The record"))?)
        }
        None => None,
    };
    let agents = chat::agents_for(&mut tx, organisation_id, new.agents.as_deref()).await?;
    if agents.is_empty() || new.agents.as_ref().is_some_and(|wanted| wanted.iter().any(|id| !agents.contains(id))) {
        return Err(Error::NotFound("The agent"));
    }

    chat::lock_names(&mut tx, project_id, actor.person_id).await?;
    let name = match new.name.as_deref() {
        Some(name) => {
            let name = check_name(name)?;
            if chat::name_taken(&mut tx, project_id, actor.person_id, &name, None).await? {
                return Err(taken(&name));
            }
            name
        }
        None => {
            let stem = match kind {
                ChatKind::Chat => "Chat",
                ChatKind::Ask => "Ask",
            };
            format!("{stem} {}", chat::free_number(&mut tx, project_id, actor.person_id, stem).await?)
        }
    };
    let id = engine.id();
    let now = tx.now();
    chat::insert(
        &mut tx,
        id,
        organisation_id,
        project_id,
        record_id,
        actor.person_id,
        &name,
        Surface::Planning,
        kind,
        now,
    )
    .await?;
    chat::add_agents(&mut tx, id, &agents).await?;
    tx.audit(&Entry::by(actor, "chat.created", "chat", id)).await?;
    let row = chat::get(&mut tx, id).await?.ok_or(Error::NotFound("The chat"))?;
    tx.notice(&super::notice(&row, "chat", id, "created")).await?;
    tx.commit().await?;
    Ok(row.chat)
}

/// A chat's name: one line of 1 to 100 characters.
pub(super) fn check_name(name: &str) -> Result<String> {
    let name: String = crate::text::storable(name).split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > NAME_MAX {
        return Err(Error::invalid("name", format!("A chat's name has 1 to {NAME_MAX} characters.")));
    }
    Ok(name)
}

pub(super) fn taken(name: &str) -> Error {
    Error::conflict(
        "name_taken",
        format!("You already have an open chat named “{name}” in this project. Choose another name."),
    )
}
