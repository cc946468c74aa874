//! **G18** Commits a second of eight turns that append one event at a time, with live update on: each commit is published in process to a
//! client that follows the chat, and other nodes are told. Against the same statement on as many connections with nobody told. In process:
//! no HTTP on either side.

use std::time::{Duration, Instant};

use engine::store;
use futures::FutureExt;
use futures::future::BoxFuture;
use sqlx::postgres::PgPool;
use tokio::task::JoinSet;

use super::{Figure, Goal, Reading, Row, number};
use crate::result::Result;
use crate::stage::Stage;
use crate::stage::writers::Writers;

pub const FIGURE: Figure = Figure {
    rows: &[Row {
        id: "G18",
        what: "commits with live update on",
        unit: "/s",
        goal: Goal::RatioAtLeast(0.9),
        baseline: Some("live update off"),
    }],
    measure: |stage| measure(stage).boxed(),
};

const TURNS: usize = 8;

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let length = Duration::from_millis(if stage.quick { 500 } else { 1_500 });
        let writers = Writers::make(stage, TURNS).await?;
        // a short run first, so that both find their connections and pages warm; then in turn, so that a slow moment of the disk meets both
        on(&writers, length / 5).await?;
        off(&writers, length / 5).await?;
        let (mut with, mut without) = (0.0, 0.0);
        for _ in 0..2 {
            with += on(&writers, length / 2).await?;
            without += off(&writers, length / 2).await?;
        }
        writers.engine.shutdown().await;
        Ok(vec![Reading::beside(with / 2.0, without / 2.0)])
    }
    .boxed()
}

async fn on(writers: &Writers, length: Duration) -> Result<f64> {
    let mut followers = JoinSet::new();
    let mut turns = JoinSet::new();
    let start = Instant::now();
    for place in 0..TURNS {
        let mut follow = writers.engine.feed().follow(Writers::chat(place), 0);
        followers.spawn(async move { while follow.next().await.is_ok() {} });
        let engine = writers.engine.clone();
        turns.spawn(async move {
            let events = [Writers::event(place)];
            let mut commits = 0;
            while start.elapsed() < length {
                engine.append(Writers::chat(place), (Writers::turn(place), 1), &events).await?;
                commits += 1;
            }
            Result::Ok(commits)
        });
    }
    rate(turns, start).await
}

async fn off(writers: &Writers, length: Duration) -> Result<f64> {
    let mut turns = JoinSet::new();
    let start = Instant::now();
    for place in 0..TURNS {
        let pool = writers.engine.pool().clone();
        turns.spawn(async move {
            let mut commits = 0;
            while start.elapsed() < length {
                append(&pool, place).await?;
                commits += 1;
            }
            Result::Ok(commits)
        });
    }
    rate(turns, start).await
}

async fn rate(mut turns: JoinSet<Result<usize>>, start: Instant) -> Result<f64> {
    let mut commits = 0;
    while let Some(turn) = turns.join_next().await {
        commits += turn??;
    }
    Ok(number(commits) / start.elapsed().as_secs_f64())
}

/// The engine's own append without what follows its commit.
#[expect(clippy::disallowed_methods, reason = "the engine has no way to commit and tell nobody, and should have none")]
async fn append(pool: &PgPool, place: usize) -> Result<()> {
    let texts = [store::event::text(&Writers::event(place))];
    let sql = "select append_events($1, $2, 1, $3, now())";
    sqlx::query(sql).bind(Writers::chat(place)).bind(Writers::turn(place)).bind(&texts[..]).execute(pool).await?;
    Ok(())
}
