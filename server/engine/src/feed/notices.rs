use std::collections::VecDeque;
use std::time::Duration;

use tokio::sync::watch;
use uuid::Uuid;
use wire::access::Scope;
use wire::event::Notice;

use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::feed::Feed;
use crate::store::notice::{self, Cursor, Placed};

const READ: i64 = 500;
const HEARTBEAT: Duration = Duration::from_secs(10);

/// What a tab's stream carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeFrame {
    Notice {
        cursor: String,
        notice: Notice,
    },
    /// The cursor is too old or not one of ours: everything shown is to be fetched again, and this is where to go on from.
    Reset {
        cursor: String,
    },
    Heartbeat,
}

/// The stream of one tab: all that its person may see. It holds no connection while it waits.
pub struct Notices {
    feed: Feed,
    actor: Actor,
    cursor: Cursor,
    wakes: watch::Receiver<u64>,
    ready: VecDeque<NoticeFrame>,
    behind: bool,
}

/// Begins the stream after a cursor, or with what comes from now on.
///
/// # Errors
/// When the actor may not read records, or the database does not answer.
pub async fn notices(engine: &Engine, actor: &Actor, cursor: Option<&str>) -> Result<Notices> {
    if !actor.holds(Scope::RecordsRead) {
        return Err(Error::Forbidden(Scope::RecordsRead));
    }
    let wakes = engine.feed().join_organisation(actor.organisation_id);
    let (newest, oldest) = {
        let mut connection = engine.pool().acquire().await?;
        notice::bounds(&mut connection, actor.organisation_id).await?
    };
    let known = cursor
        .and_then(Cursor::parse)
        .filter(|cursor| oldest.is_none_or(|oldest| *cursor >= oldest) && *cursor <= newest);
    let mut ready = VecDeque::new();
    if cursor.is_some() && known.is_none() {
        ready.push_back(NoticeFrame::Reset { cursor: newest.to_string() });
    }
    Ok(Notices {
        feed: engine.feed().clone(),
        actor: actor.clone(),
        cursor: known.unwrap_or(newest),
        wakes,
        ready,
        behind: true,
    })
}

impl Notices {
    /// Where the stream stands: a client that goes on from here misses nothing.
    #[must_use]
    pub fn cursor(&self) -> String {
        self.cursor.to_string()
    }

    /// The next frame; a heartbeat when nothing came for ten seconds. Dropping the future loses nothing.
    ///
    /// # Errors
    /// When the database does not answer; calling again goes on from the same place.
    pub async fn next(&mut self) -> Result<NoticeFrame> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(frame);
            }
            if self.behind {
                self.read_up().await?;
                continue;
            }
            match tokio::time::timeout(HEARTBEAT, self.wakes.changed()).await {
                Ok(Ok(())) => self.behind = true,
                Ok(Err(_)) => self.wakes = self.feed.join_organisation(self.actor.organisation_id),
                Err(_) => return Ok(NoticeFrame::Heartbeat),
            }
        }
    }

    async fn read_up(&mut self) -> Result<()> {
        self.wakes.mark_unchanged();
        let placed = {
            let mut connection = self.feed.0.pool.acquire().await?;
            notice::after(&mut connection, self.actor.organisation_id, self.cursor, READ).await?
        };
        self.behind = i64::try_from(placed.len()).unwrap_or(READ) == READ;
        for Placed { cursor, owner_id, notice } in placed {
            self.cursor = cursor;
            if self.sees(owner_id) {
                self.ready.push_back(NoticeFrame::Notice { cursor: cursor.to_string(), notice });
            }
        }
        Ok(())
    }

    fn sees(&self, owner_id: Option<Uuid>) -> bool {
        owner_id.is_none_or(|owner| owner == self.actor.person_id || self.actor.holds(Scope::ConversationsReadAny))
    }
}
