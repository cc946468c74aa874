use similar::{ChangeTag, DiffOp};
use unicode_segmentation::UnicodeSegmentation;
use wire::diff::{Diff, DiffLine, Hunk, LineKind};

use super::lines::{Lines, compare};
use crate::text::cut;

/// Unchanged lines shown around a change.
pub(super) const CONTEXT: usize = 3;
/// Words of one change, both sides together, that are compared; beyond that its lines are whole.
const MAX_WORDS: usize = 4_000;
/// Words of the whole diff that are compared.
const MAX_ALL_WORDS: usize = 40_000;
/// Lines that a diff shows, and bytes of one line and of all; what is beyond is counted but not shown.
const MAX_SHOWN_LINES: usize = 4_000;
const MAX_SHOWN_LINE: usize = 8_000;
const MAX_SHOWN_BYTES: usize = 400_000;

/// How `old` becomes `new`, ready to show: hunks with three lines around them and the changed words marked.
///
/// The work is bounded by counts, not by a clock, so the same texts always give the same diff: `coarse` says that some words or lines were not
/// compared, or are counted but not shown. Hunks are numbered from 0 as [`super::take`] and [`super::revert`] understand them.
#[must_use]
pub fn diff(old: &str, new: &str) -> Diff {
    let lines = Lines::compare(old, new);
    let mut made = Made { words: MAX_ALL_WORDS, lines: MAX_SHOWN_LINES, bytes: MAX_SHOWN_BYTES, coarse: lines.coarse };
    let mut hunks = Vec::new();
    for group in similar::group_diff_ops(lines.ops.clone(), CONTEXT) {
        if made.full() {
            made.coarse = true;
            break;
        }
        let mut hunk = Hunk { lines: Vec::new() };
        for op in &group {
            made.push(&mut hunk.lines, &lines, op);
        }
        hunks.push(hunk);
    }
    let (added, removed) = count(&lines);
    Diff { hunks, added, removed, coarse: made.coarse }
}

/// Lines added and removed, without making the diff's lines.
#[must_use]
pub fn counts(old: &str, new: &str) -> (i32, i32) {
    if old == new { (0, 0) } else { count(&Lines::compare(old, new)) }
}

fn count(lines: &Lines) -> (i32, i32) {
    let (mut added, mut removed) = (0, 0);
    for op in lines.ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        added += op.new_range().len();
        removed += op.old_range().len();
    }
    (i32::try_from(added).unwrap_or(i32::MAX), i32::try_from(removed).unwrap_or(i32::MAX))
}

/// What may still be spent on this diff.
struct Made {
    words: usize,
    lines: usize,
    bytes: usize,
    coarse: bool,
}

impl Made {
    const fn full(&self) -> bool {
        self.lines == 0 || self.bytes == 0
    }

    fn push(&mut self, into: &mut Vec<DiffLine>, lines: &Lines, op: &DiffOp) {
        let (old, new) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            for (at_old, at_new) in old.zip(new) {
                let runs = vec![(false, shown(lines.old[at_old]).to_owned())];
                self.line(into, LineKind::Same, Some(at_old), Some(at_new), runs);
            }
            return;
        }
        let (old_lines, new_lines) = (&lines.old[old.clone()], &lines.new[new.clone()]);
        let (old_runs, new_runs) = self.marked(old_lines, new_lines);
        for (at, runs) in old.zip(old_runs) {
            self.line(into, LineKind::Removed, Some(at), None, runs);
        }
        for (at, runs) in new.zip(new_runs) {
            self.line(into, LineKind::Added, None, Some(at), runs);
        }
    }

    fn line(
        &mut self,
        into: &mut Vec<DiffLine>,
        kind: LineKind,
        old: Option<usize>,
        new: Option<usize>,
        mut runs: Vec<(bool, String)>,
    ) {
        if self.full() {
            self.coarse = true;
            return;
        }
        let room = MAX_SHOWN_LINE.min(self.bytes);
        if runs.iter().map(|(_, text)| text.len()).sum::<usize>() > room {
            self.coarse = true;
            shorten(&mut runs, room);
        }
        self.lines -= 1;
        self.bytes = self.bytes.saturating_sub(runs.iter().map(|(_, text)| text.len()).sum::<usize>().max(1));
        into.push(DiffLine { kind, old: old.and_then(number), new: new.and_then(number), runs });
    }

    /// The runs of the removed and of the added lines of one change, with the words marked that the other side does not have.
    fn marked(&mut self, old: &[&str], new: &[&str]) -> (Vec<Runs>, Vec<Runs>) {
        let whole =
            |lines: &[&str]| lines.iter().map(|line| vec![(false, shown(line).to_owned())]).collect::<Vec<Runs>>();
        if old.is_empty() || new.is_empty() {
            return (whole(old), whole(new));
        }
        let old_words = words(old, self.words.min(MAX_WORDS));
        let new_words = words(new, self.words.min(MAX_WORDS));
        let (Some(old_words), Some(new_words)) = (old_words, new_words) else {
            self.coarse = true;
            return (whole(old), whole(new));
        };
        let spent = old_words.len() + new_words.len();
        if spent > self.words.min(MAX_WORDS) {
            self.coarse = true;
            return (whole(old), whole(new));
        }
        self.words -= spent;
        let old_texts: Vec<&str> = old_words.iter().map(|word| word.text).collect();
        let new_texts: Vec<&str> = new_words.iter().map(|word| word.text).collect();
        let (ops, _) = compare(&old_texts, &new_texts, usize::MAX);
        // two lines that share next to nothing are two lines: marking all their words would say no more than their colour
        let solid = |words: &[Word<'_>]| words.iter().filter(|word| !word.text.trim().is_empty()).count();
        let shared = ops
            .iter()
            .filter(|op| op.tag() == similar::DiffTag::Equal)
            .map(|op| solid(&old_words[op.old_range()]))
            .sum::<usize>();
        if shared * 6 < solid(&old_words) + solid(&new_words) {
            return (whole(old), whole(new));
        }
        let mut old_runs = vec![Runs::new(); old.len()];
        let mut new_runs = vec![Runs::new(); new.len()];
        for change in ops.iter().flat_map(|op| op.iter_changes(&old_texts[..], &new_texts[..])) {
            let mark = change.tag() != ChangeTag::Equal;
            if let Some(word) = change.old_index().map(|at| &old_words[at]) {
                append(&mut old_runs[word.line], mark, word.text);
            }
            if let Some(word) = change.new_index().map(|at| &new_words[at]) {
                append(&mut new_runs[word.line], mark, word.text);
            }
        }
        (old_runs, new_runs)
    }
}

type Runs = Vec<(bool, String)>;

struct Word<'a> {
    line: usize,
    text: &'a str,
}

/// The words, and what stands between them, of lines; none when there are more than `limit`.
fn words<'a>(lines: &[&'a str], limit: usize) -> Option<Vec<Word<'a>>> {
    let mut words = Vec::new();
    for (line, text) in lines.iter().enumerate() {
        for word in shown(text).split_word_bounds() {
            if words.len() == limit {
                return None;
            }
            words.push(Word { line, text: word });
        }
    }
    Some(words)
}

/// A line without its line feed; a carriage return stays, so that a change of line ends can be seen as one.
fn shown(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

fn append(runs: &mut Runs, mark: bool, text: &str) {
    match runs.last_mut() {
        Some((last, run)) if *last == mark => run.push_str(text),
        _ => runs.push((mark, text.to_owned())),
    }
}

fn shorten(runs: &mut Runs, room: usize) {
    let mut left = room;
    for at in 0..runs.len() {
        let text = &mut runs[at].1;
        let kept = cut(text, left).len();
        if kept < text.len() {
            text.truncate(kept);
            text.push('…');
            runs.truncate(at + 1);
            return;
        }
        left -= kept;
    }
}

fn number(index: usize) -> Option<u32> {
    u32::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One line a diff line: its sign, its numbers, and marked words in brackets.
    fn drawn(diff: &Diff) -> String {
        let mut text = String::new();
        for hunk in &diff.hunks {
            text.push_str("@@\n");
            for line in &hunk.lines {
                let sign = match line.kind {
                    LineKind::Same => ' ',
                    LineKind::Added => '+',
                    LineKind::Removed => '-',
                };
                let show = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
                text.push_str(&format!("{sign}{}/{} ", show(line.old), show(line.new)));
                for (mark, run) in &line.runs {
                    text.push_str(&if *mark { format!("[{run}]") } else { run.clone() });
                }
                text.push('\n');
            }
        }
        text
    }

    #[test]
    fn a_changed_word_is_marked() {
        let old = "# Plan\n\n1. A button\n2. Left of Filter\n3. Downlaod the CSV\n";
        let new = "# Plan\n\n1. A button\n2. Left of Filter\n3. download the CSV\n";
        let made = diff(old, new);
        assert_eq!((made.added, made.removed, made.coarse), (1, 1, false));
        assert_eq!(
            drawn(&made),
            "@@\n 2/2 \n 3/3 1. A button\n 4/4 2. Left of Filter\n-5/- 3. [Downlaod] the CSV\n+-/5 3. [download] the CSV\n"
        );
    }

    #[test]
    fn far_changes_are_hunks_of_their_own() {
        let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let new = old.replace("line 2\n", "line two\n").replace("line 19\n", "");
        let made = diff(&old, &new);
        assert_eq!(made.hunks.len(), 2);
        assert_eq!((made.added, made.removed), (1, 2));
        assert_eq!(counts(&old, &new), (1, 2));
    }

    #[test]
    fn unlike_lines_are_not_marked_word_by_word() {
        let made = diff("alpha beta gamma\n", "one two three four\n");
        assert!(made.hunks[0].lines.iter().all(|line| line.runs.iter().all(|(mark, _)| !mark)));
    }

    #[test]
    fn equal_texts_have_no_hunks() {
        assert_eq!(diff("a\nb", "a\nb"), Diff { hunks: vec![], added: 0, removed: 0, coarse: false });
        assert_eq!(counts("", ""), (0, 0));
    }

    #[test]
    fn line_ends_are_changes() {
        assert_eq!(counts("a\nb", "a\nb\n"), (1, 1));
        assert_eq!(counts("a\r\nb\r\n", "a\nb\n"), (2, 2));
    }

    #[test]
    fn huge_texts_are_cut_off_and_said_so() {
        let old: String = (0..30_000).map(|n| format!("old {n}\n")).collect();
        let new: String = (0..30_000).map(|n| format!("new {n}\n")).collect();
        let made = diff(&old, &new);
        assert!(made.coarse);
        assert_eq!((made.added, made.removed), (30_000, 30_000));
        assert!(made.hunks.iter().map(|hunk| hunk.lines.len()).sum::<usize>() <= MAX_SHOWN_LINES);
    }

    #[test]
    fn one_endless_line_is_shown_shortened() {
        let old = "x".repeat(1_000_000);
        let new = format!("{old}y");
        let made = diff(&old, &new);
        assert!(made.coarse);
        assert!(made.hunks[0].lines.iter().all(|line| line.runs[0].1.len() <= MAX_SHOWN_LINE + '…'.len_utf8()));
    }

    proptest! {
        /// The lines of the hunks are the lines of the texts, in order, and their numbers are right.
        #[test]
        fn hunks_tell_the_truth(old in "([ab c]{0,3}\n){0,12}[abc]{0,2}", new in "([ab c]{0,3}\n){0,12}[abc]{0,2}") {
            let made = diff(&old, &new);
            let old_lines: Vec<&str> = old.split_inclusive('\n').map(shown).collect();
            let new_lines: Vec<&str> = new.split_inclusive('\n').map(shown).collect();
            for line in made.hunks.iter().flat_map(|hunk| &hunk.lines) {
                let text: String = line.runs.iter().map(|(_, run)| run.as_str()).collect();
                if let Some(number) = line.old {
                    prop_assert_eq!(old_lines[number as usize - 1], &text);
                }
                if let Some(number) = line.new {
                    prop_assert_eq!(new_lines[number as usize - 1], &text);
                }
                prop_assert_eq!(line.kind == LineKind::Same, line.old.is_some() && line.new.is_some());
            }
            prop_assert_eq!(made.hunks.is_empty(), old == new);
            prop_assert_eq!(counts(&old, &new), (made.added, made.removed));
            prop_assert_eq!(old_lines.len() as i32 + made.added - made.removed, new_lines.len() as i32);
        }
    }
}
