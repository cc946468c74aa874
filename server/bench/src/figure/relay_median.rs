//! **G2** From the moment the provider writes a token (the token carries it) to the moment the client has read the token from the chat's event
//! stream, where it stands only after it was committed: the median of one stream's tokens, 20 ms apart. The same through *relay*, which
//! commits nothing.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Figure, Goal, Reading, Row};
use crate::client::http;
use crate::client::plain::{Plain, ask};
use crate::measure::statistics::median;
use crate::result::Result;
use crate::stage::{Stage, provider, work::Work};

pub const FIGURE: Figure = Figure {
    rows: &[Row {
        id: "G2",
        what: "token relay, median, 1 stream, shown only after commit",
        unit: "ms",
        goal: Goal::AtMost(1.4),
        baseline: Some("*relay*"),
    }],
    measure: |stage| measure(stage).boxed(),
};

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let work = Work::new(stage.count(150, 50), 20_000);
        provider::script(stage.provider(), [work.step()]).await?;
        let confab = stage.chat().await?.turn(&work.text()).await?;
        let relay = ask(&http::client()?, Plain::Relay, stage.relay(), &work.text()).await?;
        if !confab.are_whole(work.tokens) || !relay.are_whole(work.tokens) {
            return Err("tokens were lost".into());
        }
        let (confab, relay) = (median(&confab.delays), median(&relay.delays));
        let (confab, relay) = confab.zip(relay).ok_or("nothing was measured")?;
        Ok(vec![Reading::beside(confab, relay)])
    }
    .boxed()
}
