//! The chat drawer: beside every page, kept across navigation.

mod banners;
mod caption;
mod changes;
mod composer;
mod draft;
mod drawer;
mod edge;
mod elapsed;
mod empty;
mod entry;
mod header;
mod name;
mod open;
mod others;
mod outgoing;
mod person;
mod review;
mod scroll;
mod send_key;
mod status;
mod steps;
mod text;
mod threads;
mod transcript;
mod turn_note;
pub(crate) mod width;

pub use drawer::{Drawer, provide_drawer};
pub use open::OpenChat;
