//! What a file's text says of its record: front matter and body, checked.

use uuid::Uuid;
use wire::record::{RecordKind, SEVERITIES};

use crate::record::Content;
use crate::text::storable;
use crate::workspace::front_matter::{FrontMatter, parse};
use crate::workspace::manifest::Entry;

/// The longest title, in characters.
const MAX_TITLE: usize = 200;
const DEFAULT_SEVERITY: &str = "medium";

pub(super) fn read_text(bytes: &[u8]) -> Result<(FrontMatter, String), String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) if bytes.contains(&0) => return Err("it is not text but binary data".to_owned()),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            return Err(format!("line {line}: it is not UTF-8"));
        }
    };
    let text = storable(text);
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    let (matter, body) = parse(&text).map_err(|broken| broken.to_string())?;
    Ok((matter, body.to_owned()))
}

/// The record's content with what the file says; what it leaves out stays.
pub(super) fn changed(matter: &FrontMatter, entry: &Entry, mut content: Content) -> Result<Content, String> {
    if let Some(field) = &matter.kind
        && field.text.trim() != entry.kind.name()
    {
        return Err(format!("line {}: this is {} and stays one; `kind` cannot change", field.line, a(entry.kind)));
    }
    if let Some(field) = &matter.parent {
        let same = match entry.parent_id {
            Some(parent) => Uuid::try_parse(field.text.trim()) == Ok(parent),
            None => field.text.trim().is_empty(),
        };
        if !same {
            return Err(format!("line {}: `parent` cannot change in a file", field.line));
        }
    }
    if let Some(field) = &matter.title
        && field.text != entry.title
    {
        content.title = title(&field.text).map_err(|reason| format!("line {}: {reason}", field.line))?;
    }
    if let Some(field) = &matter.status {
        let status = field.text.trim();
        known_status(entry.kind, status).map_err(|reason| format!("line {}: {reason}", field.line))?;
        if !entry.kind.may_move(&entry.status, status) {
            let may: Vec<&str> = entry
                .kind
                .statuses()
                .iter()
                .copied()
                .filter(|to| *to != entry.status && entry.kind.may_move(&entry.status, to))
                .collect();
            return Err(format!(
                "line {}: {} cannot go from `{}` to `{status}`; from there it can go to {}",
                field.line,
                a(entry.kind),
                entry.status,
                may.iter().map(|status| format!("`{status}`")).collect::<Vec<_>>().join(", ")
            ));
        }
        status.clone_into(&mut content.status);
    }
    if let Some(said) = severity(matter, entry.kind)? {
        content.severity = Some(said);
    }
    Ok(content)
}

pub(super) fn created(matter: &FrontMatter, body: String, kind: RecordKind, path: &str) -> Result<Content, String> {
    if let Some(field) = &matter.kind
        && field.text.trim() != kind.name()
    {
        return Err(format!(
            "line {}: a file in {}/ is {}, not `{}`",
            field.line,
            kind.folder(),
            a(kind),
            crate::text::cut(field.text.trim(), 40)
        ));
    }
    let title = match matter.title.as_ref().filter(|field| !field.text.trim().is_empty()) {
        Some(field) => title(&field.text).map_err(|reason| format!("line {}: {reason}", field.line))?,
        None => title_from(&body, path),
    };
    let status =
        match matter.status.as_ref().map(|field| (field, field.text.trim())).filter(|(_, status)| !status.is_empty()) {
            Some((field, status)) => {
                known_status(kind, status).map_err(|reason| format!("line {}: {reason}", field.line))?;
                status
            }
            None => kind.statuses().first().copied().unwrap_or_default(),
        };
    let severity = match severity(matter, kind)? {
        None if kind == RecordKind::Bug => Some(DEFAULT_SEVERITY.to_owned()),
        said => said,
    };
    Ok(Content { title, status: status.to_owned(), severity, body })
}

fn known_status(kind: RecordKind, status: &str) -> Result<(), String> {
    if kind.statuses().contains(&status) {
        return Ok(());
    }
    Err(format!(
        "`{}` is no status of {}; they are {}",
        crate::text::cut(status, 40),
        a(kind),
        kind.statuses().join(", ")
    ))
}

fn severity(matter: &FrontMatter, kind: RecordKind) -> Result<Option<String>, String> {
    let Some(field) = matter.severity.as_ref().filter(|field| !field.text.trim().is_empty()) else {
        return Ok(None);
    };
    let said = field.text.trim();
    if kind != RecordKind::Bug {
        return Err(format!("line {}: only bugs have a severity", field.line));
    }
    if !SEVERITIES.contains(&said) {
        return Err(format!(
            "line {}: `{}` is no severity; they are {}",
            field.line,
            crate::text::cut(said, 40),
            SEVERITIES.join(", ")
        ));
    }
    Ok(Some(said.to_owned()))
}

/// The kind with its article.
pub(super) const fn a(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Initiative => "an initiative",
        RecordKind::Plan => "a plan",
        RecordKind::Bug => "a bug",
    }
}

/// A title on one line: runs of blanks and line ends become one blank, characters that cannot be seen go.
fn title(text: &str) -> Result<String, String> {
    let title = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if title.is_empty() {
        return Err("the title is empty".to_owned());
    }
    if title.chars().count() > MAX_TITLE {
        return Err(format!("the title is longer than {MAX_TITLE} characters"));
    }
    Ok(title)
}

/// The first heading of a body, else the file's name as words.
fn title_from(body: &str, path: &str) -> String {
    let heading = body.lines().find_map(|line| {
        line.strip_prefix('#').map(|rest| rest.trim_start_matches('#')).filter(|rest| rest.starts_with(' '))
    });
    let heading = heading.map(|heading| heading.trim().trim_end_matches('#')).and_then(|heading| title(heading).ok());
    heading.unwrap_or_else(|| {
        let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
        let words: String = stem.split(['-', '_', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let mut letters = words.chars();
        let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
        title(&format!("{first}{}", letters.as_str())).unwrap_or_else(|_| "Untitled".to_owned())
    })
}
