//! **G1** From the moment before a client sends its request to the moment it has read the first token of the answer. Through Confab the
//! request is `POST /api/v1/chats/{id}/messages` and the token comes on the chat's open event stream; *direct* it is the request to the
//! provider and its body. What Confab adds is the difference of the two medians. One stream, one answer after another, in a chat whose history
//! grows with them.

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
        id: "G1",
        what: "first token, 1 stream, added over *direct*",
        unit: "ms",
        goal: Goal::AtMost(12.0),
        baseline: Some("*direct* to its first token"),
    }],
    measure: |stage| measure(stage).boxed(),
};

/// A short answer.
const WORK: Work = Work::new(3, 5_000);

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        provider::script(stage.provider(), [WORK.step()]).await?;
        let mut chat = stage.chat().await?;
        let client = http::client()?;
        let (mut confab, mut direct) = (Vec::new(), Vec::new());
        // the first of each opens connections and is not counted
        for counted in [false].into_iter().chain(std::iter::repeat_n(true, stage.count(25, 8))) {
            let through = chat.turn(&WORK.text()).await?.first().ok_or("an answer had no token")?;
            let beside = ask(&client, Plain::Direct, stage.provider(), &WORK.text()).await?;
            if counted {
                confab.push(through);
                direct.push(beside.first().ok_or("the provider gave no token")?);
            }
        }
        let (confab, direct) = (median(&confab), median(&direct));
        let (confab, direct) = confab.zip(direct).ok_or("nothing was measured")?;
        Ok(vec![Reading::beside(confab - direct, direct)])
    }
    .boxed()
}
