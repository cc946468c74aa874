//! How texts change: differences, hunks, three-way merges. Pure: the same texts always give the same answer.

mod diff;
mod hunks;
mod lines;
mod merge;

pub use diff::{counts, diff};
pub use hunks::{NoSuchHunk, revert, take};
pub use merge::{Merged, has_markers, merge, merge_for};
