use crate::clock::{Clock, SystemClock};
use futures::future::BoxFuture;
use std::time::{Duration, SystemTime};

/// Time and chance, as a call of a model needs them; tests put their own in place.
pub trait Pace: Send + Sync {
    /// For wait hints that are dates.
    fn now(&self) -> SystemTime;

    /// A random number from 0 to 1.
    fn jitter(&self) -> f64;

    /// An id for a tool call that came without one.
    fn call_id(&self) -> String;

    /// The pause before another attempt.
    fn pause(&self, length: Duration) -> BoxFuture<'static, ()>;

    /// Ends when the provider has been silent for so long.
    fn alarm(&self, length: Duration) -> BoxFuture<'static, ()>;
}

/// The real ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealPace;

impl Pace for RealPace {
    fn now(&self) -> SystemTime {
        SystemClock.now().into()
    }

    fn jitter(&self) -> f64 {
        rand::random()
    }

    fn call_id(&self) -> String {
        format!("call_{:016x}", rand::random::<u64>())
    }

    fn pause(&self, length: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(length))
    }

    fn alarm(&self, length: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(length))
    }
}
