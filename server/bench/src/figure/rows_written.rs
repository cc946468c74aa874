//! **G17** Event rows a second through Confab's own append, the path of a running turn's text: 50 a batch, eight turns at once, each
//! batch one fenced statement that takes its numbers under the chat's lock, commits, and is published to a client that follows the chat. In
//! process: no HTTP on either side. *pgbench* puts rows of the same text into the same table, 50 an `INSERT`, on as many connections, and does
//! nothing else.

use std::fmt::Write;
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::task::JoinSet;

use super::{Figure, Goal, Reading, Row, number};
use crate::result::Result;
use crate::stage::Stage;
use crate::stage::writers::Writers;

pub const FIGURE: Figure = Figure {
    rows: &[Row {
        id: "G17",
        what: "event rows written, 50 a batch",
        unit: "/s",
        goal: Goal::RatioAtLeast(0.5),
        baseline: Some("*pgbench*"),
    }],
    measure: |stage| measure(stage).boxed(),
};

const TURNS: usize = 8;
const BATCH: usize = 50;

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let seconds = stage.count(3, 1);
        // half of the chats are for pgbench
        let writers = Writers::make(stage, 2 * TURNS).await?;
        let confab = appended(&writers, Duration::from_secs(seconds as u64)).await?;
        let file = stage.folder.path().join("rows.sql");
        std::fs::write(&file, script()?)?;
        let pgbench = writers.database.pgbench(&file, TURNS, seconds).await?;
        writers.engine.shutdown().await;
        Ok(vec![Reading::beside(confab, pgbench.transactions_a_second * number(BATCH))])
    }
    .boxed()
}

/// Rows a second through the engine.
async fn appended(writers: &Writers, length: Duration) -> Result<f64> {
    let mut followers = JoinSet::new();
    let mut turns = JoinSet::new();
    let start = Instant::now();
    for place in 0..TURNS {
        let mut follow = writers.engine.feed().follow(Writers::chat(place), 0);
        followers.spawn(async move { while follow.next().await.is_ok() {} });
        let engine = writers.engine.clone();
        turns.spawn(async move {
            let events: Vec<_> = (0..BATCH).map(|_| Writers::event(place)).collect();
            let mut rows = 0;
            while start.elapsed() < length {
                engine.append(Writers::chat(place), (Writers::turn(place), 1), &events).await?;
                rows += BATCH;
            }
            engine::Result::Ok(rows)
        });
    }
    let mut rows = 0;
    while let Some(turn) = turns.join_next().await {
        rows += turn??;
    }
    Ok(number(rows) / start.elapsed().as_secs_f64())
}

/// pgbench's script: each connection has a chat of its own and counts its own numbers up.
fn script() -> Result<String> {
    let event = engine::store::event::text(&Writers::event(0));
    let mut script = format!("\\set base random(1, 1000000000) * {BATCH}\n");
    script.push_str("insert into events (chat_id, seq, turn_id, event, created_at) values");
    for place in 0..BATCH {
        let comma = if place == 0 { "" } else { "," };
        write!(
            script,
            "{comma} (('00000000-0000-4000-8001-' || lpad(({TURNS} + :client_id)::text, 12, '0'))::uuid, :base + {place}, '{}', '{event}', now())",
            Writers::turn(0)
        )?;
    }
    script.push_str(";\n");
    Ok(script)
}
