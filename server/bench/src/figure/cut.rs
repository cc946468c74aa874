//! **G11** A client follows an answer at 100 tokens a second; again and again its connection is cut, it stays away for 100 ms and comes back on
//! a new one with the number of the last event that it read. *Lost* and *repeated* are tokens that at the end were never, or more than once,
//! read. *First new token* is from the moment before the new connection is made to the reading of its first token: the median.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Figure, Goal, Reading, Row, number};
use crate::client::chat::Chat;
use crate::client::delta::{Meaning, of_confab};
use crate::client::http;
use crate::client::tokens::Tokens;
use crate::measure::clock;
use crate::measure::statistics::median;
use crate::result::Result;
use crate::stage::{Stage, provider, work::Work};

pub const FIGURE: Figure = Figure {
    rows: &[
        Row { id: "G11", what: "back after a cut: tokens lost", unit: "", goal: Goal::AtMost(0.0), baseline: None },
        Row { id: "G11", what: "back after a cut: tokens repeated", unit: "", goal: Goal::AtMost(0.0), baseline: None },
        Row {
            id: "G11",
            what: "back after a cut: first new token",
            unit: "ms",
            goal: Goal::AtMost(11.0),
            baseline: None,
        },
    ],
    measure: |stage| measure(stage).boxed(),
};

const AWAY: Duration = Duration::from_millis(100);

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let work = Work::new(stage.count(400, 150), 10_000);
        provider::script(stage.provider(), [work.step()]).await?;
        let mut chat = stage.chat().await?;
        let mut tokens = Tokens::ask();
        chat.send(&work.text()).await?;
        let mut back = Vec::new();
        loop {
            // some tokens on this connection
            let enough = tokens.numbers.len() + 5;
            if read(&mut chat, &mut tokens, enough).await? {
                break;
            }
            let (id, cursor) = (chat.id, chat.cursor.clone());
            drop(chat);
            tokio::time::sleep(AWAY).await;
            let client = http::fresh()?;
            let (before, start) = (tokens.numbers.len(), clock::microseconds());
            chat = Chat::open(&client, &stage.api, id, cursor.as_deref()).await?;
            let over = read(&mut chat, &mut tokens, before + 1).await?;
            if tokens.numbers.len() > before {
                back.push(clock::milliseconds(tokens.heard().saturating_sub(start)));
            }
            if over {
                break;
            }
        }
        let mut counts = vec![0_usize; work.tokens];
        for number in &tokens.numbers {
            if let Some(count) = counts.get_mut(*number) {
                *count += 1;
            }
        }
        let lost = counts.iter().filter(|count| **count == 0).count();
        let repeated = counts.iter().map(|count| count.saturating_sub(1)).sum();
        let back = median(&back).ok_or("the answer ended before a cut")?;
        Ok(vec![Reading::alone(number(lost)), Reading::alone(number(repeated)), Reading::alone(back)])
    }
    .boxed()
}

/// Reads until so many tokens are there; says whether the turn is over.
async fn read(chat: &mut Chat, tokens: &mut Tokens, enough: usize) -> Result<bool> {
    while tokens.numbers.len() < enough {
        let (event, now) = chat.next().await?;
        match of_confab(&event.data) {
            Meaning::Text(text) => tokens.hear(&text, now),
            Meaning::Finished => return Ok(true),
            Meaning::Failed => return Err(format!("the turn failed: {}", event.data).into()),
            Meaning::Other => {}
        }
    }
    Ok(false)
}
