//! How a refusal reads: RFC 9457 problem details with a stable code.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    pub status: u16,
    pub title: String,
    /// A sentence that says what was wrong and what to do.
    pub detail: String,
    /// Stable, for programs: `not_found`, `invalid`, `conflict`, …
    pub code: String,
}
