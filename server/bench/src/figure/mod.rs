//! The figures, one file each, and in one file where one run gives several. A figure measures Confab and what it is compared with in turn.

mod cold_page;
mod commits;
mod cut;
mod fifty_streams;
mod first_page;
mod first_token;
mod flat_out;
mod idle_memory;
mod json_page;
mod long_chat;
mod paint;
mod reconcile;
mod relay_median;
mod replay;
mod rows_written;

use futures::future::BoxFuture;

use crate::result::Result;
use crate::stage::Stage;

/// What is measured together, once a round.
pub struct Figure {
    pub rows: &'static [Row],
    /// One reading a row.
    pub measure: fn(&Stage) -> BoxFuture<'_, Result<Vec<Reading>>>,
}

/// One line of the table.
pub struct Row {
    pub id: &'static str,
    pub what: &'static str,
    pub unit: &'static str,
    pub goal: Goal,
    /// What it is compared with.
    pub baseline: Option<&'static str>,
}

/// What was promised.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    AtMost(f64),
    /// Of the value to the baseline's.
    RatioAtLeast(f64),
    RatioAtMost(f64),
}

/// What one round gave for one row.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub value: f64,
    pub baseline: Option<f64>,
}

impl Reading {
    pub const fn alone(value: f64) -> Reading {
        Reading { value, baseline: None }
    }

    pub const fn beside(value: f64, baseline: f64) -> Reading {
        Reading { value, baseline: Some(baseline) }
    }
}

/// All of them, in the order of the table.
pub const FIGURES: [&Figure; 15] = [
    &first_token::FIGURE,
    &relay_median::FIGURE,
    &fifty_streams::FIGURE,
    &flat_out::FIGURE,
    &idle_memory::FIGURE,
    &first_page::FIGURE,
    &cut::FIGURE,
    &cold_page::FIGURE,
    &paint::FIGURE,
    &rows_written::FIGURE,
    &commits::FIGURE,
    &replay::FIGURE,
    &json_page::FIGURE,
    &reconcile::FIGURE,
    &long_chat::FIGURE,
];

/// A number that a benchmark counts, for arithmetic.
#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark are far below 2^52")]
const fn number(count: usize) -> f64 {
    count as f64
}
