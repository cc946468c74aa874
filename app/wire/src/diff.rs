//! Differences between two texts, ready to show: made on the server, drawn in the browser.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Diff {
    pub hunks: Vec<Hunk>,
    pub added: i32,
    pub removed: i32,
    /// The texts were too large to compare word by word; lines are whole.
    pub coarse: bool,
}

/// Lines that changed, with up to three unchanged lines around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hunk {
    pub lines: Vec<DiffLine>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    Same,
    Added,
    Removed,
}

/// One line. Numbers count from 1 and are absent on the side that does not have the line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DiffLine {
    pub kind: LineKind,
    pub old: Option<u32>,
    pub new: Option<u32>,
    /// The line's text in runs; `true` marks the words that changed.
    pub runs: Vec<(bool, String)>,
}
