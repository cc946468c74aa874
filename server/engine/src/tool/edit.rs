use schemars::JsonSchema;
use serde::Deserialize;
use wire::access::Scope;

use super::context::ToolContext;
use super::definition::{Definition, ToolKind, aside};
use super::outcome::ToolOutcome;
use super::read::text_of;
use super::write::put;
use crate::text::storable;

pub(super) struct Edit;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The file, such as `plans/csv-export.md`.
    path: String,
    /// The text to replace, exactly as it stands in the file, blanks and line ends included. It must stand there once.
    old: String,
    /// The text to put in its place, taken literally.
    new: String,
    /// Replace every place instead of exactly one.
    #[serde(default)]
    replace_all: Option<bool>,
}

impl Definition for Edit {
    const NAME: &'static str = "Edit";
    const DESCRIPTION: &'static str = "Replaces a text in a file of the workspace. `old` must stand in the file exactly once, unless `replace_all` is \
        true; when it does not, nothing is changed and the answer says how often and on which lines it was found.";
    const KIND: ToolKind = ToolKind::Write;
    const SCOPES: &'static [Scope] = &[Scope::ChatUse];
    const LABEL: &'static str = "path";
    type Input = Input;

    async fn run(context: &ToolContext, input: Input) -> ToolOutcome {
        let context = context.clone();
        aside(move || {
            let (path, before) = match text_of(&context.workspace, &input.path) {
                Ok(found) => found,
                Err(error) => return ToolOutcome::error(error),
            };
            let new = storable(&input.new);
            match replaced(&before, &input.old, &new, input.replace_all.unwrap_or(false)) {
                Ok(after) => put(&context, &path, Some(&before), &after),
                Err(error) => ToolOutcome::error(format!("Nothing was changed in {path}: {error}")),
            }
        })
        .await
    }
}

/// Places that are counted and named; beyond it "more than" is said.
const MOST_COUNTED: usize = 1_000;
const MOST_NAMED: usize = 20;

/// `text` with `old` replaced by `new`.
fn replaced(text: &str, old: &str, new: &str, all: bool) -> Result<String, String> {
    if old.is_empty() {
        return Err("`old` is empty. Give the text to replace; to write a whole file use Write.".to_owned());
    }
    if old == new {
        return Err("`old` and `new` are the same text, so there is nothing to do.".to_owned());
    }
    let places = places(text, old);
    match places.as_slice() {
        [] => Err(not_found(text, old)),
        [at] => Ok(format!("{}{new}{}", &text[..*at], &text[at + old.len()..])),
        _ if all => Ok(text.replace(old, new)),
        _ => {
            let count = if places.len() > MOST_COUNTED {
                format!("more than {MOST_COUNTED}")
            } else {
                places.len().to_string()
            };
            Err(format!(
                "`old` was found {count} times, on lines {}. Give more of the text around the place you mean, or set replace_all.",
                lines(text, &places)
            ))
        }
    }
}

/// Where `old` begins in `text`, overlapping places included: `aa` stands twice in `aaa`, and which one was meant nobody can tell.
fn places(text: &str, old: &str) -> Vec<usize> {
    let step = old.chars().next().map_or(1, char::len_utf8);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(old)) {
        places.push(from + at);
        if places.len() > MOST_COUNTED {
            break;
        }
        from += at + step;
    }
    places
}

fn lines(text: &str, places: &[usize]) -> String {
    let mut named = Vec::new();
    let (mut line, mut from) = (1, 0);
    for at in places.iter().take(MOST_NAMED) {
        line += text.as_bytes()[from..*at].iter().filter(|byte| **byte == b'\n').count();
        from = *at;
        named.push(line.to_string());
    }
    if places.len() > MOST_NAMED {
        named.push("…".to_owned());
    }
    named.join(", ")
}

/// What was wrong with a text that stands nowhere, as far as it can be guessed.
fn not_found(text: &str, old: &str) -> String {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hint = if text.contains("\r\n") && !old.contains('\r') && text.replace("\r\n", "\n").contains(old) {
        " The file's lines end with CRLF; give them so."
    } else if plain(text).contains(&plain(old)) && !old.trim().is_empty() {
        " It stands there with other blanks or line ends; Read the file and copy the text as it is."
    } else {
        " Read the file and copy the text as it is."
    };
    format!("`old` was found 0 times.{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn exactly_one_place_or_nothing() {
        let twice = "## A\n- [ ] Status: open\n## B\n- [ ] Status: open\n";
        let error = replaced(twice, "- [ ] Status: open", "- [x] Status: done", false).unwrap_err();
        assert!(error.contains("found 2 times, on lines 2, 4"), "{error}");
        assert_eq!(
            replaced(twice, "## B\n- [ ] Status: open", "## B\n- [x] done", false).unwrap(),
            "## A\n- [ ] Status: open\n## B\n- [x] done\n"
        );
        assert_eq!(replaced(twice, "open", "done", true).unwrap(), twice.replace("open", "done"));
        for (text, old, new, all, says) in [
            ("text", "", "x", false, "empty"),
            ("text", "", "x", true, "empty"),
            ("text", "text", "text", false, "same text"),
            ("text", "none", "x", false, "found 0 times"),
            ("text", "none", "x", true, "found 0 times"),
            ("aaa", "aa", "b", false, "found 2 times, on lines 1, 1"),
            ("a\r\nb\r\n", "a\nb", "x", false, "CRLF"),
            ("a  b", "a b", "x", false, "other blanks"),
        ] {
            let error = replaced(text, old, new, all).unwrap_err();
            assert!(error.contains(says), "{text:?} {old:?}: {error}");
        }
    }

    #[test]
    fn the_new_text_is_taken_literally() {
        let new = "cost $1 & $& $$ \\1 ${x}";
        assert_eq!(replaced("a b c", "b", new, false).unwrap(), format!("a {new} c"));
        assert_eq!(replaced("b b", "b", new, true).unwrap(), format!("{new} {new}"));
    }

    #[test]
    fn endless_repetitions_are_not_counted_for_ever() {
        let text = "a".repeat(1_000_000);
        let error = replaced(&text, &"a".repeat(1_000), "b", false).unwrap_err();
        assert!(error.contains("more than 1000 times"), "{error}");
    }

    proptest! {
        #[test]
        fn an_edit_changes_one_place_and_nothing_else(text in "([ab]|é|\n){0,30}", old in "([ab]|é|\n){0,3}", new in "([abc$\\\\]|é){0,3}") {
            let found = text.char_indices().filter(|(at, _)| !old.is_empty() && text[*at..].starts_with(&old)).count();
            match replaced(&text, &old, &new, false) {
                Ok(after) => {
                    prop_assert_eq!(found, 1);
                    prop_assert_eq!(after, text.replacen(&old, &new, 1));
                }
                Err(error) => {
                    prop_assert!(old.is_empty() || old == new || found != 1);
                    if !old.is_empty() && old != new {
                        prop_assert!(error.contains(&format!("found {found} times")), "{}", error);
                    }
                }
            }
            if let Ok(after) = replaced(&text, &old, &new, true) {
                prop_assert_eq!(after, text.replace(&old, &new));
            }
        }
    }
}
