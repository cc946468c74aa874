//! The frame around every page: the document, the bars, and the slots for the drawer and the notices.

mod app;
mod crumbs;
mod document;
mod guard;
mod jump;
mod notices;
mod person;
mod side;
mod top;

pub use app::App;
pub use document::shell;
