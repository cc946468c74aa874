//! The provider writes as fast as it can.
//!
//! **G5, G6** Tokens a second that a client reads, counted from the moment before it asks to the last token of the last stream; one stream
//! (of 20,000 tokens), and fifty at once (of 1,000 each). Every token must be there, once and in order. The same through *relay*.
//! **G8** Processor time of Confab and of Postgres, backends counted, for each 1,000 tokens of the fifty; beside it the relay's own.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::fifty_streams::{relay_wave, wave};
use super::{Figure, Goal, Reading, Row, number};
use crate::client::http;
use crate::client::plain::{Plain, ask};
use crate::client::tokens::Tokens;
use crate::result::Result;
use crate::stage::{Stage, provider, work::Work};

pub const FIGURE: Figure = Figure {
    rows: &[
        Row {
            id: "G5",
            what: "tokens without delay, 1 stream",
            unit: "/s",
            goal: Goal::RatioAtLeast(0.2),
            baseline: Some("*relay*"),
        },
        Row {
            id: "G6",
            what: "tokens without delay, 50 streams",
            unit: "/s",
            goal: Goal::RatioAtLeast(0.2),
            baseline: Some("*relay*"),
        },
        Row {
            id: "G8",
            what: "processor for 1,000 tokens without delay, 50 streams, Postgres counted",
            unit: "ms",
            goal: Goal::AtMost(16.0),
            baseline: Some("*relay*"),
        },
    ],
    measure: |stage| measure(stage).boxed(),
};

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let (one, each) = (Work::new(stage.count(20_000, 5_000), 0), Work::new(stage.count(1_000, 300), 0));
        let warm = Work::new(2, 0);
        provider::script(stage.provider(), [one.step(), each.step(), warm.step()]).await?;
        let client = http::client()?;

        let mut alone = vec![stage.chat().await?];
        wave(&mut alone, warm).await?;
        let confab_one = rate(&wave(&mut alone, one).await?);
        ask(&client, Plain::Relay, stage.relay(), &warm.text()).await?;
        let relay_one = ask(&client, Plain::Relay, stage.relay(), &one.text()).await?;
        if !relay_one.are_whole(one.tokens) {
            return Err("the relay lost tokens".into());
        }

        let mut chats = stage.chats(50).await?;
        wave(&mut chats, warm).await?;
        let before = stage.processor();
        let confab = wave(&mut chats, each).await?;
        let confab_processor = stage.processor() - before;
        drop(chats);
        relay_wave(stage, &client, warm).await?;
        let before = stage.relay_processor();
        let relay = relay_wave(stage, &client, each).await?;
        let relay_processor = stage.relay_processor() - before;

        let thousands = number(50 * each.tokens) / 1_000.0;
        Ok(vec![
            Reading::beside(confab_one, rate(&[relay_one])),
            Reading::beside(rate(&confab), rate(&relay)),
            Reading::beside(confab_processor / thousands, relay_processor / thousands),
        ])
    }
    .boxed()
}

/// Tokens a second of streams that were begun at once.
fn rate(heard: &[Tokens]) -> f64 {
    let seconds = heard.iter().map(Tokens::seconds).fold(0.0, f64::max);
    number(heard.iter().map(|tokens| tokens.numbers.len()).sum()) / seconds
}
