use std::borrow::Cow;

/// `text` as the database can hold it. Postgres refuses U+0000 in `text` and in `jsonb`; each one becomes U+FFFD, the mark that readers know for
/// "something was here". Everything else that Rust calls text can be stored.
#[must_use]
pub fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nul_is_replaced() {
        assert_eq!(storable("a\0b\0"), "a\u{fffd}b\u{fffd}");
        assert!(matches!(storable("a\u{fffe}\u{202e}b"), Cow::Borrowed("a\u{fffe}\u{202e}b")));
    }
}
