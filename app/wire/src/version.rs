//! Versions of a record, how they differ, and proposals that wait for a person.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::diff::Diff;
use crate::person::Named;

/// What wrote a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum EditSource {
    Human,
    Ai,
    Restore,
}

impl EditSource {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EditSource::Human => "human",
            EditSource::Ai => "ai",
            EditSource::Restore => "restore",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<EditSource> {
        [EditSource::Human, EditSource::Ai, EditSource::Restore].into_iter().find(|source| source.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Version {
    pub version: i32,
    pub title: String,
    pub status: String,
    pub severity: Option<String>,
    pub body: String,
    pub edit_source: EditSource,
    /// The person whose change it was, or on whose behalf the agent made it.
    pub author: Named,
    pub agent: Option<Named>,
    pub chat_id: Option<Uuid>,
    pub turn_id: Option<Uuid>,
    /// The first words of the message that caused an `ai` version.
    pub cause: Option<String>,
    /// Lines added and removed against the version before.
    pub added: i32,
    pub removed: i32,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub created_at: OffsetDateTime,
}

/// The answer of `/diff`: `from` and `to` are version numbers; `from` 0 is the empty text before the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VersionDiff {
    pub from: i32,
    pub to: i32,
    pub title: Option<(String, String)>,
    pub status: Option<(String, String)>,
    #[serde(flatten)]
    pub diff: Diff,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Restore {
    pub version: i32,
}

/// Takes back what one version changed; `hunks` are numbers from 0 in the order that `/diff` gives them, absent for all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Revert {
    pub version: i32,
    #[serde(default)]
    pub hunks: Option<Vec<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProposalKind {
    Conflict,
    Proposed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProposalState {
    Open,
    Accepted,
    Refused,
}

/// An agent's change that a person must decide. `body` is the text to accept as it stands: for a conflict, with both sides
/// marked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proposal {
    pub id: Uuid,
    pub record_id: Uuid,
    pub turn_id: Option<Uuid>,
    pub base_version: i32,
    pub kind: ProposalKind,
    pub title: String,
    pub status: String,
    /// What the agent wrote.
    pub body: String,
    /// For a conflict: the merge with both sides marked.
    pub merged_text: Option<String>,
    /// Against the record as it is now.
    pub hunks: Vec<crate::diff::Hunk>,
    pub state: ProposalState,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub created_at: OffsetDateTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    Accept,
    Refuse,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DecideProposal {
    pub decision: Decision,
    /// The text to write in place of the proposal's own.
    #[serde(default)]
    pub body: Option<String>,
    /// The version of the record that `body` was made from: what others saved since is merged in. Absent: the newest.
    #[serde(default)]
    pub base_version: Option<i32>,
}
