//! The word of an address, from a title.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Letters that a slug holds at most.
const LONGEST: usize = 60;

/// Letters and digits of `title` in ASCII, as far as they have any, with hyphens between the words; `otherwise` when nothing is left.
/// Accents are dropped and letters that are one sound in two are spelt out; other scripts have no letters here.
#[must_use]
pub fn of(title: &str, otherwise: &str) -> String {
    let mut slug = String::new();
    let mut gap = false;
    for letter in title.nfkd().filter(|letter| !is_combining_mark(*letter)) {
        let spelt = match letter {
            'ß' | 'ẞ' => "ss",
            'æ' | 'Æ' => "ae",
            'œ' | 'Œ' => "oe",
            'ø' | 'Ø' => "o",
            'đ' | 'Đ' | 'ð' | 'Ð' => "d",
            'ł' | 'Ł' => "l",
            'þ' | 'Þ' => "th",
            'ı' => "i",
            // no gap: it stands inside a word
            '\'' | '’' => continue,
            _ => "",
        };
        if letter.is_ascii_alphanumeric() || !spelt.is_empty() {
            if gap && !slug.is_empty() {
                slug.push('-');
            }
            gap = false;
            if spelt.is_empty() {
                slug.push(letter.to_ascii_lowercase());
            } else {
                slug.push_str(spelt);
            }
        } else {
            gap = true;
        }
    }
    if slug.len() > LONGEST {
        // at the end of a word, if that leaves something to read
        let end = slug[..=LONGEST].rfind('-').filter(|end| *end >= LONGEST / 2).unwrap_or(LONGEST);
        slug.truncate(end);
    }
    if slug.is_empty() { otherwise.to_owned() } else { slug }
}

/// `slug`, or `slug` with the least number behind it that is free.
#[must_use]
pub fn free(slug: &str, taken: &[String]) -> String {
    if !taken.iter().any(|other| other == slug) {
        return slug.to_owned();
    }
    let mut number = 2_u64;
    loop {
        let candidate = format!("{slug}-{number}");
        if !taken.contains(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn titles_become_words_of_an_address() {
        for (title, expected) in [
            ("CSV download button", "csv-download-button"),
            ("  Spaces   and -- hyphens ", "spaces-and-hyphens"),
            ("Größe & Maß", "grosse-mass"),
            ("Çédille œuvre", "cedille-oeuvre"),
            ("İstanbul ılık", "istanbul-ilik"),
            ("Łódź, Ærø", "lodz-aero"),
            ("What's new?", "whats-new"),
            ("ﬁne ①", "fine-1"),
            ("中文", "plan"),
            ("🇺🇸🇺🇸", "plan"),
            ("\u{200b}\u{202e}", "plan"),
            ("../../etc/passwd", "etc-passwd"),
            ("中文 v2", "v2"),
        ] {
            assert_eq!(of(title, "plan"), expected, "{title:?}");
        }
    }

    #[test]
    fn long_ones_end_at_a_word() {
        let slug = of(&"word ".repeat(40), "plan");
        assert_eq!(slug, "word-word-word-word-word-word-word-word-word-word-word-word");
        assert_eq!(of(&"x".repeat(10_000), "plan").len(), LONGEST);
    }

    #[test]
    fn the_least_free_number() {
        assert_eq!(free("a", &[]), "a");
        assert_eq!(free("a", &["a".into(), "a-3".into()]), "a-2");
        assert_eq!(free("a", &["a".into(), "a-2".into()]), "a-3");
    }

    proptest! {
        #[test]
        fn never_anything_but_words_and_single_hyphens(title in ".{0,200}") {
            let slug = of(&title, "bug");
            prop_assert!(!slug.is_empty() && slug.len() <= LONGEST);
            prop_assert!(slug.split('-').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())));
        }
    }
}
