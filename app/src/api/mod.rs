//! Server functions, one file a room: parse, ask for the actor, call one command of the engine, answer in wire types.
//!
//! The only place of this crate that names the engine, and only on the server. Nothing is decided here.

#[cfg(feature = "ssr")]
pub(crate) mod actor;
pub mod audit;
pub mod chat;
#[cfg(feature = "ssr")]
mod chat_read;
pub mod error;
pub mod people;
pub mod project;
pub mod record;
pub mod session;
pub mod token;
pub mod turn;

pub use error::Refusal;
