//! Projects: where records and chats live.

mod create;
mod get;
mod list;
mod overview;

pub use create::create;
pub use get::{by_slug, get};
pub use list::list;
pub use overview::overview;
