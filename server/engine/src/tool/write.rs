use schemars::JsonSchema;
use serde::Deserialize;
use wire::access::Scope;
use wire::record::RecordKind;

use super::context::ToolContext;
use super::definition::{Definition, ToolKind, aside};
use super::outcome::ToolOutcome;
use super::read::text_of;
use crate::record::text::diff;
use crate::text::storable;
use crate::workspace::{FileError, MAX_FILE_BYTES, WorkspacePath};

pub(super) struct Write;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The file, such as `plans/csv-export.md`.
    path: String,
    /// The whole new text of the file.
    content: String,
}

impl Definition for Write {
    const NAME: &'static str = "Write";
    const DESCRIPTION: &'static str = "Writes a whole file of the workspace: a new one, or in place of the one that is there. Files directly in \
        `initiatives/`, `plans/` and `bugs/` whose names end with `.md` become records after the turn. Front matter may hold title, status, parent \
        (an id or a file's name), and severity for bugs; a new record has no id, an existing one keeps its id line. For small changes use Edit.";
    const KIND: ToolKind = ToolKind::Write;
    const SCOPES: &'static [Scope] = &[Scope::ChatUse];
    const LABEL: &'static str = "path";
    type Input = Input;

    async fn run(context: &ToolContext, input: Input) -> ToolOutcome {
        let context = context.clone();
        aside(move || {
            let path = match WorkspacePath::parse(&input.path) {
                Ok(path) => path,
                Err(error) => return ToolOutcome::error(error.to_string()),
            };
            let before = text_of(&context.workspace, &input.path).ok().map(|(_, before)| before);
            put(&context, &path, before.as_deref(), &storable(&input.content))
        })
        .await
    }
}

/// Writes a file and tells what changed; a text that would be refused after the turn is written all the same, and the outcome says why it would.
pub(super) fn put(context: &ToolContext, path: &WorkspacePath, before: Option<&str>, after: &str) -> ToolOutcome {
    if after.len() as u64 > MAX_FILE_BYTES {
        return ToolOutcome::error(format!(
            "Nothing was written: {} bytes are more than the {MAX_FILE_BYTES} (1 MiB) that a record's file may hold.",
            after.len()
        ));
    }
    if let Some(kind) = path.folders().next().and_then(RecordKind::from_folder) {
        let scope = crate::record::scope(kind);
        if !context.actor.holds(scope) {
            return ToolOutcome::error(format!(
                "Nothing was written: to change a {} needs the scope `{}`, which the person whose turn this is does not hold.",
                kind.name(),
                scope.name()
            ));
        }
    }
    if let Err(error) = context.workspace.files().write(path, after.as_bytes()) {
        let error = match error {
            FileError::Io { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        return ToolOutcome::error(format!("Nothing was written: {error}."));
    }
    let diff = diff(before.unwrap_or_default(), after);
    let mut said = match before {
        None => format!("Wrote {path}: {} lines.", after.lines().count()),
        Some(before) if before == after => format!("{path} already held exactly this."),
        Some(_) => format!("Changed {path}: {} lines added, {} removed.", diff.added, diff.removed),
    };
    if let Some(reason) = context.workspace.objection(path) {
        said.push_str(&format!("\nAs it stands it will be refused after the turn: {reason}."));
    }
    ToolOutcome { diff: (!diff.hunks.is_empty()).then_some(diff), ..ToolOutcome::said(&said, "") }
}
