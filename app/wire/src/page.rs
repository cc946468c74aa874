//! One page of a list, as every list of the API answers it.

use serde::{Deserialize, Serialize};

/// Most rows that one page may hold.
pub const LIMIT_MAX: i64 = 200;
/// Rows of a page when the caller names no limit.
pub const LIMIT_DEFAULT: i64 = 50;

/// `before` and `after` are cursors for the next older and next newer page; `null` where there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Page<T> {
    pub items: Vec<T>,
    pub before: Option<String>,
    pub after: Option<String>,
}

impl<T> Page<T> {
    /// A list that is whole: nothing before it, nothing after it.
    #[must_use]
    pub const fn whole(items: Vec<T>) -> Self {
        Page { items, before: None, after: None }
    }
}

/// What a caller asks of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
pub struct Paging {
    #[serde(default)]
    pub limit: Option<i64>,
    #[serde(default)]
    pub before: Option<String>,
    #[serde(default)]
    pub after: Option<String>,
}

impl Paging {
    /// The number of rows to give: 1 to [`LIMIT_MAX`].
    #[must_use]
    pub fn rows(&self) -> i64 {
        self.limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX)
    }
}
