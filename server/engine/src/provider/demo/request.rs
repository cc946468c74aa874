use std::sync::LazyLock;

use regex::Regex;

/// What the person wants, as far as it is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// One text in place of another; `nth` when the sentence names a place such as "the third".
    Fix {
        old: String,
        new: String,
        nth: Option<usize>,
    },
    /// A plan for each part.
    Draft(Vec<String>),
    List,
    Todo(Vec<String>),
    Unknown,
}

static SHOULD_BE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?is)["“”]([^"“”]+)["“”]\s+should\s+(?:be|read|say)\s+["“”]([^"“”]*)["“”]"#).ok());
static FIX_QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?is)\b(?:fix|change|replace)\s+["“”]([^"“”]+)["“”]\s+(?:to|with)\s+["“”]([^"“”]*)["“”]"#).ok()
});
static FIX_PLAIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?im)^\s*(?:please\s+)?fix\s+(\S(?:.*?\S)?)\s+to\s+(\S(?:.*\S)?)\s*$").ok());
static DRAFT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?is)\bdraft\s+(?:\w+\s+)?(?:new\s+)?plans?\b").ok());
static ONE_FOR: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\bone\s+for\s+").ok());
static LIST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s*(?:please\s+)?list(?:\s+(?:all|the|files|records|plans|bugs|initiatives|them))*\s*[.!?]*\s*$")
        .ok()
});
static TODO: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?is)^\s*to-?do:\s*(.+)$").ok());

impl Wish {
    pub fn parse(text: &str) -> Wish {
        if let Some(found) = capture(&TODO, text) {
            let items: Vec<String> = parts(&found[1], &[";", "\n"]);
            return if items.is_empty() { Wish::Unknown } else { Wish::Todo(items) };
        }
        if matches(&LIST, text) {
            return Wish::List;
        }
        for pattern in [&SHOULD_BE, &FIX_QUOTED, &FIX_PLAIN] {
            if let Some(found) = capture(pattern, text) {
                let old = unquoted(&found[1]);
                let new = prose(&old, &unquoted(&found[2]));
                return Wish::Fix { old, new, nth: ordinal(text) };
            }
        }
        if matches(&DRAFT, text) {
            return Wish::Draft(one_for(text));
        }
        Wish::Unknown
    }
}

fn capture<'a>(pattern: &LazyLock<Option<Regex>>, text: &'a str) -> Option<regex::Captures<'a>> {
    pattern.as_ref().and_then(|pattern| pattern.captures(text))
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '“', '”', '‘', '’', '\'', '`']).to_owned()
}

/// The new text without the punctuation that ends the person's sentence: a full stop inside the quotes belongs to the prose around them,
/// unless the old text had one too.
fn prose(old: &str, new: &str) -> String {
    const ENDS: [char; 6] = ['.', ',', ';', ':', '!', '?'];
    match new.chars().last() {
        Some(last) if ENDS.contains(&last) && !old.ends_with(ENDS) => new[..new.len() - last.len_utf8()].to_owned(),
        _ => new.to_owned(),
    }
}

fn ordinal(text: &str) -> Option<usize> {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.find_map(|word| WORDS.iter().position(|known| *known == word).map(|place| place + 1))
}

/// The parts of "One for A, one for B, and one for C."
fn one_for(text: &str) -> Vec<String> {
    let Some(pattern) = ONE_FOR.as_ref() else { return Vec::new() };
    let mut pieces = pattern.split(text);
    pieces.next();
    pieces
        .map(|piece| {
            let end = piece.find(['.', '\n', ';']).unwrap_or(piece.len());
            let piece = piece[..end].trim().trim_end_matches(',').trim();
            let piece = piece.strip_suffix(" and").unwrap_or(piece).trim_end_matches(',');
            let lower = piece.to_lowercase();
            let article = ["the ", "a ", "an "].into_iter().find(|article| lower.starts_with(article));
            piece[article.map_or(0, str::len)..].trim().to_owned()
        })
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn parts(text: &str, marks: &[&str]) -> Vec<String> {
    let mut parts = vec![text.to_owned()];
    for mark in marks {
        parts = parts.iter().flat_map(|part| part.split(mark).map(str::to_owned).collect::<Vec<_>>()).collect();
    }
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(old: &str, new: &str, nth: Option<usize>) -> Wish {
        Wish::Fix { old: old.to_owned(), new: new.to_owned(), nth }
    }

    #[test]
    fn wishes() {
        let cases = [
            (
                r#"Fix the typo on the third acceptance criterion. "Downlaod" should be "download.""#,
                fix("Downlaod", "download", Some(3)),
            ),
            ("“Downlaod” should be “download”.", fix("Downlaod", "download", None)),
            (r#""5 s." should be "3 s.""#, fix("5 s.", "3 s.", None)),
            ("fix Downlaod to Download", fix("Downlaod", "Download", None)),
            ("Please fix Downlaod to Download.", fix("Downlaod", "Download", None)),
            (r#"Change "a to b" to "c"."#, fix("a to b", "c", None)),
            (r#""Teh" should be """#, fix("Teh", "", None)),
            (
                "Draft three plans for this initiative based on the spec. One for the server endpoint, one for the download button, one for \
                 verification against five customer fixtures.",
                Wish::Draft(vec![
                    "server endpoint".into(),
                    "download button".into(),
                    "verification against five customer fixtures".into(),
                ]),
            ),
            ("draft 2 plans. One for an API, and one for B", Wish::Draft(vec!["API".into(), "B".into()])),
            ("Draft three plans", Wish::Draft(vec![])),
            ("list", Wish::List),
            ("List all plans.", Wish::List),
            ("listen to me", Wish::Unknown),
            ("todo: a; b ;\n c", Wish::Todo(vec!["a".into(), "b".into(), "c".into()])),
            ("todo: ;", Wish::Unknown),
            ("What do you think?", Wish::Unknown),
            ("", Wish::Unknown),
        ];
        for (text, wish) in cases {
            assert_eq!(Wish::parse(text), wish, "{text}");
        }
    }
}
