//! Two texts compared line by line: the one comparison that diffs, hunks and merges are made from, so that their numbers agree.

use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// More differing lines than this, both sides together, are not compared but taken as one change: the work stays bounded whatever the texts are.
const MAX_LINES: usize = 40_000;

/// Lines, each with its own line end, of both texts and how one becomes the other.
pub struct Lines<'a> {
    pub old: Vec<&'a str>,
    pub new: Vec<&'a str>,
    pub ops: Vec<DiffOp>,
    /// The middle was too large and is one change.
    pub coarse: bool,
}

impl<'a> Lines<'a> {
    #[must_use]
    pub fn compare(old: &'a str, new: &'a str) -> Lines<'a> {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let (ops, coarse) = compare(&old, &new, MAX_LINES);
        Lines { old, new, ops, coarse }
    }
}

/// How `old` becomes `new`; `true` when the parts that differ hold more than `limit` items and were taken as one change.
#[must_use]
pub fn compare(old: &[&str], new: &[&str], limit: usize) -> (Vec<DiffOp>, bool) {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(new).take_while(same).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(same).count();
    let old_middle = &old[head..old.len() - tail];
    let new_middle = &new[head..new.len() - tail];
    if old_middle.len() + new_middle.len() > limit {
        let mut ops = Vec::with_capacity(3);
        if head > 0 {
            ops.push(DiffOp::Equal { old_index: 0, new_index: 0, len: head });
        }
        ops.push(change(head, old_middle.len(), head, new_middle.len()));
        if tail > 0 {
            ops.push(DiffOp::Equal { old_index: old.len() - tail, new_index: new.len() - tail, len: tail });
        }
        return (ops, true);
    }
    // numbers compare faster than texts, and each text is hashed once
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut intern = |text| {
        let next = numbers.len();
        *numbers.entry(text).or_insert(next)
    };
    let old_numbers: Vec<usize> = old.iter().map(|text| intern(*text)).collect();
    let new_numbers: Vec<usize> = new.iter().map(|text| intern(*text)).collect();
    (capture_diff_slices(Algorithm::Myers, &old_numbers, &new_numbers), false)
}

fn change(old_index: usize, old_len: usize, new_index: usize, new_len: usize) -> DiffOp {
    match (old_len, new_len) {
        (_, 0) => DiffOp::Delete { old_index, old_len, new_index },
        (0, _) => DiffOp::Insert { old_index, new_index, new_len },
        _ => DiffOp::Replace { old_index, old_len, new_index, new_len },
    }
}
