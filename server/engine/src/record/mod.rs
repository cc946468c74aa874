//! What a record's text is made of and how it changes: differences, merges, hunks. This part is pure; commands and rows are beside it.

mod content;
mod diff;
mod hunks;
mod lines;
mod merge;

pub use content::{Content, MergedContent};
pub use diff::{counts, diff};
pub use hunks::{NoSuchHunk, revert, take};
pub use merge::{Merged, has_markers, merge};
