use regex::RegexBuilder;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use wire::access::Scope;

use super::context::ToolContext;
use super::definition::{Definition, ToolKind, aside};
use super::glob::MOST_FILES;
use super::outcome::{MAX_RESULT_BYTES, ToolOutcome};
use crate::text::cut;
use crate::workspace::{MAX_FILE_BYTES, Workspace, WorkspacePath};

pub(super) struct Grep;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// A regular expression, matched line by line. `(?i)` in front ignores case.
    pattern: String,
    /// A file or a folder to look in; all of the workspace when left out.
    #[serde(default)]
    path: Option<String>,
}

const MOST_PATTERN: usize = 1_000;
/// Bytes of one line that are shown.
const MOST_LINE: usize = 400;
/// Bytes that a compiled pattern may take; patterns such as `(a{1000}){1000}` would take all there is.
const MOST_COMPILED: usize = 2 * 1024 * 1024;

impl Definition for Grep {
    const NAME: &'static str = "Grep";
    const DESCRIPTION: &'static str =
        "Finds the lines of the workspace's files that match a regular expression, as `path:line: text`.";
    const KIND: ToolKind = ToolKind::Read;
    const SCOPES: &'static [Scope] = &[Scope::RecordsRead];
    const LABEL: &'static str = "pattern";
    type Input = Input;

    async fn run(context: &ToolContext, input: Input) -> ToolOutcome {
        let workspace = Arc::clone(&context.workspace);
        aside(move || search(&workspace, &input)).await
    }
}

fn search(workspace: &Workspace, input: &Input) -> ToolOutcome {
    if input.pattern.is_empty() || input.pattern.len() > MOST_PATTERN {
        return ToolOutcome::error(format!("Give a pattern of 1 to {MOST_PATTERN} bytes."));
    }
    let pattern =
        match RegexBuilder::new(&input.pattern).size_limit(MOST_COMPILED).dfa_size_limit(MOST_COMPILED).build() {
            Ok(pattern) => pattern,
            Err(error) => return ToolOutcome::error(format!("The pattern is no regular expression: {error}")),
        };
    let paths = match paths(workspace, input.path.as_deref()) {
        Ok(paths) => paths,
        Err(error) => return ToolOutcome::error(error),
    };
    let mut found = String::new();
    let mut more = 0;
    for path in &paths {
        // what cannot be read as text has no lines; Read says why
        let Some(text) =
            workspace.files().read(path, 4 * MAX_FILE_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok())
        else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            if !pattern.is_match(line) {
                continue;
            }
            if found.len() > MAX_RESULT_BYTES - MOST_LINE * 2 {
                more += 1;
                continue;
            }
            let shown = cut(line, MOST_LINE);
            let dots = if shown.len() < line.len() { "…" } else { "" };
            found.push_str(&format!("{path}:{}: {shown}{dots}\n", number + 1));
        }
    }
    if found.is_empty() {
        return ToolOutcome::said(&format!("No line matches in {} files.", paths.len()), "");
    }
    if more > 0 {
        found.push_str(&format!("\n[{more} more lines match. Use a narrower pattern or a path.]"));
    }
    ToolOutcome { truncated: more > 0, ..ToolOutcome::said(&found, "Use a narrower pattern or a path.") }
}

fn paths(workspace: &Workspace, within: Option<&str>) -> Result<Vec<WorkspacePath>, String> {
    let all =
        workspace.files().walk(MOST_FILES).map_err(|error| format!("The workspace cannot be listed: {error}."))?;
    let Some(within) = within.map(|within| within.trim_end_matches('/')).filter(|within| !matches!(*within, "" | "."))
    else {
        return Ok(all);
    };
    let within = WorkspacePath::parse(within).map_err(|error| error.to_string())?;
    let beneath = format!("{within}/");
    let found: Vec<WorkspacePath> =
        all.into_iter().filter(|path| *path == within || path.as_str().starts_with(&beneath)).collect();
    if found.is_empty() {
        Err(format!("There is no file or folder `{within}`. Glob with `**/*.md` lists all files."))
    } else {
        Ok(found)
    }
}
