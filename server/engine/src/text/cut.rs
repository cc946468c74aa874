use unicode_segmentation::UnicodeSegmentation;

/// The beginning of `text` that fits into `bytes` bytes, cut between user-perceived characters: a flag, an emoji family or a letter with its
/// accents is kept whole or left out. A first character that is longer than `bytes` is cut between its code points, so that one letter with
/// thousands of marks cannot pass the limit. Gives the same slice back when all of it fits.
#[must_use]
pub fn cut(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let mut end = 0;
    for (start, cluster) in text.grapheme_indices(true) {
        if start + cluster.len() > bytes {
            break;
        }
        end = start + cluster.len();
    }
    if end == 0 {
        end = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_characters_only() {
        for (text, bytes, expected) in [
            ("short", 10, "short"),
            ("", 0, ""),
            ("abc", 0, ""),
            ("a─b", 2, "a"),
            ("a─b", 4, "a─"),
            ("中文", 4, "中"),
            ("🇺🇸🇺🇸", 8, "🇺🇸"),
            ("🇺🇸🇺🇸", 15, "🇺🇸"),
            ("a👨‍👩‍👧‍👦", 10, "a"),
            ("e\u{301}e\u{301}", 4, "e\u{301}"),
            ("x👍🏽", 5, "x"),
        ] {
            assert_eq!(cut(text, bytes), expected, "{text:?} at {bytes}");
        }
    }

    #[test]
    fn one_letter_with_endless_marks_is_still_cut() {
        let text = format!("a{}", "\u{301}".repeat(1000));
        assert_eq!(cut(&text, 101).len(), 101);
        assert_eq!(cut("😀", 2), "");
    }

    proptest! {
        #[test]
        fn never_longer_never_different(text in ".{0,60}", bytes in 0usize..80) {
            let kept = cut(&text, bytes);
            prop_assert!(kept.len() <= bytes || text.len() <= bytes);
            prop_assert!(text.starts_with(kept));
        }
    }
}
