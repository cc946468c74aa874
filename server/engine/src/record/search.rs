use crate::text::cut;

/// Bytes of a search that are looked at.
const LONGEST: usize = 400;
/// Words of a search that are looked at.
const WORDS: usize = 16;

/// What a person looks for: as typed, and as the beginnings of words. None when nothing was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub typed: String,
    /// None when what was typed holds no letter or digit: then nothing is found.
    pub prefix: Option<String>,
    /// Quotes or a minus were typed: words are meant as they stand.
    pub exact: bool,
}

impl Search {
    #[must_use]
    pub fn read(q: &str) -> Option<Search> {
        let typed = crate::text::storable(cut(q.trim(), LONGEST)).into_owned();
        if typed.is_empty() {
            return None;
        }
        // only letters and digits reach the query: none of its signs can be typed
        let words: Vec<String> = typed
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .take(WORDS)
            .map(|word| format!("{word}:*"))
            .collect();
        let exact = typed.contains('"') || typed.split_whitespace().any(|word| word.starts_with('-'));
        Some(Search { typed, prefix: (!words.is_empty()).then(|| words.join(" & ")), exact })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_reach_the_query() {
        let prefix = |q: &str| Search::read(q).and_then(|search| search.prefix);
        assert_eq!(prefix("csv exp").as_deref(), Some("csv:* & exp:*"));
        assert_eq!(prefix("a & !b | (c:*)'").as_deref(), Some("a:* & b:* & c:*"));
        assert_eq!(prefix("Größe 中文").as_deref(), Some("Größe:* & 中文:*"));
        assert_eq!(prefix("?!"), None);
        assert_eq!(Search::read(" \t"), None);
        let exact = |q: &str| Search::read(q).is_some_and(|search| search.exact);
        assert!(exact("csv -button") && exact("\"csv export\"") && !exact("csv-export"));
        assert!(Search::read(&"x ".repeat(10_000)).unwrap().typed.len() <= LONGEST);
    }
}
