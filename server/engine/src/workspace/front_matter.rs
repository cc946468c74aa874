use serde::{Deserialize, Deserializer};
use serde_saphyr::{DuplicateKeyPolicy, MergeKeyPolicy, Spanned};

use super::RecordFile;

/// The front matter of a file: text as it stands there, never a number, a date or a truth value (`no` stays `no`, `1.10` stays `1.10`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FrontMatter {
    #[serde(deserialize_with = "text")]
    pub id: Option<Field>,
    #[serde(deserialize_with = "text")]
    pub kind: Option<Field>,
    #[serde(deserialize_with = "text")]
    pub title: Option<Field>,
    #[serde(deserialize_with = "text")]
    pub status: Option<Field>,
    #[serde(deserialize_with = "text")]
    pub severity: Option<Field>,
    #[serde(deserialize_with = "text")]
    pub parent: Option<Field>,
    #[serde(deserialize_with = "text")]
    pub version: Option<Field>,
}

/// A value and the line of the file it stands on, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub text: String,
    pub line: u64,
}

/// Why a file's front matter cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Broken {
    /// Line of the file, from 1.
    pub line: u64,
    pub reason: String,
}

/// The fields, in the order in which they are written.
const FIELDS: &str = "id, kind, title, status, severity, parent, version";
const FENCE: &str = "---";

/// Splits a file into its front matter and its body. A file that does not begin with a `---` line has none. The body is what follows the closing
/// `---` line and, where there is one, the single empty line after it: byte for byte, so that what [`write`] wrote reads back equal.
///
/// # Errors
/// Front matter that is not closed, is not YAML, repeats a key, has a key that is not known, or a value that is not plain text.
pub fn parse(text: &str) -> Result<(FrontMatter, &str), Broken> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let opening = match lines.next() {
        Some(line) if line.trim_end() == FENCE => line,
        _ => return Ok((FrontMatter::default(), text)),
    };
    let rest = &text[opening.len()..];
    let mut yaml = 0;
    let mut close = None;
    for line in lines {
        if line.trim_end() == FENCE {
            close = Some(line);
            break;
        }
        yaml += line.len();
    }
    let Some(close) = close else {
        return Err(Broken {
            line: 1,
            reason: "the front matter that begins here has no closing `---` line".to_owned(),
        });
    };
    let matter = read_yaml(&rest[..yaml])?;
    let body = &rest[yaml + close.len()..];
    let body = body.strip_prefix("\r\n").or_else(|| body.strip_prefix('\n')).unwrap_or(body);
    Ok((matter, body))
}

fn read_yaml(yaml: &str) -> Result<FrontMatter, Broken> {
    if yaml.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(FrontMatter::default());
    }
    // a tab where YAML wants blanks is the one fault whose usual message helps nobody
    if let Some(at) = yaml.lines().position(|line| line.starts_with('\t')) {
        return Err(Broken { line: at as u64 + 2, reason: "a tab indents this line; YAML wants blanks".to_owned() });
    }
    let options = serde_saphyr::options! {
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        null_as_string: true,
        ignore_binary_tag_for_string: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(yaml, options).map_err(|error: serde_saphyr::Error| {
        let line = error.location().map_or(1, |location| location.line()) + 1;
        let said = error.without_snippet().to_string();
        // the parser's sentence ends with a place inside the YAML, which is not the file's, or with advice to programmers
        let said = said.split(" at line ").next().unwrap_or(&said);
        let said = said.split(", set DuplicateKeyPolicy").next().unwrap_or(said);
        let said = said.split(", expected one of").next().unwrap_or(said);
        let said = said.lines().next().unwrap_or_default().trim_end_matches('.');
        let reason = if said.contains("unknown field") {
            format!("{said}; the fields are {FIELDS}")
        } else if said.contains("duplicate") {
            said.to_owned()
        } else {
            format!(
                "{said}; a value with a colon, or that begins with one of * & @ [ {{ ! % ` needs \"quotes\" around it"
            )
        };
        Broken { line, reason }
    })
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Field>, D::Error> {
    let spanned = Spanned::<String>::deserialize(deserializer)?;
    // the opening fence is the file's first line
    Ok(Some(Field { text: spanned.value, line: spanned.referenced.line() + 1 }))
}

/// A record as a file: its front matter, an empty line, its body byte for byte.
#[must_use]
pub fn write(file: &RecordFile) -> String {
    let mut text = String::with_capacity(file.content.body.len() + 320);
    let mut field = |name: &str, value: &str| {
        text.push_str(name);
        text.push_str(": ");
        scalar(&mut text, value);
        text.push('\n');
    };
    field("id", &file.id.to_string());
    field("kind", file.kind.name());
    field("title", &file.content.title);
    field("status", &file.content.status);
    if let Some(severity) = &file.content.severity {
        field("severity", severity);
    }
    if let Some(parent) = file.parent_id {
        field("parent", &parent.to_string());
    }
    field("version", &file.version.to_string());
    format!("{FENCE}\n{text}{FENCE}\n\n{}", file.content.body)
}

/// Writes a value so that every YAML reader takes it for this text: as it stands where nothing in it could mean something else, in double quotes
/// where it could.
fn scalar(into: &mut String, value: &str) {
    if is_plain(value) {
        into.push_str(value);
        return;
    }
    into.push('"');
    for character in value.chars() {
        match character {
            '"' | '\\' => {
                into.push('\\');
                into.push(character);
            }
            '\n' => into.push_str("\\n"),
            '\r' => into.push_str("\\r"),
            '\t' => into.push_str("\\t"),
            // what YAML does not print, what it takes for a line end, and marks that would turn the line around
            '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' => into.push_str(&format!("\\x{:02x}", u32::from(character))),
            '\u{2028}'
            | '\u{2029}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                into.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => into.push(character),
        }
    }
    into.push('"');
}

fn is_plain(value: &str) -> bool {
    let mut characters = value.chars();
    // ids and version numbers begin with a digit; a reader that types them must still give the text back
    let uuid = value.len() == 36 && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let whole = !value.is_empty()
        && value.len() < 10
        && value.bytes().all(|byte| byte.is_ascii_digit())
        && !value.starts_with('0');
    let word = characters.next().is_some_and(|first| first.is_alphabetic())
        && value.chars().all(|c| c.is_alphanumeric() || " -_.,()/+".contains(c))
        && !value.ends_with(' ')
        && !matches!(
            value.to_ascii_lowercase().as_str(),
            "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "inf" | "nan"
        );
    uuid || whole || word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Content;
    use proptest::prelude::*;
    use uuid::Uuid;
    use wire::record::RecordKind;

    fn file(title: &str, body: &str) -> RecordFile {
        RecordFile {
            id: Uuid::from_u128(1),
            kind: RecordKind::Plan,
            slug: "csv".to_owned(),
            parent_id: Some(Uuid::from_u128(2)),
            version: 3,
            content: Content {
                title: title.to_owned(),
                status: "in progress".to_owned(),
                severity: None,
                body: body.to_owned(),
            },
        }
    }

    fn value(field: &Option<Field>) -> Option<&str> {
        field.as_ref().map(|field| field.text.as_str())
    }

    #[test]
    fn reads_well() {
        assert_eq!(
            write(&file("CSV download button", "# Body\n")),
            "---\nid: 00000000-0000-0000-0000-000000000001\nkind: plan\ntitle: CSV download button\nstatus: in progress\n\
             parent: 00000000-0000-0000-0000-000000000002\nversion: 3\n---\n\n# Body\n"
        );
        assert!(write(&file("Re: export", "")).contains("title: \"Re: export\"\n"));
    }

    #[test]
    fn values_stay_text() {
        for (line, expected) in [
            ("title: no", "no"),
            ("title: 1.10", "1.10"),
            ("title: 0x1F", "0x1F"),
            ("title: null", "null"),
            ("title: ~", "~"),
            ("title:", ""),
            ("title: 2026-02-30", "2026-02-30"),
            ("title: 'Re: CSV export'", "Re: CSV export"),
            ("title: \"a \\\"b\\\"\"", "a \"b\""),
            ("title: true", "true"),
            ("title: 1_000", "1_000"),
            ("title: >-\n  folded\n  text", "folded text"),
            ("title: a # comment", "a"),
        ] {
            let text = format!("---\n{line}\n---\nbody");
            let (matter, body) = parse(&text).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(value(&matter.title), Some(expected), "{line}");
            assert_eq!(body, "body", "{line}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (name, text, line, says) in [
            ("colon", "---\nid: x\ntitle: Re: CSV export\n---\n", 3, "quotes"),
            ("alias", "---\ntitle: *Draft*\n---\n", 2, "quotes"),
            ("list then text", "---\ntitle: [[Link]] x\n---\n", 2, "quotes"),
            ("list", "---\ntitle: [a]\n---\n", 2, "quotes"),
            ("map", "---\ntitle:\n  a: b\n---\n", 3, "quotes"),
            ("at sign", "---\ntitle: @sam\n---\n", 2, "quotes"),
            ("unknown field", "---\ntitle: a\ndue: 2026-02-30\n---\n", 3, "the fields are id, kind, title"),
            ("duplicate", "---\ntitle: a\ntitle: b\n---\n", 3, "duplicate"),
            ("tab", "---\ntitle: a\n\tstatus: draft\n---\n", 3, "tab"),
            ("no close", "---\ntitle: a\n\nbody\n", 1, "no closing"),
            ("only a rule", "---\n", 1, "no closing"),
            ("no mapping", "---\njust text\n---\n", 2, ""),
            ("merge key", "---\n<<: {title: a}\n---\n", 2, ""),
        ] {
            let error = parse(text).expect_err(name);
            assert_eq!(error.line, line, "{name}: {error}");
            assert!(error.reason.contains(says), "{name}: {error}");
        }
    }

    #[test]
    fn an_alias_bomb_is_refused() {
        let mut text = "---\na: &a [x,x,x,x,x,x,x,x]\n".to_owned();
        for (name, of) in ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"]) {
            text.push_str(&format!("{name}: &{name} [*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of}]\n"));
        }
        text.push_str("---\n");
        assert!(parse(&text).is_err());
    }

    #[test]
    fn without_front_matter_all_is_body() {
        for text in ["", "# Title\n", "----\nrule\n", " ---\ntitle: a\n---\n"] {
            assert_eq!(parse(text).unwrap(), (FrontMatter::default(), text));
        }
        assert_eq!(parse("---\n---\nbody").unwrap(), (FrontMatter::default(), "body"));
        assert_eq!(parse("\u{feff}---\r\ntitle: a\r\n---\r\n\r\nbody\r\n").unwrap().1, "body\r\n");
    }

    #[test]
    fn a_body_may_begin_with_a_rule_or_empty_lines() {
        for body in ["---\nx\n---\n", "\n\nx", "", "\n", "x", "\r\nx", "---"] {
            let text = write(&file("T", body));
            assert_eq!(parse(&text).unwrap().1, body, "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn what_is_written_reads_back_equal(title in "\\PC{0,40}|[\\x00-\\x{2ff}\\x{2000}-\\x{20ff}]{0,12}|[-:#&*!|>'\"%@`{}\\[\\],? \\\\a1~]{0,10}", body in "(---|\n|\r\n|[a-z: ]|\\PC){0,12}") {
            let title = title.replace('\0', "\u{fffd}");
            let text = write(&file(&title, &body));
            let (matter, read) = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}: {text:?}")))?;
            prop_assert_eq!(value(&matter.title), Some(title.as_str()));
            prop_assert_eq!(value(&matter.status), Some("in progress"));
            prop_assert_eq!(value(&matter.version), Some("3"));
            prop_assert_eq!(value(&matter.id), Some("00000000-0000-0000-0000-000000000001"));
            prop_assert_eq!(read, body);
        }

        #[test]
        fn no_text_makes_it_panic(text in "(---\n)?([a-z]{1,6}: \\PC{0,10}\n|\\PC{0,20}\n){0,5}(---\n)?\\PC{0,10}") {
            let _ = parse(&text);
        }
    }
}
