//! Records and their history: every change appends a version, in one transaction with its audit row and its notice.

mod amend;
mod aside;
mod content;
mod create;
mod find;
mod get;
mod hand;
mod jump;
mod list;
mod outcome;
mod page;
mod proposals;
mod reconcile;
mod restore;
mod revert;
mod save;
mod search;
pub(crate) mod slug;
#[cfg(test)]
mod tests;
pub mod text;
mod valid;
mod versions;
mod write;

pub use amend::{Amended, Change, amend};
use aside::aside;
pub use content::{Content, MergedContent};
pub use create::create;
pub use find::scope;
pub use get::get;
pub use hand::{AgentHand, Hand};
pub use jump::jump;
pub use list::list;
pub use outcome::SaveOutcome;
pub use page::page;
pub use proposals::{decide, proposals};
pub use reconcile::{ReconcileMode, reconcile};
pub use restore::restore;
pub use revert::revert;
pub use save::save;
pub use versions::{diff, version, versions};
pub use write::{Added, Proposed, add, propose};
