use serde_json::json;

use super::plan::{Step, without};
use super::seen::Seen;

/// Finds the old text, puts the new one in its place, and says so in one line.
pub(super) fn next(seen: &Seen, old: &str, new: &str, nth: Option<usize>) -> Step {
    if !seen.may("Edit") {
        return without("Edit");
    }
    if let Some(edit) = seen.last("Edit") {
        let path = edit.input["path"].as_str().unwrap_or_default();
        return Step::Say(match edit.is_error {
            true => edit.result.clone(),
            false if new.is_empty() => format!("I removed “{old}” from `{path}`."),
            false => format!("I changed “{old}” to “{new}” in `{path}`."),
        });
    }
    let Some(grep) = seen.last("Grep") else {
        return Step::Call(vec![("Grep", json!({"pattern": regex::escape(old)}))]);
    };
    if grep.is_error {
        return Step::Say(grep.result.clone());
    }
    let hits: Vec<Hit> = grep.result.lines().filter_map(Hit::parse).filter(|hit| hit.text.contains(old)).collect();
    match choose(&hits, seen.anchor.as_deref(), nth) {
        Choice::Nothing => Step::Say(format!("I found “{old}” in no file of this chat.")),
        Choice::One(hit) => {
            // the whole line where the words alone would not say which place is meant
            let alone = hits.iter().filter(|other| other.path == hit.path).count() == 1;
            let (from, to) = match alone {
                true => (old.to_owned(), new.to_owned()),
                false => (hit.text.to_owned(), hit.text.replacen(old, new, 1)),
            };
            Step::Call(vec![("Edit", json!({"path": hit.path, "old": from, "new": to}))])
        }
        Choice::Several(hits) => {
            let places: Vec<String> =
                hits.iter().map(|hit| format!("- `{}`, line {}: {}", hit.path, hit.line, hit.text.trim())).collect();
            Step::Say(format!(
                "“{old}” stands in several places. Give more of the text around the one you mean:\n\n{}",
                places.join("\n")
            ))
        }
    }
}

/// A line that was found, as `path:line: text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hit<'a> {
    path: &'a str,
    line: &'a str,
    text: &'a str,
}

impl Hit<'_> {
    fn parse(line: &str) -> Option<Hit<'_>> {
        let (path, rest) = line.split_once(".md:")?;
        let (number, text) = rest.split_once(": ")?;
        number.parse::<u32>().ok()?;
        let path = line.get(..path.len() + 3)?;
        Some(Hit { path, line: number, text })
    }
}

enum Choice<'a> {
    Nothing,
    One(Hit<'a>),
    Several(Vec<Hit<'a>>),
}

/// Which place is meant: in the file that the chat is about rather than in another, and in the item of a list that the sentence counts to.
fn choose<'a>(hits: &[Hit<'a>], anchor: Option<&str>, nth: Option<usize>) -> Choice<'a> {
    let here: Vec<Hit<'a>> = hits.iter().copied().filter(|hit| Some(hit.path) == anchor).collect();
    let hits = if here.is_empty() { hits.to_vec() } else { here };
    let counted: Vec<Hit<'a>> = nth
        .map(|nth| hits.iter().copied().filter(|hit| hit.text.trim_start().starts_with(&format!("{nth}."))).collect())
        .unwrap_or_default();
    let hits = if counted.len() == 1 { counted } else { hits };
    match hits.as_slice() {
        [] => Choice::Nothing,
        [hit] => Choice::One(*hit),
        _ => Choice::Several(hits),
    }
}
