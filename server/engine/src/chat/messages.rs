use uuid::Uuid;
use wire::message::Message;
use wire::page::{Page, Paging};

use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::{message, thread};

/// A page of a thread, oldest first: the newest one, or the one before or after a message. The cursors are ids of messages.
///
/// # Errors
/// When the chat or the thread is not the actor's to read, or a cursor is not an id.
pub async fn messages(
    engine: &Engine,
    actor: &Actor,
    chat_id: Uuid,
    thread_id: Option<Uuid>,
    paging: Paging,
) -> Result<Page<Message>> {
    let mut connection = engine.pool().acquire().await?;
    super::readable(&mut connection, actor, chat_id).await?;
    if let Some(thread_id) = thread_id
        && !thread::exists(&mut connection, chat_id, thread_id).await?
    {
        return Err(Error::NotFound("The thread"));
    }
    let limit = paging.rows();
    let whole = |count: usize| i64::try_from(count).unwrap_or(0) <= limit;
    let (stored, before, after) = if let Some(after) = cursor(paging.after.as_deref())? {
        let mut stored = message::after(&mut connection, chat_id, thread_id, after, limit + 1).await?;
        let more = !whole(stored.len());
        stored.truncate(usize::try_from(limit).unwrap_or(0));
        let first = stored.first().map(|stored| stored.message.id);
        let last = stored.last().map(|stored| stored.message.id).filter(|_| more);
        (stored, first, last)
    } else {
        let before = cursor(paging.before.as_deref())?;
        let mut stored = message::before(&mut connection, chat_id, thread_id, before, limit + 1).await?;
        let more = !whole(stored.len());
        if more {
            stored.remove(0);
        }
        let first = stored.first().map(|stored| stored.message.id).filter(|_| more);
        let last = stored.last().map(|stored| stored.message.id).filter(|_| before.is_some());
        (stored, first, last)
    };
    let items = super::open::grown(&mut connection, stored).await?;
    Ok(Page { items, before: before.map(|id| id.to_string()), after: after.map(|id| id.to_string()) })
}

fn cursor(text: Option<&str>) -> Result<Option<Uuid>> {
    text.map(|text| {
        text.parse()
            .map_err(|_| Error::invalid("cursor", "`before` and `after` are ids of messages, as the list gave them."))
    })
    .transpose()
}
