//! The wall clock: the one clock that the provider's process and ours share.

use std::time::{SystemTime, UNIX_EPOCH};

/// Microseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the wall clock is what a benchmark measures against")]
pub fn microseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

/// Microseconds as milliseconds.
#[expect(clippy::cast_precision_loss, reason = "spans of a benchmark are far below 2^52 µs")]
pub fn milliseconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1_000.0
}
