/// What a key means in the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Send,
    /// A line break, or a matter of the input method's.
    Text,
}

/// Enter sends; with Shift it breaks the line; while an input method composes it is the method's, whatever order the browser
/// tells things in: Safari ends the composition before the key, and then only the key code (229) tells.
#[must_use]
pub fn meaning(key: &str, shift: bool, composing: bool, key_code: u32) -> Meaning {
    if key == "Enter" && !shift && !composing && key_code != 229 { Meaning::Send } else { Meaning::Text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_that_confirms_a_candidate_is_not_a_send() {
        assert_eq!(meaning("Enter", false, true, 229), Meaning::Text);
        assert_eq!(meaning("Enter", false, false, 229), Meaning::Text);
        assert_eq!(meaning("Enter", false, true, 13), Meaning::Text);
        assert_eq!(meaning("Process", false, true, 229), Meaning::Text);
        assert_eq!(meaning("Enter", false, false, 13), Meaning::Send);
        assert_eq!(meaning("Enter", true, false, 13), Meaning::Text);
    }
}
