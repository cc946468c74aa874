//! How a commit reaches every open page: after the commit it is published in this process, and other nodes are woken outside the
//! transaction by one small notice that carries ids only.
//!
//! A wake-up may be lost or come twice: who follows a log always reads from its own cursor, and a poll finds what no wake-up told.
//! Never here: a decision about who may read; a write.

mod follow;
mod nodes;
#[cfg(test)]
mod notice_tests;
mod notices;
mod pokes;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sqlx::postgres::PgPool;
use tokio::sync::{Notify, broadcast, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

pub use follow::Follow;
pub use notices::{NoticeFrame, Notices, notices};
pub(crate) use pokes::Poke;

/// Batches that a follower may fall behind before it reads from the database instead: this bounds the memory of a slow reader.
const BEHIND: usize = 256;

/// One event of a chat's log as it is sent; snapshots and heartbeats have no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub seq: Option<i64>,
    /// The turn that the event belongs to.
    pub turn_id: Option<Uuid>,
    pub json: Arc<str>,
}

impl Frame {
    /// The frames of events that were appended together, ending with this number.
    #[must_use]
    pub fn numbered(last: i64, turn_id: Option<Uuid>, texts: Vec<String>) -> Vec<Frame> {
        let first = last - i64::try_from(texts.len()).unwrap_or(0) + 1;
        (first..).zip(texts).map(|(seq, text)| Frame { seq: Some(seq), turn_id, json: text.into() }).collect()
    }
}

/// What a follower of a chat is told.
#[derive(Clone, Debug)]
enum Signal {
    /// These were committed here.
    Frames(Arc<[Frame]>),
    /// Something was committed elsewhere.
    ReadUp,
}

/// The feed of one node; a clone is the same feed.
#[derive(Clone)]
pub struct Feed(Arc<Inner>);

struct Inner {
    pool: PgPool,
    node_id: Uuid,
    chats: Mutex<HashMap<Uuid, Channel>>,
    organisations: Mutex<HashMap<Uuid, watch::Sender<u64>>>,
    /// What other nodes are still to be told.
    untold: Mutex<nodes::Untold>,
    tell: Notify,
    /// What the workers here are told; a worker that is far behind looks for itself.
    pokes: broadcast::Sender<Poke>,
}

struct Channel {
    sender: broadcast::Sender<Signal>,
    /// The newest number that was published here.
    seen: i64,
}

impl Feed {
    pub(crate) fn start(pool: PgPool, node_id: Uuid, tasks: &TaskTracker, stop: CancellationToken) -> Feed {
        let feed = Feed(Arc::new(Inner {
            pool,
            node_id,
            chats: Mutex::default(),
            organisations: Mutex::default(),
            untold: Mutex::default(),
            tell: Notify::new(),
            pokes: broadcast::channel(1024).0,
        }));
        tasks.spawn(nodes::tell(feed.clone(), stop.clone()));
        tasks.spawn(nodes::listen(feed.clone(), stop.clone()));
        tasks.spawn(nodes::poll(feed.clone(), stop));
        feed
    }

    /// Publishes what was just committed to a chat's log.
    pub(crate) fn publish(&self, chat_id: Uuid, frames: Vec<Frame>) {
        let Some(last) = frames.last().and_then(|frame| frame.seq) else { return };
        if let Some(channel) = lock(&self.0.chats).get_mut(&chat_id) {
            channel.seen = channel.seen.max(last);
            // nobody listening is no error: the log is in the database
            let _ = channel.sender.send(Signal::Frames(frames.into()));
        }
        lock(&self.0.untold).chats.insert(chat_id);
        self.0.tell.notify_one();
    }

    /// Tells the open pages of an organisation that there are new notices.
    pub(crate) fn wake_organisation(&self, organisation_id: Uuid) {
        self.wake_organisation_here(organisation_id);
        lock(&self.0.untold).organisations.insert(organisation_id);
        self.0.tell.notify_one();
    }

    fn wake_organisation_here(&self, organisation_id: Uuid) {
        if let Some(sender) = lock(&self.0.organisations).get(&organisation_id) {
            sender.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    fn wake_chat_here(&self, chat_id: Uuid) {
        if let Some(channel) = lock(&self.0.chats).get(&chat_id) {
            let _ = channel.sender.send(Signal::ReadUp);
        }
    }

    fn join_chat(&self, chat_id: Uuid) -> broadcast::Receiver<Signal> {
        let mut chats = lock(&self.0.chats);
        // those that nobody follows any more make room
        if chats.len() > 64 && chats.len().is_power_of_two() {
            chats.retain(|_, channel| channel.sender.receiver_count() > 0);
        }
        chats
            .entry(chat_id)
            .or_insert_with(|| Channel { sender: broadcast::channel(BEHIND).0, seen: 0 })
            .sender
            .subscribe()
    }

    fn join_organisation(&self, organisation_id: Uuid) -> watch::Receiver<u64> {
        lock(&self.0.organisations).entry(organisation_id).or_insert_with(|| watch::channel(0).0).subscribe()
    }
}

/// A lock that a panic elsewhere does not close for good: what it guards is only a register of who listens.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
