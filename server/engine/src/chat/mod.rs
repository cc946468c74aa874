//! Chats: made, found, read, written to and ended. What an agent does with a message is the room `turn`'s; here a message is stored
//! and its turns are queued.

mod attach;
mod banners;
mod change;
mod create;
mod end;
mod list;
mod messages;
mod open;
mod release;
mod send;

pub use attach::{ChatLog, chat_log};
pub use banners::banners;
pub use change::change;
pub use create::create;
pub use end::{end, restore};
pub use list::list;
pub use messages::messages;
pub use open::open;
pub use release::release;
pub use send::send;
pub use turn_log::{TurnLog, turn_log};

mod turn_log;

use sqlx::postgres::PgConnection;
use uuid::Uuid;
use wire::access::Scope;
use wire::chat::ChatKind;

use crate::access::{Actor, may};
use crate::error::{Error, Result};
use crate::store::chat::{self, ChatRow};
use crate::store::notice::NewNotice;

/// The chat, if the actor may read it.
pub(crate) async fn readable(connection: &mut PgConnection, actor: &Actor, chat_id: Uuid) -> Result<ChatRow> {
    let row = chat::get(connection, chat_id).await?.ok_or(Error::NotFound("The chat"))?;
    may(actor, Scope::ConversationsReadAny, row.target())?;
    Ok(row)
}

/// The chat, if it is the actor's and the actor may act in it.
pub(crate) async fn usable(connection: &mut PgConnection, actor: &Actor, chat_id: Uuid) -> Result<ChatRow> {
    let row = readable(connection, actor, chat_id).await?;
    may(actor, use_scope(row.chat.kind), row.target())?;
    Ok(row)
}

/// The chat, if the actor may rename and end it: their own; for an ask, using asks is enough.
async fn manageable(connection: &mut PgConnection, actor: &Actor, chat_id: Uuid) -> Result<ChatRow> {
    let row = readable(connection, actor, chat_id).await?;
    let scope = match row.chat.kind {
        ChatKind::Chat => Scope::ConversationsManageOwn,
        ChatKind::Ask => Scope::AskUse,
    };
    may(actor, scope, row.target())?;
    Ok(row)
}

const fn use_scope(kind: ChatKind) -> Scope {
    match kind {
        ChatKind::Chat => Scope::ChatUse,
        ChatKind::Ask => Scope::AskUse,
    }
}

/// That something happened to a chat, for its owner's pages.
pub(crate) fn notice(row: &ChatRow, topic: &'static str, subject_id: Uuid, kind: &'static str) -> NewNotice {
    NewNotice {
        organisation_id: row.organisation_id,
        owner_id: Some(row.chat.owner.id),
        topic,
        subject_id,
        kind,
        project_id: Some(row.chat.project_id),
        record_id: row.chat.record_id,
        chat_id: Some(row.chat.id),
    }
}
