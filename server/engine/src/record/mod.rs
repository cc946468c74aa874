//! Records and their history: every change appends a version, in one transaction with its audit row and its notice.

mod content;
mod create;
mod get;
mod jump;
mod list;
mod outcome;
mod page;
mod proposals;
mod restore;
mod revert;
mod save;
pub mod text;
mod versions;

pub use content::{Content, MergedContent};
pub use create::create;
pub use get::get;
pub use jump::jump;
pub use list::list;
pub use outcome::SaveOutcome;
pub use page::page;
pub use proposals::{decide, proposals};
pub use restore::restore;
pub use revert::revert;
pub use save::save;
pub use versions::{diff, version, versions};
