//! The audit log as people and programs read it.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::person::Named;
use crate::version::EditSource;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Subject {
    /// `record`, `chat`, `turn`, `person`, `project`, `proposal`, `token`, …
    pub kind: String,
    pub id: Uuid,
    /// What people call it, as it is named now; empty where it has no name.
    pub name: String,
    /// Where to look at it, if there is a page.
    pub href: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditRow {
    pub id: i64,
    #[serde(with = "time::serde::rfc3339")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: OffsetDateTime,
    /// Who did it, or on whose behalf; absent for a failed sign-in of an unknown account.
    pub actor: Option<Named>,
    /// The agent, when one did it.
    pub agent: Option<Named>,
    pub turn_id: Option<Uuid>,
    /// Such as `record.saved`, `chat.created`, `session.failed`.
    pub action: String,
    pub subject: Subject,
    pub before_version: Option<i32>,
    pub after_version: Option<i32>,
    pub edit_source: Option<EditSource>,
    pub address: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
pub struct AuditFilter {
    #[serde(default)]
    pub person: Option<Uuid>,
    /// `true`: exactly the rows that agents caused; `false`: exactly the others.
    #[serde(default)]
    pub ai: Option<bool>,
    #[serde(default)]
    pub subject: Option<Uuid>,
    /// An action or the first part of one: `record` finds `record.saved` and `record.created`.
    #[serde(default)]
    pub action: Option<String>,
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub since: Option<OffsetDateTime>,
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub until: Option<OffsetDateTime>,
}
