//! What the whole interface knows: small values, each provided once by the application.

pub mod chats;
pub mod conversation;
pub mod drawer;
pub mod entry;
pub mod growing;
pub mod loaded;
mod log_stream;
pub mod outbox;
pub mod place;
pub mod session;
pub mod theme;
pub mod toasts;

pub use drawer::DrawerState;
pub use loaded::Loaded;
pub use place::{Place, RecordAt};
pub use session::Session;
pub use toasts::Toasts;
