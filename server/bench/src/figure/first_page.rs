//! **G10** From starting the process, with an empty database in a Postgres that runs, to the whole HTML of the first page (`/`, redirects
//! followed), migrations included. The page is asked for every 2 ms until it comes.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Figure, Goal, Reading, Row};
use crate::result::Result;
use crate::stage::{Stage, server::Server};

pub const FIGURE: Figure = Figure {
    rows: &[Row {
        id: "G10",
        what: "start to first page, migrations included, Postgres running",
        unit: "s",
        goal: Goal::AtMost(1.5),
        baseline: None,
    }],
    measure: |stage| measure(stage).boxed(),
};

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let name = format!("first_{}", stage.number());
        let database = stage.postgres.create(&name).await?;
        let mut server = Server::spawn(&stage.folder.path().join(name), &database, stage.provider(), false)?;
        let after = server.answers("/", |page| page.contains("</html>")).await?;
        Ok(vec![Reading::alone(after.as_secs_f64())])
    }
    .boxed()
}
