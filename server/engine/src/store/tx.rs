use std::ops::{Deref, DerefMut};

use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{Postgres, Transaction};
use time::OffsetDateTime;
use uuid::Uuid;
use wire::event::Event;

use crate::error::Result;
use crate::feed::{Feed, Frame};
use crate::store::{audit, event, notice};

/// One transaction of a command. What it appends to the logs it publishes after its commit, and only then; dropped, it leaves
/// nothing behind.
pub struct Tx {
    inner: Transaction<'static, Postgres>,
    feed: Feed,
    now: OffsetDateTime,
    frames: Vec<(Uuid, Vec<Frame>)>,
    organisations: Vec<Uuid>,
}

impl Tx {
    pub(crate) async fn begin(pool: &PgPool, feed: Feed, now: OffsetDateTime) -> Result<Tx> {
        Ok(Tx { inner: pool.begin().await?, feed, now, frames: Vec::new(), organisations: Vec::new() })
    }

    /// The time of the whole transaction.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        self.now
    }

    /// Appends to a chat's log; gives the number of the last event. Locks the chat's row until the end of the transaction, so it
    /// comes late in it.
    ///
    /// # Errors
    /// [`crate::Error::Fenced`] when `attempt` is named and is not the one that drives the turn.
    pub async fn append(&mut self, chat_id: Uuid, turn: Option<(Uuid, Option<i32>)>, events: &[Event]) -> Result<i64> {
        let texts: Vec<String> = events.iter().map(event::text).collect();
        let last = event::append(&mut self.inner, chat_id, turn, &texts, self.now).await?;
        self.frames.push((chat_id, Frame::numbered(last, turn.map(|(id, _)| id), texts)));
        Ok(last)
    }

    /// Tells every open page of the organisation that something changed.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn notice(&mut self, notice: &notice::NewNotice) -> Result<()> {
        notice::append(&mut self.inner, notice, self.now).await?;
        if !self.organisations.contains(&notice.organisation_id) {
            self.organisations.push(notice.organisation_id);
        }
        Ok(())
    }

    /// Writes one row of the audit log.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn audit(&mut self, entry: &audit::Entry) -> Result<()> {
        audit::append(&mut self.inner, entry, self.now).await
    }

    /// Commits, then publishes.
    ///
    /// # Errors
    /// When the commit fails: then nothing of it happened, and nothing is published.
    pub async fn commit(self) -> Result<()> {
        self.inner.commit().await?;
        for (chat_id, frames) in self.frames {
            self.feed.publish(chat_id, frames);
        }
        for organisation_id in self.organisations {
            self.feed.wake_organisation(organisation_id);
        }
        Ok(())
    }
}

impl Deref for Tx {
    type Target = PgConnection;
    fn deref(&self) -> &PgConnection {
        &self.inner
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.inner
    }
}
