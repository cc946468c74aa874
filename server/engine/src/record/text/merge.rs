use std::ops::Range;

use similar::DiffOp;

use super::lines::Lines;

/// The outcome of a merge: `text` is the merge, or, when it is not `clean`, the merge with both sides of each conflict marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    pub text: String,
    pub clean: bool,
}

/// Labels of the two sides of a marked conflict.
const THEIRS: &str = "current";
const MINE: &str = "yours";

/// Merges two texts that came from one: `theirs` is what is stored now, `mine` is what wants to be stored.
///
/// Line by line, as git does it: changes with an unchanged line between them go together, changes that touch or overlap are a conflict unless
/// they are equal. Each side of a conflict stands between `<<<<<<< current`, `=======` and `>>>>>>> yours`; lines that both sides have at its
/// edges stand outside. Line ends are kept as each side has them. The comparison is bounded (see [`super::diff`]), so huge texts conflict
/// rather than hang.
#[must_use]
pub fn merge(base: &str, theirs: &str, mine: &str) -> Merged {
    merge_with(base, theirs, mine, conflict)
}

/// As [`merge`], and where both sides changed the same lines `mine` stands.
#[must_use]
pub fn merge_for(base: &str, theirs: &str, mine: &str) -> String {
    merge_with(base, theirs, mine, |text, _, mine| push(text, mine)).text
}

fn merge_with(base: &str, theirs: &str, mine: &str, conflict: impl Fn(&mut String, &[&str], &[&str])) -> Merged {
    if base == mine || theirs == mine {
        return Merged { text: theirs.to_owned(), clean: true };
    }
    if base == theirs {
        return Merged { text: mine.to_owned(), clean: true };
    }
    let (theirs, mine) = (Lines::compare(base, theirs), Lines::compare(base, mine));
    let mut theirs = Side { edits: edits(&theirs.ops), next: 0, at: 0, base: 0, lines: &theirs };
    let mut mine = Side { edits: edits(&mine.ops), next: 0, at: 0, base: 0, lines: &mine };
    let mut out = Merged { text: String::with_capacity(base.len() * 2), clean: true };
    let mut cursor = 0;
    while let Some(start) = [theirs.peek(), mine.peek()].into_iter().flatten().map(|edit| edit.base.start).min() {
        push(&mut out.text, &theirs.lines.old[cursor..start]);
        let mut end = start;
        let (mut by_them, mut by_me) = (false, false);
        loop {
            // what touches belongs together: no unchanged line says which of the two comes first
            if let Some(edit) = theirs.peek().filter(|edit| edit.base.start <= end) {
                end = end.max(edit.base.end);
                theirs.next += 1;
                by_them = true;
            } else if let Some(edit) = mine.peek().filter(|edit| edit.base.start <= end) {
                end = end.max(edit.base.end);
                mine.next += 1;
                by_me = true;
            } else {
                break;
            }
        }
        let (their_lines, my_lines) = (theirs.span(start, end), mine.span(start, end));
        match (by_them, by_me) {
            (true, true) if their_lines == my_lines => push(&mut out.text, their_lines),
            (true, true) => {
                conflict(&mut out.text, their_lines, my_lines);
                out.clean = false;
            }
            (true, false) => push(&mut out.text, their_lines),
            (false, _) => push(&mut out.text, my_lines),
        }
        cursor = end;
    }
    push(&mut out.text, &theirs.lines.old[cursor..]);
    out
}

/// Whether a text still holds a conflict as [`merge`] marks it: all three marks, in order.
#[must_use]
pub fn has_markers(text: &str) -> bool {
    let (open, close) = (format!("<<<<<<< {THEIRS}"), format!(">>>>>>> {MINE}"));
    let marks = [open.as_str(), "=======", close.as_str()];
    let mut wanted = 0;
    for line in text.lines() {
        if wanted < marks.len() && line == marks[wanted] {
            wanted += 1;
        }
    }
    wanted == marks.len()
}

/// A change against the base: the base's lines that go, the side's lines that come.
struct Edit {
    base: Range<usize>,
    side: Range<usize>,
}

fn edits(ops: &[DiffOp]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        match edits.last_mut() {
            Some(last) if last.base.end == op.old_range().start && last.side.end == op.new_range().start => {
                last.base.end = op.old_range().end;
                last.side.end = op.new_range().end;
            }
            _ => edits.push(Edit { base: op.old_range(), side: op.new_range() }),
        }
    }
    edits
}

/// One side of the merge, read from top to bottom.
struct Side<'a, 'b> {
    edits: Vec<Edit>,
    /// The first edit that is not used yet.
    next: usize,
    /// A line of the side and the line of the base that stands at the same place.
    at: usize,
    base: usize,
    lines: &'b Lines<'a>,
}

impl<'a, 'b> Side<'a, 'b> {
    fn peek(&self) -> Option<&Edit> {
        self.edits.get(self.next)
    }

    /// The side's lines for a span of the base that ends where all used edits have ended.
    fn span(&mut self, start: usize, end: usize) -> &'b [&'a str] {
        let from = self.at + (start - self.base);
        if let Some(last) = self.next.checked_sub(1).map(|last| &self.edits[last]) {
            (self.at, self.base) = (last.side.end, last.base.end);
        }
        let to = self.at + (end - self.base);
        (self.at, self.base) = (to, end);
        &self.lines.new[from..to]
    }
}

fn push(text: &mut String, lines: &[&str]) {
    text.extend(lines.iter().copied());
}

fn conflict(text: &mut String, theirs: &[&str], mine: &[&str]) {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = theirs.iter().zip(mine).take_while(same).count();
    let (theirs_rest, mine_rest) = (&theirs[head..], &mine[head..]);
    let tail = theirs_rest.iter().rev().zip(mine_rest.iter().rev()).take_while(same).count();
    push(text, &theirs[..head]);
    mark(text, &format!("<<<<<<< {THEIRS}"));
    push(text, &theirs_rest[..theirs_rest.len() - tail]);
    mark(text, "=======");
    push(text, &mine_rest[..mine_rest.len() - tail]);
    mark(text, &format!(">>>>>>> {MINE}"));
    push(text, &theirs_rest[theirs_rest.len() - tail..]);
}

fn mark(text: &mut String, mark: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(mark);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn as_data() {
        for (name, base, theirs, mine, expected, clean) in [
            ("apart", "a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n", true),
            ("one line between", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", true),
            ("touching", "a\nb\n", "A\nb\n", "a\nB\n", "<<<<<<< current\nA\nb\n=======\na\nB\n>>>>>>> yours\n", false),
            ("equal edits", "a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n", "a\nX\nc\n", true),
            ("equal edits and one more", "a\nb\nc\nd\n", "a\nX\nc\nd\n", "a\nX\nc\nD\n", "a\nX\nc\nD\n", true),
            (
                "same line",
                "x\na\ny\n",
                "x\nb\ny\n",
                "x\nc\ny\n",
                "x\n<<<<<<< current\nb\n=======\nc\n>>>>>>> yours\ny\n",
                false,
            ),
            ("deleted and kept", "a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n", true),
            (
                "deleted and changed",
                "a\nb\nc\n",
                "a\nc\n",
                "a\nB\nc\n",
                "a\n<<<<<<< current\n=======\nB\n>>>>>>> yours\nc\n",
                false,
            ),
            (
                "both add at the end",
                "a\n",
                "a\nt\n",
                "a\nm\n",
                "a\n<<<<<<< current\nt\n=======\nm\n>>>>>>> yours\n",
                false,
            ),
            (
                "both add, beginning alike",
                "a\n",
                "a\ns\nt\n",
                "a\ns\nm\n",
                "a\ns\n<<<<<<< current\nt\n=======\nm\n>>>>>>> yours\n",
                false,
            ),
            ("from nothing", "", "t\n", "", "t\n", true),
            ("last line without newline", "a\nb\nc", "A\nb\nc", "a\nb\nc\nd", "A\nb\nc\nd", true),
            ("conflict at an open end", "a", "b", "c", "<<<<<<< current\nb\n=======\nc\n>>>>>>> yours\n", false),
            ("CRLF stays", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n", true),
            ("all deleted by one", "a\nb\n", "", "a\nb\n", "", true),
        ] {
            assert_eq!(merge(base, theirs, mine), Merged { text: expected.to_owned(), clean }, "{name}");
        }
    }

    #[test]
    fn one_side_may_stand() {
        assert_eq!(merge_for("x\na\ny\nb\n", "x\nt\ny\nB\n", "X\nm\ny\nb\n"), "X\nm\ny\nB\n");
    }

    #[test]
    fn marks_are_found_again() {
        assert!(has_markers(&merge("a\n", "b\n", "c\n").text));
        assert!(!has_markers("# Title\n=======\ntext\n"));
        assert!(!has_markers("=======\n<<<<<<< current\n>>>>>>> yours\n"));
    }

    #[test]
    fn huge_texts_conflict_rather_than_hang() {
        let text = |word: &str| (0..60_000).map(|n| format!("{word} {n}\n")).collect::<String>();
        assert!(!merge(&text("base"), &text("theirs"), &text("mine")).clean);
    }

    /// How often each line that `side` has beyond `base` stands in it.
    fn gained<'a>(base: &'a str, side: &'a str) -> HashMap<&'a str, usize> {
        let lines = Lines::compare(base, side);
        let mut gained = HashMap::new();
        for edit in edits(&lines.ops) {
            for line in &lines.new[edit.side] {
                *gained.entry(line.trim_end_matches('\n')).or_insert(0) += 1;
            }
        }
        gained
    }

    fn text() -> impl Strategy<Value = String> {
        "([abcdef]\n){0,14}([ab])?"
    }

    /// A text made from another by a few edits, as people and agents make them.
    fn edited(base: String) -> impl Strategy<Value = String> {
        proptest::collection::vec((0usize..20, 0usize..3, "[uvwxyz]{1,2}"), 0..5).prop_map(move |steps| {
            let mut lines: Vec<String> = base.split_inclusive('\n').map(str::to_owned).collect();
            for (at, what, word) in steps {
                let at = at.min(lines.len());
                match what {
                    0 => lines.insert(at, format!("{word}\n")),
                    1 if at < lines.len() => lines[at] = format!("{word}\n"),
                    _ if at < lines.len() => drop(lines.remove(at)),
                    _ => {}
                }
            }
            lines.concat()
        })
    }

    fn three() -> impl Strategy<Value = (String, String, String)> {
        text().prop_flat_map(|base| (Just(base.clone()), edited(base.clone()), edited(base)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn one_side_alone_wins(base in text(), other in text()) {
            prop_assert_eq!(merge(&base, &other, &base), Merged { text: other.clone(), clean: true });
            prop_assert_eq!(merge(&base, &base, &other), Merged { text: other.clone(), clean: true });
            prop_assert_eq!(merge(&base, &other, &other), Merged { text: other, clean: true });
        }

        #[test]
        fn no_line_of_either_side_is_lost((base, theirs, mine) in three()) {
            let merged = merge(&base, &theirs, &mine);
            let mut has: HashMap<&str, usize> = HashMap::new();
            for line in merged.text.lines() {
                *has.entry(line).or_insert(0) += 1;
            }
            for side in [gained(&base, &theirs), gained(&base, &mine)] {
                for (line, count) in side {
                    prop_assert!(has.get(line).copied().unwrap_or(0) >= count, "{line:?} is lost in {:?}", merged.text);
                }
            }
            prop_assert_eq!(merged.clean, !has_markers(&merged.text));
        }

        #[test]
        fn sides_may_be_exchanged((base, theirs, mine) in three()) {
            let (one, other) = (merge(&base, &theirs, &mine), merge(&base, &mine, &theirs));
            prop_assert_eq!(one.clean, other.clean);
            if one.clean {
                prop_assert_eq!(one.text, other.text);
            }
        }

        #[test]
        fn a_line_that_nobody_touched_stays_and_a_line_that_one_removed_goes((base, theirs, mine) in three()) {
            let merged = merge(&base, &theirs, &mine);
            if merged.clean {
                let (added_by_them, removed_by_them) = crate::record::text::counts(&base, &theirs);
                let (added_by_me, removed_by_me) = crate::record::text::counts(&base, &mine);
                let lines = |text: &str| text.split_inclusive('\n').count() as i32;
                let (most, least) = (
                    lines(&base) + added_by_them + added_by_me - removed_by_them.max(removed_by_me),
                    lines(&base) + added_by_them.max(added_by_me) - removed_by_them - removed_by_me,
                );
                prop_assert!((least..=most).contains(&lines(&merged.text)));
            }
        }
    }
}
