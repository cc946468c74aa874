//! The chat drawer: beside every page, kept across navigation.

mod drawer;
mod open;

pub use drawer::{Drawer, provide_drawer};
pub use open::OpenChat;
