//! What a record may hold. The one place where its text is made storable.

use wire::record::{RecordKind, SEVERITIES};

use super::Content;
use super::text::has_markers;
use crate::error::{Error, Result};
use crate::text::storable;

/// Characters of a title.
const TITLE: usize = 200;
/// Bytes of a body: 1 MiB.
const BODY: usize = 1024 * 1024;
/// How bad a bug is when nobody said.
pub const SEVERITY: &str = "medium";

/// A content as it can be stored, or why not: title trimmed, NUL shown as U+FFFD.
pub fn content(kind: RecordKind, content: Content) -> Result<Content> {
    Ok(Content {
        title: title(&content.title)?,
        status: status(kind, content.status)?,
        severity: severity(kind, content.severity)?,
        body: body(content.body)?,
    })
}

fn title(title: &str) -> Result<String> {
    let title = storable(title.trim());
    // a title is one line
    let title = title.split(['\n', '\r', '\u{2028}', '\u{2029}']).collect::<Vec<_>>().join(" ");
    let shown = title.chars().any(|letter| !letter.is_whitespace() && !letter.is_control() && !is_invisible(letter));
    if !shown {
        return Err(Error::invalid("title", "A title needs at least one character that can be seen."));
    }
    if title.chars().count() > TITLE {
        return Err(Error::invalid("title", format!("A title holds at most {TITLE} characters.")));
    }
    Ok(title)
}

/// Marks of direction and width that show nothing by themselves.
const fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn status(kind: RecordKind, status: String) -> Result<String> {
    if kind.statuses().contains(&status.as_str()) {
        return Ok(status);
    }
    Err(Error::invalid("status", format!("The statuses of a {} are {}.", kind.name(), kind.statuses().join(", "))))
}

fn severity(kind: RecordKind, severity: Option<String>) -> Result<Option<String>> {
    match (kind, severity) {
        (RecordKind::Bug, None) => Ok(Some(SEVERITY.to_owned())),
        (RecordKind::Bug, Some(severity)) if SEVERITIES.contains(&severity.as_str()) => Ok(Some(severity)),
        (RecordKind::Bug, Some(_)) => {
            Err(Error::invalid("severity", format!("The severities of a bug are {}.", SEVERITIES.join(", "))))
        }
        (_, None) => Ok(None),
        (_, Some(_)) => Err(Error::invalid("severity", "Only bugs have a severity.")),
    }
}

fn body(body: String) -> Result<String> {
    let body = match storable(&body) {
        std::borrow::Cow::Borrowed(_) => body,
        std::borrow::Cow::Owned(body) => body,
    };
    if body.len() > BODY {
        return Err(Error::TooLarge(format!("A body holds at most 1 MiB; this one has {} bytes.", body.len())));
    }
    Ok(body)
}

/// Refuses a text with the marks of a conflict, unless the text that it comes from had such marks.
pub fn no_new_marks(before: &str, after: &str) -> Result<()> {
    if has_markers(after) && !has_markers(before) {
        return Err(Error::invalid(
            "conflict_marks",
            "The text still holds the marks of a conflict. Choose between the two sides and take the marks out.",
        ));
    }
    Ok(())
}

/// Whether a record may go from one status to another.
pub fn step(kind: RecordKind, from: &str, to: &str) -> Result<()> {
    if kind.may_move(from, to) {
        return Ok(());
    }
    Err(Error::invalid(
        "status_step",
        format!(
            "A {} cannot go from “{from}” to “{to}”: one step forward or back, or to the last from any but the first. The order is {}.",
            kind.name(),
            kind.statuses().join(", ")
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(title: &str, body: &str) -> Content {
        Content { title: title.to_owned(), status: "draft".to_owned(), severity: None, body: body.to_owned() }
    }

    #[test]
    fn titles_are_trimmed_and_seen() {
        let long = "é".repeat(200);
        for (title, expected) in [
            ("  Plan ", Some("Plan")),
            ("two\nlines", Some("two lines")),
            ("a\0b", Some("a\u{fffd}b")),
            (long.as_str(), Some(long.as_str())),
            ("", None),
            (" \t\n", None),
            ("\u{200b}\u{200b}", None),
            ("\u{202e}", None),
            (&"x".repeat(201), None),
        ] {
            let got = content(RecordKind::Plan, with(title, "")).ok().map(|content| content.title);
            assert_eq!(got.as_deref(), expected, "{title:?}");
        }
    }

    #[test]
    fn bodies_end_at_one_mebibyte() {
        assert!(content(RecordKind::Plan, with("t", &"x".repeat(BODY))).is_ok());
        assert!(matches!(content(RecordKind::Plan, with("t", &"x".repeat(BODY + 1))), Err(Error::TooLarge(_))));
        // NUL takes one byte on the way in and three when it is stored
        assert!(matches!(content(RecordKind::Plan, with("t", &"\0".repeat(BODY))), Err(Error::TooLarge(_))));
    }

    #[test]
    fn severity_is_for_bugs() {
        let bug = |severity: Option<&str>| {
            let of = Content { status: "open".to_owned(), severity: severity.map(str::to_owned), ..with("t", "") };
            content(RecordKind::Bug, of).map(|content| content.severity)
        };
        assert_eq!(bug(None).unwrap().as_deref(), Some("medium"));
        assert_eq!(bug(Some("critical")).unwrap().as_deref(), Some("critical"));
        assert!(bug(Some("terrible")).is_err());
        let plan = Content { severity: Some("low".to_owned()), ..with("t", "") };
        assert!(content(RecordKind::Plan, plan).is_err());
    }
}
