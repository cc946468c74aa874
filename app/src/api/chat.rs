//! Chats as the drawer reads and changes them.

use leptos::{prelude::*, server_fn::codec::Json};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wire::chat::{Chat, ChatLine, NewChat, ReadModel, SendMessage, Sent};
use wire::event::Banner;
use wire::message::Message;
use wire::record::RecordKind;
use wire::turn::Turn;

use super::error::Refusal;
use crate::state::place::RecordAt;

/// The record whose chats the drawer holds. For a bug it is the plan that the bug hangs under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub project_id: Uuid,
    pub project: String,
    pub record_id: Uuid,
    pub kind: RecordKind,
    pub title: String,
    /// The bug that the page shows, where the chat is its plan's.
    pub bug: Option<String>,
}

/// A chat as it opens: its view, what is known of the turns in it, and what the person should know of the surroundings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    pub model: ReadModel,
    pub turns: Vec<Turn>,
    pub banners: Vec<Banner>,
    /// The slug of the chat's project.
    pub project: String,
    /// The chat is the reader's own.
    pub own: bool,
}

/// All that the drawer shows first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    pub subject: Option<Subject>,
    /// The chat asked for, or the record's latest open one; nothing for a new chat.
    pub opened: Option<Opened>,
    /// The person's open chats of the record, latest first.
    pub lines: Vec<ChatLine>,
    /// Why the chat that was asked for is not there.
    pub missing: Option<String>,
}

/// One older page of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OlderPage {
    pub messages: Vec<Message>,
    pub turns: Vec<Turn>,
    pub more: bool,
}

/// The drawer beside a page: the chat that was asked for, or the record's latest open one.
#[server(prefix = "/fn", endpoint = "chat/drawer", input = Json)]
pub async fn drawer(place: Option<RecordAt>, chat: Option<Uuid>) -> Result<Drawn, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let page = match &place {
        Some(place) => Some(engine::record::page(&engine, &actor, &place.project, place.kind, &place.slug).await?),
        None => None,
    };
    let subject = page.map(super::chat_read::subject);
    let (opened, missing) = match chat {
        Some(chat) => match engine::chat::open(&engine, &actor, chat, None).await {
            Ok(model) => (Some(model), None),
            Err(error) if error.status() == 404 => {
                (None, Some("That chat is not there, or it is not yours.".to_owned()))
            }
            Err(error) => return Err(error.into()),
        },
        None => (None, None),
    };
    let about = match (&subject, &opened) {
        (Some(subject), _) => Some((subject.project_id, subject.record_id)),
        (None, Some(model)) => model.chat.record_id.map(|record| (model.chat.project_id, record)),
        (None, None) => None,
    };
    let lines = match about {
        Some((project, record)) => super::chat_read::lines(&engine, &actor, project, record).await?,
        None => Vec::new(),
    };
    let model = match (opened, lines.first()) {
        (Some(model), _) => Some(model),
        (None, Some(latest)) => Some(engine::chat::open(&engine, &actor, latest.chat.id, None).await?),
        (None, None) => None,
    };
    let opened = match model {
        Some(model) => Some(super::chat_read::opened(&engine, &actor, model).await?),
        None => None,
    };
    Ok(Drawn { subject, opened, lines, missing })
}

/// A chat as it is now. `thread`: absent for the one that the chat opens with; `Some(None)` is the default thread.
#[server(prefix = "/fn", endpoint = "chat/open", input = Json)]
pub async fn open(chat: Uuid, thread: Option<Option<Uuid>>) -> Result<Opened, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let model = engine::chat::open(&engine, &actor, chat, thread).await?;
    super::chat_read::opened(&engine, &actor, model).await
}

/// The person's open chats of a record, latest first.
#[server(prefix = "/fn", endpoint = "chat/lines", input = Json)]
pub async fn lines(project: Uuid, record: Uuid) -> Result<Vec<ChatLine>, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    super::chat_read::lines(&engine, &actor, project, record).await
}

/// The messages of a thread that come before one of them.
#[server(prefix = "/fn", endpoint = "chat/older", input = Json)]
pub async fn older(chat: Uuid, thread: Option<Uuid>, before: Uuid) -> Result<OlderPage, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let paging = wire::page::Paging { limit: Some(50), before: Some(before.to_string()), after: None };
    let page = engine::chat::messages(&engine, &actor, chat, thread, paging).await?;
    let turns = super::chat_read::turns(&engine, &actor, &page.items).await?;
    Ok(OlderPage { messages: page.items, turns, more: page.before.is_some() })
}

#[server(prefix = "/fn", endpoint = "chat/create", input = Json)]
pub async fn create(project: Uuid, chat: NewChat) -> Result<Chat, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::chat::create(&engine, &actor, project, chat).await?)
}

/// Sends a message. The same `client_id` never makes a second one.
#[server(prefix = "/fn", endpoint = "chat/send", input = Json)]
pub async fn post(chat: Uuid, message: SendMessage) -> Result<Sent, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::chat::send(&engine, &actor, chat, message).await?)
}

/// Lets the queue that a stop holds go on.
#[server(prefix = "/fn", endpoint = "chat/release", input = Json)]
pub async fn release(chat: Uuid) -> Result<(), Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    engine::chat::release(&engine, &actor, chat).await?;
    Ok(())
}

#[server(prefix = "/fn", endpoint = "chat/rename", input = Json)]
pub async fn rename(chat: Uuid, name: String) -> Result<Chat, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let change = wire::chat::ChangeChat { name: Some(name), description: None };
    Ok(engine::chat::change(&engine, &actor, chat, change).await?)
}

#[server(prefix = "/fn", endpoint = "chat/end", input = Json)]
pub async fn end(chat: Uuid) -> Result<Chat, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::chat::end(&engine, &actor, chat).await?)
}

#[server(prefix = "/fn", endpoint = "chat/restore", input = Json)]
pub async fn restore(chat: Uuid) -> Result<Chat, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::chat::restore(&engine, &actor, chat).await?)
}
