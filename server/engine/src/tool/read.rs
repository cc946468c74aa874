use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use wire::access::Scope;

use super::context::ToolContext;
use super::definition::{Definition, ToolKind, aside};
use super::outcome::{MAX_RESULT_BYTES, ToolOutcome};
use crate::text::cut;
use crate::workspace::{MAX_FILE_BYTES, Workspace, WorkspacePath};

pub(super) struct Read;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The file, such as `plans/csv-export.md`.
    path: String,
    /// The first line to give, from 1. Only for files that do not fit into one result.
    #[serde(default)]
    offset: Option<u32>,
    /// The most lines to give.
    #[serde(default)]
    limit: Option<u32>,
}

impl Definition for Read {
    const NAME: &'static str = "Read";
    const DESCRIPTION: &'static str = "Gives the text of a file of the workspace, exactly as it is. A long file is cut; the note at its end says \
        with which offset to read on.";
    const KIND: ToolKind = ToolKind::Read;
    const SCOPES: &'static [Scope] = &[Scope::RecordsRead];
    const LABEL: &'static str = "path";
    type Input = Input;

    async fn run(context: &ToolContext, input: Input) -> ToolOutcome {
        let workspace = Arc::clone(&context.workspace);
        aside(move || match text_of(&workspace, &input.path) {
            Ok((_, text)) => window(&text, input.offset, input.limit),
            Err(error) => ToolOutcome::error(error),
        })
        .await
    }
}

/// The text of a file of the workspace, or the sentence that says why it cannot be had.
pub(super) fn text_of(workspace: &Workspace, path: &str) -> Result<(WorkspacePath, String), String> {
    let path = WorkspacePath::parse(path).map_err(|error| error.to_string())?;
    // larger than a record may be, so that an agent can still look at what was refused for its size
    let bytes = workspace.files().read(&path, 4 * MAX_FILE_BYTES).map_err(|error| match error {
        crate::workspace::FileError::Missing(_) => {
            format!("There is no file `{path}`. Glob with `**/*.md` lists all files.")
        }
        other => other.to_string(),
    })?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((path, text)),
        Err(_) => Err(format!("`{path}` is not UTF-8 text.")),
    }
}

/// The lines from `offset`, at most `limit`, as many as fit into one result.
fn window(text: &str, offset: Option<u32>, limit: Option<u32>) -> ToolOutcome {
    if text.is_empty() {
        return ToolOutcome::said("[the file is empty]", "");
    }
    let first = offset.unwrap_or(1).max(1) as usize;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if first > lines.len() {
        return ToolOutcome::error(format!("The file has {} lines; there is no line {first}.", lines.len()));
    }
    let wanted = &lines[first - 1..];
    let wanted = &wanted[..wanted.len().min(limit.map_or(usize::MAX, |limit| limit.max(1) as usize))];
    let mut size = 0;
    let fits = wanted
        .iter()
        .take_while(|line| {
            size += line.len();
            size <= MAX_RESULT_BYTES
        })
        .count();
    let mut content = wanted[..fits].concat();
    let mut last = first + fits - 1;
    if fits == 0 {
        // one line alone is too long: its beginning, and no way on by lines
        content = format!("{}…\n", cut(wanted[0], MAX_RESULT_BYTES));
        last = first;
        content.push_str(&format!(
            "\n[line {first} has {} bytes; only its beginning is shown. Grep finds text in it.]\n",
            wanted[0].len()
        ));
    }
    if fits < wanted.len() {
        if !content.ends_with('\n') {
            content.push('\n');
        }
        if last < lines.len() {
            content.push_str(&format!(
                "\n[lines {first} to {last} of {} are shown; read on with offset {}]",
                lines.len(),
                last + 1
            ));
        }
        return ToolOutcome {
            content: crate::text::storable(&content).into_owned(),
            truncated: true,
            ..ToolOutcome::default()
        };
    }
    ToolOutcome { content: crate::text::storable(&content).into_owned(), ..ToolOutcome::default() }
}
