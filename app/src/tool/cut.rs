//! Long texts, cut before they are drawn: by size, by lines, and within a line that has no end.

/// Most bytes of a text that are drawn at once.
pub const BYTES: usize = 200_000;
/// Most lines.
pub const LINES: usize = 2_000;
/// A line longer than this is broken: one endless line takes the browser seconds to lay out.
pub const LINE: usize = 4_000;

/// What is drawn of a text, and whether something was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub text: String,
    pub left_out: bool,
}

/// Cuts a text to what can be drawn at once.
#[must_use]
pub fn cut(text: &str) -> Cut {
    let end = floor(text, BYTES);
    let by_lines = text[..end].match_indices('\n').nth(LINES - 1).map_or(end, |(at, _)| at);
    Cut { text: broken(&text[..by_lines]), left_out: by_lines < text.len() }
}

/// The text with endless lines broken.
#[must_use]
pub fn broken(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (place, line) in text.split('\n').enumerate() {
        if place > 0 {
            out.push('\n');
        }
        let mut rest = line;
        while rest.len() > LINE {
            let (piece, more) = rest.split_at(floor(rest, LINE));
            out.push_str(piece);
            out.push('\n');
            rest = more;
        }
        out.push_str(rest);
    }
    out
}

/// The last place at or before `at` that is between characters.
fn floor(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_whole() {
        assert_eq!(cut("a\nb\n"), Cut { text: "a\nb\n".into(), left_out: false });
        assert_eq!(cut(""), Cut { text: String::new(), left_out: false });
    }

    #[test]
    fn a_text_without_a_line_break_is_cut_and_broken() {
        let found = cut(&"x".repeat(2_000_000));
        assert!(found.left_out);
        assert!(found.text.len() <= BYTES + BYTES / LINE + 1);
        assert!(found.text.lines().all(|line| line.len() <= LINE));
    }

    #[test]
    fn many_lines_are_cut() {
        let found = cut(&"y\n".repeat(200_000));
        assert!(found.left_out);
        assert_eq!(found.text.lines().count(), LINES);
    }

    #[test]
    fn characters_are_never_cut_in_two() {
        for text in ["─", "中", "é", "😀"] {
            let long = text.repeat(BYTES);
            for shift in 0..4 {
                let found = cut(&format!("{}{long}", "a".repeat(shift)));
                assert!(found.left_out);
                assert!(found.text.chars().all(|c| c == 'a' || c == '\n' || text.starts_with(c)));
            }
        }
    }
}
