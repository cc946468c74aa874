//! A lock by name over all nodes, for what is done once at a start.

use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgAdvisoryLock, PgAdvisoryLockGuard, PgPool};

use crate::error::Result;

/// The lock, held by one connection until it is released or dropped.
pub(crate) struct Held(PgAdvisoryLockGuard<PoolConnection<Postgres>>);

/// Waits for the lock.
pub(crate) async fn hold(pool: &PgPool, name: &str) -> Result<Held> {
    let connection = pool.acquire().await?;
    Ok(Held(PgAdvisoryLock::new(name).acquire(connection).await?))
}

impl Held {
    pub(crate) async fn release(self) -> Result<()> {
        self.0.release_now().await?;
        Ok(())
    }
}
