//! **G20** `GET /api/v1/chats/{id}` of a chat with 50 messages, signed in by the session's cookie: whole answers a second on eight connections.
//! Against the plainest GET that axum answers, in the relay's process, by the same client.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::{Figure, Goal, Reading, Row};
use crate::client::raw::gets_a_second;
use crate::result::Result;
use crate::stage::{Stage, history};

pub const FIGURE: Figure = Figure {
    rows: &[Row {
        id: "G20",
        what: "a chat page as JSON, signed in",
        unit: "/s",
        goal: Goal::RatioAtLeast(0.05),
        baseline: Some("a trivial axum GET"),
    }],
    measure: |stage| measure(stage).boxed(),
};

const CONNECTIONS: usize = 8;

static CHAT: OnceCell<Uuid> = OnceCell::const_new();

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let length = Duration::from_millis(if stage.quick { 500 } else { 1_500 });
        let chat_id = CHAT.get_or_try_init(|| history::chat(stage, 50)).await?;
        let url = format!("{}/api/v1/chats/{chat_id}", stage.api.base());
        let cookie = format!("cookie: {}\r\n", stage.api.cookie());
        let confab = gets_a_second(&url, &cookie, CONNECTIONS, length).await?;
        let trivial = gets_a_second(&format!("{}/trivial", stage.relay()), "", CONNECTIONS, length).await?;
        Ok(vec![Reading::beside(confab, trivial)])
    }
    .boxed()
}
