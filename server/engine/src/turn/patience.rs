use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::error::{Error, Result};

/// How a running turn waits for a database that does not answer: for as long as the turn is its own.
pub(super) struct Patience {
    pause: Duration,
}

const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);

impl Patience {
    pub const fn new() -> Patience {
        Patience { pause: FIRST }
    }

    /// Waits a little if the failure may pass.
    ///
    /// # Errors
    /// The failure, when it will not pass; [`Error::Fenced`] when the turn is left meanwhile.
    pub async fn wait(&mut self, failure: Error, leave: &CancellationToken) -> Result<()> {
        if !may_pass(&failure) {
            return Err(failure);
        }
        tracing::warn!(error = ?failure, "the database did not take a turn's write; trying again");
        tokio::select! {
            () = leave.cancelled() => return Err(Error::Fenced),
            () = tokio::time::sleep(self.pause) => {}
        }
        self.pause = (self.pause * 2).min(LONGEST);
        Ok(())
    }
}

/// Whether the same statement may succeed later: the server is away, busy, or chose us to give way.
fn may_pass(failure: &Error) -> bool {
    let Error::Database(failure) = failure else { return false };
    match failure {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(refusal) => refusal
            .code()
            .is_some_and(|code| ["08", "40", "53", "57", "25"].iter().any(|class| code.starts_with(class))),
        _ => false,
    }
}
