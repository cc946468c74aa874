use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use wire::event::Event;

use super::patience::Patience;
use crate::Engine;
use crate::error::{Error, Result};
use crate::store::event;

/// Writes what a running turn says to the chat's log: what comes while one commit runs goes into the next, and text that continues
/// text becomes one event. One statement a commit; the connection is held for that statement alone.
pub(super) struct Writer(Arc<Shared>);

struct Shared {
    waiting: Mutex<Waiting>,
    wake: Notify,
    /// How many events have been committed, or that no more will be.
    done: watch::Sender<Done>,
    /// The newest event of the turn that is known to be committed.
    last: AtomicI64,
}

#[derive(Default)]
struct Waiting {
    events: Vec<Event>,
    /// How often [`Writer::put`] was called.
    puts: u64,
    closed: bool,
}

#[derive(Clone, Copy)]
struct Done {
    puts: u64,
    lost: bool,
}

/// Most of a text that one event carries: a frame stays small, and a reader sees it grow.
const LONGEST_DELTA: usize = 4 << 10;

impl Writer {
    /// Starts the writer of a turn's attempt; it ends when it is dropped, after what was put is written. `lost` is cancelled when another
    /// attempt drives the turn, and ends the waiting for a database that does not answer.
    pub fn start(engine: &Engine, chat_id: Uuid, turn: (Uuid, i32), last: i64, lost: CancellationToken) -> Writer {
        let shared = Arc::new(Shared {
            waiting: Mutex::default(),
            wake: Notify::new(),
            done: watch::channel(Done { puts: 0, lost: false }).0,
            last: AtomicI64::new(last),
        });
        engine.spawn(write(engine.clone(), chat_id, turn, Arc::clone(&shared), lost));
        Writer(shared)
    }

    /// Hands events over; they are shown once they are committed.
    pub fn put(&self, events: Vec<Event>) {
        if events.is_empty() {
            return;
        }
        let mut waiting = lock(&self.0.waiting);
        waiting.puts += 1;
        for event in events {
            merge(&mut waiting.events, event);
        }
        drop(waiting);
        self.0.wake.notify_one();
    }

    /// A transaction of the turn's own appended events up to this number, with nothing waiting here.
    pub fn saw(&self, last: i64) {
        self.0.last.fetch_max(last, Ordering::Relaxed);
    }

    /// Waits until all that was put is committed.
    ///
    /// # Errors
    /// [`Error::Fenced`] when it cannot be: the turn goes on elsewhere.
    pub async fn drain(&self) -> Result<()> {
        let wanted = lock(&self.0.waiting).puts;
        let mut done = self.0.done.subscribe();
        let reached = done.wait_for(|done| done.lost || done.puts >= wanted).await.map_err(|_| Error::Fenced)?;
        if reached.lost { Err(Error::Fenced) } else { Ok(()) }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        lock(&self.0.waiting).closed = true;
        self.0.wake.notify_one();
    }
}

async fn write(engine: Engine, chat_id: Uuid, turn: (Uuid, i32), shared: Arc<Shared>, lost: CancellationToken) {
    loop {
        let (events, puts, closed) = {
            let mut waiting = lock(&shared.waiting);
            (std::mem::take(&mut waiting.events), waiting.puts, waiting.closed)
        };
        if events.is_empty() {
            if closed {
                return;
            }
            shared.wake.notified().await;
            continue;
        }
        if commit(&engine, chat_id, turn, &events, &shared, &lost).await.is_err() {
            lost.cancel();
            shared.done.send_modify(|done| done.lost = true);
            return;
        }
        shared.done.send_modify(|done| done.puts = puts);
    }
}

/// Commits a batch; a database that does not answer is waited for until the turn is lost.
async fn commit(
    engine: &Engine,
    chat_id: Uuid,
    turn: (Uuid, i32),
    events: &[Event],
    shared: &Shared,
    lost: &CancellationToken,
) -> Result<()> {
    let mut patience = Patience::new();
    let mut unsure = false;
    loop {
        let appended = if unsure {
            again(engine, chat_id, turn, events, shared).await
        } else {
            engine.append(chat_id, turn, events).await
        };
        match appended {
            Ok(last) => {
                shared.last.fetch_max(last, Ordering::Relaxed);
                return Ok(());
            }
            Err(failure) => patience.wait(failure, lost).await?,
        }
        unsure = true;
    }
}

/// A commit whose answer was lost may have happened all the same: then the turn has newer events than were known.
async fn again(engine: &Engine, chat_id: Uuid, turn: (Uuid, i32), events: &[Event], shared: &Shared) -> Result<i64> {
    let known = shared.last.load(Ordering::Relaxed);
    let newest = {
        let mut connection = engine.pool().acquire().await?;
        event::newest_of_turn(&mut connection, turn.0).await?
    };
    match newest.filter(|newest| *newest > known) {
        Some(newest) => Ok(newest),
        None => engine.append(chat_id, turn, events).await,
    }
}

/// Adds an event behind the others; text that continues the one before becomes one with it.
fn merge(events: &mut Vec<Event>, event: Event) {
    match (events.last_mut(), &event) {
        (
            Some(Event::TextMessageContent { part_id, delta, .. }),
            Event::TextMessageContent { part_id: same, delta: more, .. },
        )
        | (
            Some(Event::ReasoningMessageContent { part_id, delta, .. }),
            Event::ReasoningMessageContent { part_id: same, delta: more, .. },
        )
        | (
            Some(Event::ToolCallArgs { tool_call_id: part_id, delta }),
            Event::ToolCallArgs { tool_call_id: same, delta: more },
        ) if part_id == same && delta.len() + more.len() <= LONGEST_DELTA => delta.push_str(more),
        _ => events.push(event),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
