//! Fifty chats, each followed by a client of its own, all sent to at the same moment and answered at 20 tokens a second.
//!
//! **G3** From the provider's writing of a token to the client's reading of it, the 99th percentile of all tokens of all streams; the same
//! through *relay*.
//! **G4** From the moment before the send to the first token, the 99th percentile over three such waves of fifty (two of them short); the same
//! through *relay*.
//! **G7** Processor time of Confab and of Postgres, backends counted, from before the sends to after the last turn's end, for each 1,000
//! tokens; beside it the relay's own.

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::task::JoinSet;

use super::{Figure, Goal, Reading, Row, number};
use crate::client::chat::Chat;
use crate::client::http;
use crate::client::plain::{Plain, ask};
use crate::client::tokens::Tokens;
use crate::measure::statistics::percentile;
use crate::result::Result;
use crate::stage::{Stage, provider, work::Work};

pub const FIGURE: Figure = Figure {
    rows: &[
        Row {
            id: "G3",
            what: "token relay p99, 50 streams at 20 tokens/s",
            unit: "ms",
            goal: Goal::AtMost(8.0),
            baseline: Some("*relay*"),
        },
        Row {
            id: "G4",
            what: "first token p99, 50 streams begun at once",
            unit: "ms",
            goal: Goal::AtMost(55.0),
            baseline: Some("*relay*"),
        },
        Row {
            id: "G7",
            what: "processor for 1,000 tokens, 50 streams at 20 tokens/s, Postgres counted",
            unit: "ms",
            goal: Goal::AtMost(420.0),
            baseline: Some("*relay*"),
        },
    ],
    measure: |stage| measure(stage).boxed(),
};

const STREAMS: usize = 50;

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let (long, short) = (Work::new(stage.count(100, 40), 50_000), Work::new(4, 50_000));
        provider::script(stage.provider(), [long.step(), short.step()]).await?;
        let mut chats = stage.chats(STREAMS).await?;
        // opens the connections of the sends
        wave(&mut chats, short).await?;

        let before = stage.processor();
        let confab = wave(&mut chats, long).await?;
        let confab_processor = stage.processor() - before;
        let mut confab_first = firsts(&confab);
        for _ in 0..2 {
            confab_first.extend(firsts(&wave(&mut chats, short).await?));
        }
        drop(chats);

        let client = http::client()?;
        relay_wave(stage, &client, short).await?;
        let before = stage.relay_processor();
        let relay = relay_wave(stage, &client, long).await?;
        let relay_processor = stage.relay_processor() - before;
        let mut relay_first = firsts(&relay);
        for _ in 0..2 {
            relay_first.extend(firsts(&relay_wave(stage, &client, short).await?));
        }

        let thousands = number(STREAMS * long.tokens) / 1_000.0;
        Ok(vec![
            Reading::beside(p99(&delays(&confab))?, p99(&delays(&relay))?),
            Reading::beside(p99(&confab_first)?, p99(&relay_first)?),
            Reading::beside(confab_processor / thousands, relay_processor / thousands),
        ])
    }
    .boxed()
}

/// Sends to all chats at once and reads all answers.
pub(super) async fn wave(chats: &mut Vec<Chat>, work: Work) -> Result<Vec<Tokens>> {
    let mut turns = JoinSet::new();
    for mut chat in chats.drain(..) {
        turns.spawn(async move {
            let tokens = chat.turn(&work.text()).await?;
            Result::Ok((chat, tokens))
        });
    }
    let mut heard = Vec::new();
    while let Some(turn) = turns.join_next().await {
        let (chat, tokens) = turn??;
        chats.push(chat);
        heard.push(whole(tokens, work)?);
    }
    Ok(heard)
}

/// The same through the relay.
pub(super) async fn relay_wave(stage: &Stage, client: &reqwest::Client, work: Work) -> Result<Vec<Tokens>> {
    let mut answers = JoinSet::new();
    for _ in 0..STREAMS {
        let (client, relay) = (client.clone(), stage.relay().to_owned());
        answers.spawn(async move { ask(&client, Plain::Relay, &relay, &work.text()).await });
    }
    let mut heard = Vec::new();
    while let Some(answer) = answers.join_next().await {
        heard.push(whole(answer??, work)?);
    }
    Ok(heard)
}

fn whole(tokens: Tokens, work: Work) -> Result<Tokens> {
    if tokens.are_whole(work.tokens) { Ok(tokens) } else { Err("tokens were lost".into()) }
}

fn firsts(heard: &[Tokens]) -> Vec<f64> {
    heard.iter().filter_map(Tokens::first).collect()
}

fn delays(heard: &[Tokens]) -> Vec<f64> {
    heard.iter().flat_map(|tokens| &tokens.delays).copied().collect()
}

fn p99(values: &[f64]) -> Result<f64> {
    percentile(values, 99).ok_or_else(|| "nothing was measured".into())
}
