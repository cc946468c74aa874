//! The only place that reads the time or makes an id.

use time::OffsetDateTime;
use uuid::Uuid;

/// Time and ids, so that tests choose both.
pub trait Clock: Send + Sync {
    /// Now, in UTC, to the microsecond: what Postgres keeps.
    fn now(&self) -> OffsetDateTime;
    /// A new UUIDv7.
    fn id(&self) -> Uuid;
}

/// The clock of the machine.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that may read the time")]
    fn now(&self) -> OffsetDateTime {
        let now = OffsetDateTime::now_utc();
        now.replace_nanosecond(now.microsecond() * 1_000).unwrap_or(now)
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that may make ids")]
    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}
