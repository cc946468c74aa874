//! Words that changed while somebody was looking, softly marked in the text.

use wire::diff::{Diff, LineKind};

use crate::ui::markdown::{FRESH_END, FRESH_START};

/// The body with its freshly added words between marks that the Markdown renderer knows.
///
/// Only runs of plain words are marked: within the marks of Markdown itself, more would change what the text means.
#[must_use]
pub fn marked(body: &str, diff: &Diff) -> String {
    let mut lines: Vec<String> = body.split('\n').map(str::to_owned).collect();
    let added = diff.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind == LineKind::Added);
    for line in added {
        let Some(text) = line.new.and_then(|n| lines.get_mut(usize::try_from(n).ok()?.checked_sub(1)?)) else {
            continue;
        };
        let whole: String = line.runs.iter().map(|(_, run)| run.as_str()).collect();
        // the numbers must speak of this very text
        if whole.trim_end_matches(['\r', '\n']) != text.trim_end_matches('\r') {
            continue;
        }
        *text = line.runs.iter().map(|(fresh, run)| mark(*fresh, run.trim_end_matches(['\r', '\n']))).collect();
    }
    lines.join("\n")
}

fn mark(fresh: bool, run: &str) -> String {
    let words = run.trim();
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | ',' | '.' | ';' | '\'' | '’' | '“' | '”' | '?' | '%');
    if !fresh || !words.starts_with(char::is_alphabetic) || !words.chars().all(plain) {
        return run.to_owned();
    }
    let lead = &run[..run.len() - run.trim_start().len()];
    let tail = &run[run.trim_end().len()..];
    format!("{lead}{FRESH_START}{words}{FRESH_END}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::diff::{DiffLine, Hunk};

    fn diff(new: u32, runs: &[(bool, &str)]) -> Diff {
        let runs = runs.iter().map(|(fresh, run)| (*fresh, (*run).to_owned())).collect();
        let line = DiffLine { kind: LineKind::Added, old: None, new: Some(new), runs };
        Diff { hunks: vec![Hunk { lines: vec![line] }], added: 1, removed: 0, coarse: false }
    }

    #[test]
    fn changed_words_are_marked_in_their_line() {
        let shown = marked(
            "a\n3. A click starts the download now",
            &diff(2, &[(false, "3. A click starts the "), (true, "download"), (false, " now\n")]),
        );
        assert_eq!(shown, format!("a\n3. A click starts the {FRESH_START}download{FRESH_END} now"));
    }

    #[test]
    fn marks_of_markdown_and_other_texts_stay_untouched() {
        let body = "**bold** [x](y)";
        assert_eq!(marked(body, &diff(1, &[(true, body)])), body);
        assert_eq!(marked("other", &diff(1, &[(true, "words")])), "other");
        assert_eq!(marked("x", &diff(7, &[(true, "x")])), "x");
    }
}
