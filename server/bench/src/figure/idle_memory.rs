//! **G9** Memory of a Confab that was just started with the demo organisation on an empty database and has been left alone for two seconds: what
//! its process holds, with its share of what it shares (PSS). Postgres is a server of its own and not counted.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Figure, Goal, Reading, Row};
use crate::measure::memory;
use crate::result::Result;
use crate::stage::{Stage, server::Server};

pub const FIGURE: Figure = Figure {
    rows: &[Row {
        id: "G9",
        what: "memory of a fresh idle server",
        unit: "MiB",
        goal: Goal::AtMost(60.0),
        baseline: None,
    }],
    measure: |stage| measure(stage).boxed(),
};

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let name = format!("idle_{}", stage.number());
        let database = stage.postgres.create(&name).await?;
        let server = Server::start(&stage.folder.path().join(name), &database, stage.provider(), true).await?;
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(vec![Reading::alone(memory::mebibytes(server.pid())?)])
    }
    .boxed()
}
