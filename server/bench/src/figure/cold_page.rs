//! **G12** The page of a plan with a chat of 50 messages open beside it, loaded by a signed-in Chromium with nothing in its cache, until it is
//! hydrated and the network is quiet: bytes over the wire, heads included; requests; and the WebAssembly as it came over the wire.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Figure, Goal, Reading, Row};
use crate::result::Result;
use crate::stage::browser::{Slowness, look};
use crate::stage::{Stage, history};

pub const FIGURE: Figure = Figure {
    rows: &[
        Row {
            id: "G12",
            what: "chat page, cold: over the wire",
            unit: "KB",
            goal: Goal::AtMost(740.0),
            baseline: None,
        },
        Row { id: "G12", what: "chat page, cold: requests", unit: "", goal: Goal::AtMost(23.0), baseline: None },
        Row { id: "G12", what: "chat page, cold: wasm, brotli", unit: "KB", goal: Goal::AtMost(400.0), baseline: None },
    ],
    measure: |stage| measure(stage).boxed(),
};

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let chat_id = history::chat(stage, 50).await?;
        let seen = look(stage, chat_id, Slowness::Plain).await?;
        if seen.wasm_encoding.as_deref() != Some("br") {
            return Err(format!("the WebAssembly came as {:?}, not in brotli", seen.wasm_encoding).into());
        }
        Ok(vec![
            Reading::alone(seen.bytes / 1_000.0),
            Reading::alone(seen.requests),
            Reading::alone(seen.wasm_bytes / 1_000.0),
        ])
    }
    .boxed()
}
