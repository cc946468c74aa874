use wire::diff::{Hunk, LineKind};

use crate::ui::diff::{Line, Mark};

/// A hunk as the kit draws it.
#[must_use]
pub fn lines(hunk: &Hunk) -> Vec<Line> {
    let line = |line: &wire::diff::DiffLine| Line {
        mark: match line.kind {
            LineKind::Same => Mark::Same,
            LineKind::Added => Mark::Added,
            LineKind::Removed => Mark::Removed,
        },
        old: line.old,
        new: line.new,
        runs: line.runs.clone(),
    };
    hunk.lines.iter().map(line).collect()
}
