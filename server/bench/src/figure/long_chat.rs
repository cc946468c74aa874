//! **G26** Opening a chat with 100,000 messages against one with 50: the median time of `GET /api/v1/chats/{id}`, and of the whole HTML of the
//! page with the chat open beside its plan, asked for in turn on one connection.

use std::time::Instant;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::{Figure, Goal, Reading, Row};
use crate::measure::statistics::median;
use crate::result::Result;
use crate::stage::{Stage, history};

pub const FIGURE: Figure = Figure {
    rows: &[
        Row {
            id: "G26",
            what: "opening a chat with 100,000 messages, as JSON",
            unit: "ms",
            goal: Goal::RatioAtMost(1.5),
            baseline: Some("one with 50"),
        },
        Row {
            id: "G26",
            what: "opening a chat with 100,000 messages, as a page",
            unit: "ms",
            goal: Goal::RatioAtMost(1.5),
            baseline: Some("one with 50"),
        },
    ],
    measure: |stage| measure(stage).boxed(),
};

static CHATS: OnceCell<(Uuid, Uuid)> = OnceCell::const_new();

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let chats = CHATS.get_or_try_init(|| async {
            Result::Ok((history::chat(stage, 100_000).await?, history::chat(stage, 50).await?))
        });
        let (long, short) = *chats.await?;
        let mut times: [Vec<f64>; 4] = Default::default();
        for place in 0..stage.count(30, 8) {
            for (at, chat_id) in [long, short].into_iter().enumerate() {
                let start = Instant::now();
                let _: serde_json::Value = stage.api.get(&format!("/api/v1/chats/{chat_id}")).await?;
                let json = start.elapsed();
                let start = Instant::now();
                stage.api.page(&stage.chat_page(chat_id)).await?;
                let page = start.elapsed();
                // the first of each is not counted
                if place > 0 {
                    times[at].push(json.as_secs_f64() * 1_000.0);
                    times[2 + at].push(page.as_secs_f64() * 1_000.0);
                }
            }
        }
        let beside = |of: usize| {
            let (value, baseline) = median(&times[of]).zip(median(&times[of + 1]))?;
            Some(Reading::beside(value, baseline))
        };
        [beside(0), beside(2)].into_iter().map(|reading| reading.ok_or_else(|| "nothing was measured".into())).collect()
    }
    .boxed()
}
