//! JSON as providers write it: now and then with half a character, or with characters that a database cannot hold.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Parses a text; escapes of lone surrogates (half an emoji, cut by a provider that counts in UTF-16) become U+FFFD.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str(text).or_else(|error| match without_lone_surrogates(text) {
        Some(whole) => serde_json::from_str(&whole),
        None => Err(error),
    })
}

/// Replaces NUL, which PostgreSQL stores neither as text nor as JSON, by U+FFFD.
pub(super) fn without_nul(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

/// The same for every text of a value.
pub(super) fn value_without_nul(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(without_nul(text)),
        Value::Array(items) => items.into_iter().map(value_without_nul).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (without_nul(name), value_without_nul(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

/// `None` when there is none.
fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        whole.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                changed = true;
                whole.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            // another escape: the backslash and the character after it
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        whole.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    whole.push_str(rest);
    changed.then_some(whole)
}

/// The UTF-16 unit of an escape `\uXXXX` at the beginning.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn half_characters() {
        let cases = [
            (r#""a""#, "a"),
            (r#""\ud83d\udc69""#, "👩"),
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\udc69x""#, "\u{fffd}x"),
            (r#""\ud83d\ud83d\udc69""#, "\u{fffd}👩"),
            (r#""\\ud83d\udc69""#, "\\ud83d\u{fffd}"),
            (r#""\ud83d\n""#, "\u{fffd}\n"),
            (r#""\ud83dé""#, "\u{fffd}é"),
        ];
        for (json, text) in cases {
            assert_eq!(parse::<String>(json).expect(json), text, "{json}");
        }
        assert!(parse::<String>(r#""\ud83d"#).is_err());
        assert!(parse::<String>(r#""\u12"#).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in r#"("|\\|\\u[dD][89c-f][0-9]{2}|[a-zé👩{}:,]){0,30}"#) {
            let _ = parse::<Value>(&text);
        }
    }
}
