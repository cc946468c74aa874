use std::collections::VecDeque;

use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use uuid::Uuid;
use wire::audit::{AuditFilter, AuditRow};

use super::list::{cleaned, may_read};
use crate::access::Actor;
use crate::error::Result;
use crate::{Engine, store};

/// Rows that are read at once.
const READ: i64 = 500;

/// All rows that a filter finds, newest first. The stream reads page by page and holds no connection between pages.
///
/// # Errors
/// When the actor may not manage members; a row of the stream is an error when the database does not answer, and then it ends.
pub async fn export(
    engine: &Engine,
    actor: &Actor,
    filter: AuditFilter,
) -> Result<BoxStream<'static, Result<AuditRow>>> {
    may_read(actor)?;
    let pages = Pages {
        engine: engine.clone(),
        organisation_id: actor.organisation_id,
        filter: cleaned(filter),
        before: Some(i64::MAX),
        ready: VecDeque::new(),
    };
    // whoever asks again after the end is told again that it is the end
    Ok(stream::unfold(pages, Pages::next).fuse().boxed())
}

struct Pages {
    engine: Engine,
    organisation_id: Uuid,
    filter: AuditFilter,
    /// Where the next page begins; none after the last.
    before: Option<i64>,
    ready: VecDeque<AuditRow>,
}

impl Pages {
    async fn next(mut self) -> Option<(Result<AuditRow>, Pages)> {
        if self.ready.is_empty()
            && let Some(before) = self.before.take()
        {
            match self.read(before).await {
                Ok(rows) => {
                    let whole = i64::try_from(rows.len()).unwrap_or(READ) == READ;
                    self.before = rows.last().map(|row| row.id).filter(|_| whole);
                    self.ready = rows.into();
                }
                Err(error) => return Some((Err(error), self)),
            }
        }
        let row = self.ready.pop_front()?;
        Some((Ok(row), self))
    }

    async fn read(&self, before: i64) -> Result<Vec<AuditRow>> {
        let mut connection = self.engine.pool().acquire().await?;
        store::audit::before(&mut connection, self.organisation_id, &self.filter, before, READ).await
    }
}
