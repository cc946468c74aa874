//! Projects and their records: initiatives, plans and bugs.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::person::Named;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RecordKind {
    Initiative,
    Plan,
    Bug,
}

impl RecordKind {
    pub const ALL: [RecordKind; 3] = [RecordKind::Initiative, RecordKind::Plan, RecordKind::Bug];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RecordKind::Initiative => "initiative",
            RecordKind::Plan => "plan",
            RecordKind::Bug => "bug",
        }
    }

    /// The word of addresses and of the workspace's folders.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            RecordKind::Initiative => "initiatives",
            RecordKind::Plan => "plans",
            RecordKind::Bug => "bugs",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    #[must_use]
    pub fn from_folder(folder: &str) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.folder() == folder)
    }

    /// What the record hangs under; an initiative hangs under nothing.
    #[must_use]
    pub const fn parent(self) -> Option<RecordKind> {
        match self {
            RecordKind::Initiative => None,
            RecordKind::Plan => Some(RecordKind::Initiative),
            RecordKind::Bug => Some(RecordKind::Plan),
        }
    }

    /// The statuses of the kind, in order; the first is where a record starts.
    #[must_use]
    pub const fn statuses(self) -> &'static [&'static str] {
        match self {
            RecordKind::Initiative => &["draft", "active", "done", "archived"],
            RecordKind::Plan => &["draft", "ready", "in progress", "in review", "done", "archived"],
            RecordKind::Bug => &["open", "triaged", "in progress", "fixed", "closed"],
        }
    }

    /// Whether a record may go from one status to another: one step forward or back, or to the last one from any but the
    /// first. Staying is allowed; an unknown status never is.
    #[must_use]
    pub fn may_move(self, from: &str, to: &str) -> bool {
        let place = |status: &str| self.statuses().iter().position(|known| *known == status);
        match (place(from), place(to)) {
            (Some(from), Some(to)) => from.abs_diff(to) <= 1 || (to + 1 == self.statuses().len() && from != 0),
            _ => false,
        }
    }
}

/// How bad a bug is, worst first.
pub const SEVERITIES: [&str; 4] = ["critical", "high", "medium", "low"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Project {
    pub id: Uuid,
    pub name: String,
    pub slug: String,
    pub description: String,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub created_at: OffsetDateTime,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    pub name: String,
    #[serde(default)]
    pub description: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Record {
    pub id: Uuid,
    pub kind: RecordKind,
    pub project_id: Uuid,
    pub parent_id: Option<Uuid>,
    pub slug: String,
    pub title: String,
    pub status: String,
    pub severity: Option<String>,
    pub body: String,
    pub version: i32,
    pub owner: Named,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub updated_at: OffsetDateTime,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewRecord {
    pub kind: RecordKind,
    pub title: String,
    #[serde(default)]
    pub body: Option<String>,
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub parent_id: Option<Uuid>,
    #[serde(default)]
    pub severity: Option<String>,
}

/// A save: what is left out stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SaveRecord {
    /// The version that the save started from.
    pub base_version: i32,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub body: Option<String>,
    #[serde(default)]
    pub severity: Option<String>,
}

/// The answer to a save that went through; `merged` when somebody else's change was merged in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Saved {
    pub record: Record,
    pub merged: bool,
}

/// A save that could not be merged: all sides, and the text with both marked. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SaveConflict {
    pub base: Sides,
    pub current: Sides,
    pub yours: Sides,
    pub merged_text: String,
    /// The version to name as base when the person saves the finished merge.
    pub current_version: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sides {
    pub title: String,
    pub status: String,
    pub body: String,
}

/// Which records of a project a list wants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
pub struct RecordFilter {
    #[serde(default)]
    pub kind: Option<RecordKind>,
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub parent: Option<Uuid>,
    /// Words to find in title and body.
    #[serde(default)]
    pub q: Option<String>,
}

/// One card of the board: an initiative and the count of its plans by status, in the order of the statuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BoardCard {
    pub record: Record,
    pub plans: Vec<(String, i64)>,
}

/// What a decision on a proposal led to: the proposal as it is now, and the record as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Decided {
    pub proposal: crate::version::Proposal,
    pub record: Record,
}

/// A short line for lists, menus and the jump palette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordLine {
    pub id: Uuid,
    pub kind: RecordKind,
    pub slug: String,
    pub title: String,
    pub status: String,
    pub severity: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub updated_at: OffsetDateTime,
}

/// All that a record's page shows first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordPage {
    pub project: Project,
    pub record: Record,
    /// From the initiative down, without the record itself.
    pub ancestors: Vec<RecordLine>,
    /// Plans of an initiative, bugs of a plan.
    pub children: Vec<RecordLine>,
    /// Bugs beneath an initiative's plans; the plan's own for a plan.
    pub bugs: Vec<RecordLine>,
    pub versions: i64,
}

/// The project page: its board, and what the side bar counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProjectOverview {
    pub project: Project,
    pub board: Vec<BoardCard>,
    pub plans: Vec<RecordLine>,
    pub bugs: Vec<RecordLine>,
}

/// One hit of the jump palette: a record or a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JumpHit {
    /// `initiative`, `plan`, `bug`, `project` or `chat`.
    pub kind: String,
    pub title: String,
    /// Where it lies: the project's name, and the parent record's title.
    pub context: String,
    /// The address to go to.
    pub href: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_move_one_step_or_to_the_last() {
        let plan = RecordKind::Plan;
        for (from, to, may) in [
            ("draft", "ready", true),
            ("ready", "draft", true),
            ("draft", "draft", true),
            ("draft", "in progress", false),
            ("draft", "archived", false),
            ("ready", "archived", true),
            ("archived", "done", true),
            ("archived", "draft", false),
            ("done", "nonsense", false),
            ("nonsense", "done", false),
        ] {
            assert_eq!(plan.may_move(from, to), may, "{from} to {to}");
        }
    }
}
