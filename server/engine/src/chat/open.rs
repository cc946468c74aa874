use sqlx::Connection;
use sqlx::postgres::PgConnection;
use uuid::Uuid;
use wire::chat::{ReadModel, ThreadState};
use wire::fold;
use wire::message::{Message, MessageState};
use wire::turn::{Turn, TurnState};

use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::message::StoredMessage;
use crate::store::{chat, event, message, thread, turn};

/// Messages that a view begins with.
const PAGE: i64 = 50;

/// What the chat looks like now, as of one moment: the newest page of the named thread (`Some(None)` is the default one), or of the one
/// written in last.
///
/// # Errors
/// When the chat or the thread is not the actor's to read.
pub async fn open(engine: &Engine, actor: &Actor, chat_id: Uuid, thread_id: Option<Option<Uuid>>) -> Result<ReadModel> {
    let mut connection = engine.pool().acquire().await?;
    super::readable(&mut connection, actor, chat_id).await?;
    view(&mut connection, chat_id, thread_id).await
}

/// As [`open`], for whoever has already decided on access.
pub(super) async fn view(
    connection: &mut PgConnection,
    chat_id: Uuid,
    thread_id: Option<Option<Uuid>>,
) -> Result<ReadModel> {
    // rows and events are read as of one moment, so that the number of the view is true of all of it
    let mut moment = connection.begin_with("begin isolation level repeatable read read only").await?;
    let row = chat::get(&mut moment, chat_id).await?.ok_or(Error::NotFound("The chat"))?;
    let mut threads = thread::previews(&mut moment, chat_id).await?;
    let thread_id = match thread_id {
        Some(Some(id)) if !thread::exists(&mut moment, chat_id, id).await? => {
            return Err(Error::NotFound("The thread"));
        }
        Some(thread_id) => thread_id,
        None => threads.last().and_then(|thread| thread.id),
    };
    let stored = message::before(&mut moment, chat_id, thread_id, None, PAGE).await?;
    let messages = grown(&mut moment, stored).await?;
    let alive: Vec<Turn> = turn::alive(&mut moment, chat_id).await?.into_iter().map(|row| row.turn).collect();
    moment.commit().await?;

    for thread in &mut threads {
        let of_thread = || alive.iter().filter(|turn| turn.thread_id == thread.id);
        thread.state = match (of_thread().any(|turn| turn.state == TurnState::Paused), of_thread().next()) {
            (true, _) => ThreadState::Waiting,
            (false, Some(_)) => ThreadState::Working,
            (false, None) => ThreadState::Idle,
        };
    }
    let turn = alive.iter().find(|turn| turn.state != TurnState::Queued).or_else(|| alive.first()).cloned();
    let queued = alive.into_iter().filter(|turn| turn.state == TurnState::Queued).collect();
    Ok(ReadModel {
        chat: row.chat,
        threads,
        messages,
        thread_id,
        pause: None,
        turn,
        queued,
        held: row.held,
        seq: row.last_seq,
    })
}

/// The messages as they are now: those that still stream grow by the events that their stored parts do not hold yet.
pub(super) async fn grown(connection: &mut PgConnection, stored: Vec<StoredMessage>) -> Result<Vec<Message>> {
    let mut messages = Vec::with_capacity(stored.len());
    for StoredMessage { mut message, parts_seq } in stored {
        if message.state == MessageState::Streaming
            && let Some(turn_id) = message.turn_id
        {
            let events = event::of_turn(connection, message.chat_id, turn_id, parts_seq).await?;
            fold::grow_message(&mut message, events.iter().filter_map(|frame| serde_json::from_str(&frame.json).ok()));
        }
        messages.push(message);
    }
    Ok(messages)
}
