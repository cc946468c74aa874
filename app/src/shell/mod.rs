//! The frame around every page: the document, the bars, and the slots for the drawer and the notices.

mod app;
mod document;
mod notices;
mod top;

pub use app::App;
pub use document::shell;
