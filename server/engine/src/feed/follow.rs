use std::collections::VecDeque;

use tokio::sync::broadcast;
use uuid::Uuid;

use super::{Feed, Frame, Signal};
use crate::error::Result;
use crate::store::event;

/// Most events that one read brings.
const READ: i64 = 1_000;

/// Follows a chat's log from a number on: none missing, none twice, whichever node commits them. It holds no connection while it
/// waits.
pub struct Follow {
    feed: Feed,
    chat_id: Uuid,
    last: i64,
    signals: broadcast::Receiver<Signal>,
    ready: VecDeque<Frame>,
    /// The database may hold more than `last`.
    behind: bool,
}

impl Feed {
    /// Begins to follow; what comes first is the event after `after`.
    #[must_use]
    pub fn follow(&self, chat_id: Uuid, after: i64) -> Follow {
        let signals = self.join_chat(chat_id);
        Follow { feed: self.clone(), chat_id, last: after, signals, ready: VecDeque::new(), behind: true }
    }
}

impl Follow {
    /// The next event. Dropping the future loses nothing.
    ///
    /// # Errors
    /// When the database does not answer; calling again goes on from the same place.
    pub async fn next(&mut self) -> Result<Frame> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(frame);
            }
            if self.behind {
                self.read_up().await?;
                continue;
            }
            match self.signals.recv().await {
                Ok(Signal::Frames(frames)) => self.take(&frames),
                Ok(Signal::ReadUp) | Err(broadcast::error::RecvError::Lagged(_)) => self.behind = true,
                // the feed outlives its followers; should it not, the database is asked, and then again
                Err(broadcast::error::RecvError::Closed) => {
                    self.signals = self.feed.join_chat(self.chat_id);
                    self.behind = true;
                }
            }
        }
    }

    /// What is there now, without waiting for more.
    #[must_use]
    pub fn ready(&mut self) -> Option<Frame> {
        self.ready.pop_front()
    }

    /// The number of the last event that was taken over into this follower.
    #[must_use]
    pub const fn last(&self) -> i64 {
        self.last
    }

    fn take(&mut self, frames: &[Frame]) {
        for frame in frames {
            match frame.seq {
                Some(seq) if seq == self.last + 1 => {
                    self.last = seq;
                    self.ready.push_back(frame.clone());
                }
                Some(seq) if seq > self.last => {
                    // another node's events lie between: all are read from the database in order
                    self.behind = true;
                    return;
                }
                _ => {}
            }
        }
    }

    async fn read_up(&mut self) -> Result<()> {
        let frames = {
            let mut connection = self.feed.0.pool.acquire().await?;
            event::after(&mut connection, self.chat_id, self.last, READ).await?
        };
        self.behind = i64::try_from(frames.len()).unwrap_or(READ) == READ;
        self.take(&frames);
        Ok(())
    }
}
