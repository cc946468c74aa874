//! **G13** The same page as for G12, loaded cold: from the start of the navigation to the largest paint, and the blocking time, which is what
//! every task longer than 50 ms takes beyond these 50, from the first paint until the page is hydrated and quiet. Once as it is, once
//! with the network at 10 Mbit/s and 40 ms and the processor at a quarter.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Figure, Goal, Reading, Row};
use crate::result::Result;
use crate::stage::browser::{Slowness, look};
use crate::stage::{Stage, history};

pub const FIGURE: Figure = Figure {
    rows: &[
        Row { id: "G13", what: "largest paint", unit: "s", goal: Goal::AtMost(1.0), baseline: None },
        Row {
            id: "G13",
            what: "largest paint, 10 Mbit/s, 40 ms, processor ÷ 4",
            unit: "s",
            goal: Goal::AtMost(2.5),
            baseline: None,
        },
        Row { id: "G13", what: "blocking time", unit: "s", goal: Goal::AtMost(0.2), baseline: None },
        Row {
            id: "G13",
            what: "blocking time, 10 Mbit/s, 40 ms, processor ÷ 4",
            unit: "s",
            goal: Goal::AtMost(1.2),
            baseline: None,
        },
    ],
    measure: |stage| measure(stage).boxed(),
};

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let chat_id = history::chat(stage, 50).await?;
        let plain = look(stage, chat_id, Slowness::Plain).await?;
        let phone = look(stage, chat_id, Slowness::Phone).await?;
        let seconds = |milliseconds: f64| Reading::alone(milliseconds / 1_000.0);
        Ok(vec![
            seconds(plain.largest_paint),
            seconds(phone.largest_paint),
            seconds(plain.blocking),
            seconds(phone.blocking),
        ])
    }
    .boxed()
}
