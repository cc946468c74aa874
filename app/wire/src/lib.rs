//! What the browser and the server say to one another: the shapes of `8-contract`, and the pure logic both sides share.
//!
//! This room knows serde, uuid and time; it must never know the interface, the database or the network.

pub mod access;
pub mod audit;
pub mod chat;
pub mod diff;
pub mod error;
pub mod event;
pub mod fold;
pub mod message;
pub mod page;
pub mod person;
pub mod record;
pub mod tool;
pub mod turn;
pub mod version;
