//! Turns against a real Postgres: with the demo runtime, and with the scripted provider over the wire.

#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it must be")]

mod house;
mod loops;
mod queue;
mod reconciles;
mod recovery;
mod stops;
mod stories;
