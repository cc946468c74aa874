use std::collections::BTreeSet;
use std::ops::Range;

use similar::DiffOp;

use super::diff::CONTEXT;
use super::lines::Lines;
use super::merge::{Merged, merge};

/// A hunk was named that the diff does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no hunk {number}: the change has {count}, numbered from 0")]
pub struct NoSuchHunk {
    pub number: usize,
    pub count: usize,
}

/// `old` with only the chosen hunks of the change to `new` made. Numbers are those of [`super::diff`] of the two texts.
///
/// # Errors
/// A number that the diff does not have.
pub fn take(old: &str, new: &str, chosen: &[usize]) -> Result<String, NoSuchHunk> {
    let lines = Lines::compare(old, new);
    let groups = similar::group_diff_ops(lines.ops.clone(), CONTEXT);
    let count = groups.len();
    if let Some(number) = chosen.iter().copied().find(|number| *number >= count) {
        return Err(NoSuchHunk { number, count });
    }
    // A hunk begins and ends with lines that both texts have, so the changes of the whole that lie in its span of `old` are its own.
    let taken: BTreeSet<(usize, usize)> = chosen
        .iter()
        .flat_map(|number| &groups[*number])
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| (op.old_range().start, op.new_range().start))
        .collect();
    let mut text = String::with_capacity(old.len().max(new.len()));
    for op in &lines.ops {
        let is_taken = taken.contains(&(op.old_range().start, op.new_range().start));
        let (side, range): (&[&str], Range<usize>) =
            if is_taken { (&lines.new, op.new_range()) } else { (&lines.old, op.old_range()) };
        text.extend(side[range].iter().copied());
    }
    Ok(text)
}

/// Takes the chosen hunks of the change from `before` to `after` back out of `current`, which may have moved on since: a three-way merge with
/// `after` as the base. All hunks when `hunks` is `None`. Not clean when `current` changed the same lines; then nothing should be written.
///
/// # Errors
/// A number that the diff of `before` and `after` does not have.
pub fn revert(before: &str, after: &str, current: &str, hunks: Option<&[usize]>) -> Result<Merged, NoSuchHunk> {
    let target = match hunks {
        None => before.to_owned(),
        Some(undone) => {
            let count = similar::group_diff_ops(Lines::compare(before, after).ops, CONTEXT).len();
            if let Some(number) = undone.iter().copied().find(|number| *number >= count) {
                return Err(NoSuchHunk { number, count });
            }
            let kept: Vec<usize> = (0..count).filter(|number| !undone.contains(number)).collect();
            take(before, after, &kept)?
        }
    };
    Ok(merge(after, current, &target))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::text::diff;
    use proptest::prelude::*;

    fn numbered(changes: &[(usize, &str)]) -> String {
        (1..=30)
            .map(|n| match changes.iter().find(|(line, _)| *line == n) {
                Some((_, text)) => format!("{text}\n"),
                None => format!("line {n}\n"),
            })
            .collect()
    }

    #[test]
    fn one_hunk_is_taken_or_taken_back() {
        let before = numbered(&[]);
        let after = numbered(&[(3, "three"), (15, "fifteen"), (28, "twenty-eight")]);
        assert_eq!(take(&before, &after, &[1]), Ok(numbered(&[(15, "fifteen")])));
        let merged = revert(&before, &after, &after, Some(&[0, 2])).unwrap();
        assert_eq!(merged, Merged { text: numbered(&[(15, "fifteen")]), clean: true });
    }

    #[test]
    fn the_text_may_have_moved_on() {
        let before = numbered(&[]);
        let after = numbered(&[(3, "three"), (28, "twenty-eight")]);
        let current = numbered(&[(3, "three"), (10, "ten, by a person"), (28, "twenty-eight")]);
        let merged = revert(&before, &after, &current, Some(&[0])).unwrap();
        assert_eq!(merged, Merged { text: numbered(&[(10, "ten, by a person"), (28, "twenty-eight")]), clean: true });
        let current = numbered(&[(3, "three and more"), (28, "twenty-eight")]);
        assert!(!revert(&before, &after, &current, Some(&[0])).unwrap().clean);
        assert!(revert(&before, &after, &current, Some(&[1])).unwrap().clean);
    }

    #[test]
    fn numbers_beyond_the_diff_are_refused() {
        let error = revert("a\n", "b\n", "b\n", Some(&[1])).unwrap_err();
        assert_eq!(error.to_string(), "there is no hunk 1: the change has 1, numbered from 0");
        assert_eq!(take("a\n", "a\n", &[0]), Err(NoSuchHunk { number: 0, count: 0 }));
    }

    proptest! {
        #[test]
        fn all_and_none(old in "([abcdefgh]\n){0,40}[ab]{0,1}", new in "([abcdefgh]\n){0,40}[ab]{0,1}") {
            let count = diff(&old, &new).hunks.len();
            let all: Vec<usize> = (0..count).collect();
            prop_assert_eq!(take(&old, &new, &all).unwrap(), new.clone());
            prop_assert_eq!(take(&old, &new, &[]).unwrap(), old.clone());
            let undone = revert(&old, &new, &new, None).unwrap();
            prop_assert_eq!(undone, Merged { text: old.clone(), clean: true });
            for number in &all {
                let rest: Vec<usize> = all.iter().copied().filter(|other| other != number).collect();
                let one = revert(&old, &new, &new, Some(&[*number])).unwrap();
                prop_assert!(one.clean);
                prop_assert_eq!(one.text, take(&old, &new, &rest).unwrap());
            }
        }
    }
}
