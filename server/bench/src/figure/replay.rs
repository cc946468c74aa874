//! **G19** Events a second that a client reads of a turn that is over and has 20,000 of them, over HTTP: `GET /api/v1/turns/{id}/events`, from
//! the moment before the request to the end of the answer. *pgbench* selects the same rows, in order, on one connection.

use std::time::Instant;

use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::{Figure, Goal, Reading, Row, number};
use crate::client::{api::good, http, sse, tokens::Tokens};
use crate::measure::statistics::median;
use crate::result::Result;
use crate::stage::{Stage, history, provider, work::Work};

pub const FIGURE: Figure = Figure {
    rows: &[Row {
        id: "G19",
        what: "replay of a turn of 20,000 events over HTTP",
        unit: "/s",
        goal: Goal::RatioAtLeast(0.1),
        baseline: Some("*pgbench* reading"),
    }],
    measure: |stage| measure(stage).boxed(),
};

struct Turn {
    chat_id: Uuid,
    id: Uuid,
    events: usize,
}

static TURN: OnceCell<Turn> = OnceCell::const_new();

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let turn = TURN.get_or_try_init(|| make(stage)).await?;
        let url = format!("{}/api/v1/turns/{}/events", stage.api.base(), turn.id);
        let client = http::client()?;
        let mut rates = Vec::new();
        for _ in 0..stage.count(3, 1) {
            let start = Instant::now();
            let answer = good(client.get(&url).bearer_auth(stage.api.token()).send().await?).await?;
            let mut pieces = answer.bytes_stream();
            let (mut parser, mut events) = (sse::Parser::default(), 0);
            while let Some(piece) = pieces.next().await {
                parser.push(&piece?);
                while let Some(event) = parser.next() {
                    // what has no number is said to this client and not part of the log
                    events += usize::from(event.id.is_some());
                }
            }
            rates.push(number(events) / start.elapsed().as_secs_f64());
            // the turn's log begins with its start; being queued stands before it
            if events + 2 < turn.events || events > turn.events {
                return Err(format!("{events} events came of a turn that has {}", turn.events).into());
            }
        }
        let file = stage.folder.path().join("replay.sql");
        let select = "select seq, event from events where chat_id = ";
        std::fs::write(&file, format!("{select}'{}' and turn_id = '{}' order by seq;\n", turn.chat_id, turn.id))?;
        let pgbench = stage.database.pgbench(&file, 1, stage.count(2, 1)).await?;
        let confab = median(&rates).ok_or("nothing was measured")?;
        Ok(vec![Reading::beside(confab, pgbench.transactions_a_second * number(turn.events))])
    }
    .boxed()
}

/// A turn that ran, made as long as it has to be.
async fn make(stage: &Stage) -> Result<Turn> {
    let work = Work::new(3, 20_000);
    provider::script(stage.provider(), [work.step()]).await?;
    let mut chat = stage.chat().await?;
    let mut tokens = Tokens::ask();
    let sent = chat.send(&work.text()).await?;
    chat.read(&mut tokens).await?;
    let id = sent.turn.ok_or("a send made no turn")?.id;
    let events = history::lengthen(stage, chat.id, id, 20_000).await?;
    Ok(Turn { chat_id: chat.id, id, events })
}
