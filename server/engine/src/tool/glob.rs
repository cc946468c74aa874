use std::sync::Arc;

use globset::GlobBuilder;
use schemars::JsonSchema;
use serde::Deserialize;
use wire::access::Scope;

use super::context::ToolContext;
use super::definition::{Definition, ToolKind, aside};
use super::outcome::ToolOutcome;
use crate::workspace::Workspace;

pub(super) struct Glob;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// A pattern for paths: `*` within a name, `**` across folders, `{a,b}`, `[a-z]`. `plans/*.md` finds all plans.
    pattern: String,
}

/// Files that are looked at.
pub(super) const MOST_FILES: usize = 20_000;
const MOST_PATTERN: usize = 1_000;

impl Definition for Glob {
    const NAME: &'static str = "Glob";
    const DESCRIPTION: &'static str =
        "Lists the files of the workspace whose paths match a pattern, one a line, sorted.";
    const KIND: ToolKind = ToolKind::Read;
    const SCOPES: &'static [Scope] = &[Scope::RecordsRead];
    const LABEL: &'static str = "pattern";
    type Input = Input;

    async fn run(context: &ToolContext, input: Input) -> ToolOutcome {
        let workspace = Arc::clone(&context.workspace);
        aside(move || matching(&workspace, &input.pattern)).await
    }
}

fn matching(workspace: &Workspace, pattern: &str) -> ToolOutcome {
    if pattern.len() > MOST_PATTERN {
        return ToolOutcome::error(format!("The pattern is longer than {MOST_PATTERN} bytes."));
    }
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let matcher = match GlobBuilder::new(pattern).literal_separator(true).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => return ToolOutcome::error(format!("`{pattern}` is no pattern: {}.", error.kind())),
    };
    let paths = match workspace.files().walk(MOST_FILES) {
        Ok(paths) => paths,
        Err(error) => return ToolOutcome::error(format!("The workspace cannot be listed: {error}.")),
    };
    let found: Vec<&str> = paths.iter().map(|path| path.as_str()).filter(|path| matcher.is_match(path)).collect();
    if found.is_empty() {
        return ToolOutcome::said(&format!("No file matches `{pattern}`. There are {} files.", paths.len()), "");
    }
    ToolOutcome::said(&found.join("\n"), "Use a narrower pattern.")
}
