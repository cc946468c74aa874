use wire::diff::Diff;
use wire::tool::TodoItem;

use crate::text::{cut, storable};

/// The most that a result holds, in bytes; what is longer is cut between characters and says how to read the rest.
pub const MAX_RESULT_BYTES: usize = 30_000;

/// What a tool call led to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutcome {
    /// What the agent reads, and the card shows.
    pub content: String,
    pub is_error: bool,
    /// `content` is not all there was.
    pub truncated: bool,
    /// What the call changed in a file.
    pub diff: Option<Diff>,
    /// The turn's own list, when the call wrote it.
    pub todo: Option<Vec<TodoItem>>,
}

impl ToolOutcome {
    /// A result that fits; `rest` says how to read what does not.
    #[must_use]
    pub fn said(content: &str, rest: &str) -> ToolOutcome {
        let content = storable(content);
        if content.len() <= MAX_RESULT_BYTES {
            return ToolOutcome { content: content.into_owned(), ..ToolOutcome::default() };
        }
        let kept = cut(&content, MAX_RESULT_BYTES);
        let content = format!("{kept}…\n\n[cut here: {} of {} bytes are shown. {rest}]", kept.len(), content.len());
        ToolOutcome { content, truncated: true, ..ToolOutcome::default() }
    }

    /// A refusal or a failure: what was wrong and what would be right.
    #[must_use]
    pub fn error(content: impl AsRef<str>) -> ToolOutcome {
        let said = ToolOutcome::said(content.as_ref(), "");
        ToolOutcome { is_error: true, ..said }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_cut_between_characters_and_says_so() {
        for character in ["─", "中", "😀", "🇺🇸", "e\u{301}", "a"] {
            let long = character.repeat(40_000 / character.len());
            let outcome = ToolOutcome::said(&long, "Read on with offset.");
            assert!(outcome.truncated);
            let (kept, note) = outcome.content.split_once("…\n\n[cut here: ").unwrap();
            assert!(kept.len() <= MAX_RESULT_BYTES && kept.len() + character.len() > MAX_RESULT_BYTES);
            assert_eq!(kept.replace(character, ""), "");
            assert!(note.ends_with("Read on with offset.]"));
        }
        assert!(!ToolOutcome::said(&"a".repeat(MAX_RESULT_BYTES), "").truncated);
        assert_eq!(ToolOutcome::said("a\0b", "").content, "a\u{fffd}b");
    }
}
