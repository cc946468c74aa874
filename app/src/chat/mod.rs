//! The chat drawer: beside every page, kept across navigation.

mod drawer;
mod edge;
mod header;
mod open;
pub(crate) mod width;

pub use drawer::{Drawer, provide_drawer};
pub use open::OpenChat;
