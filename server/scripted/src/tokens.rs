//! The stream of tokens that benchmarks measure.

use crate::dialect::Encoder;
use crate::script::Wire;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{Instant, sleep_until};

/// Each token's text is its number, a colon, the microseconds since 1970 when it was written, and a space.
pub(crate) struct Tokens {
    next: usize,
    count: usize,
    pause: Duration,
    start: Option<Instant>,
    wire: Wire,
}

impl Tokens {
    pub fn new(count: usize, microseconds: u64, wire: Wire) -> Self {
        Self { next: 0, count, pause: Duration::from_micros(microseconds), start: None, wire }
    }

    /// Waits for the next token's time, which counts from the first one so that lateness does not add up.
    pub async fn next(&mut self, encoder: &Encoder) -> Option<String> {
        if self.next == self.count {
            return None;
        }
        let number = self.next;
        self.next += 1;
        if !self.pause.is_zero() {
            let start = *self.start.get_or_insert_with(Instant::now);
            sleep_until(start + self.pause * u32::try_from(number).unwrap_or(u32::MAX)).await;
        }
        Some(encoder.text_delta(&format!("{number}:{} ", microseconds())).bytes(self.wire))
    }
}

#[expect(clippy::disallowed_methods, reason = "the wall clock is what a benchmark measures against")]
fn microseconds() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros()
}
