use std::path::PathBuf;

use serde::Deserialize;
use tokio::process::Command;
use uuid::Uuid;

use super::Stage;
use super::program::finish;
use crate::result::Result;

/// What a browser saw of one page, loaded with nothing in its cache.
#[derive(Debug, Deserialize)]
pub struct Seen {
    /// Bytes that came over the wire, heads included.
    pub bytes: f64,
    pub requests: f64,
    /// Of the WebAssembly, as it came over the wire.
    pub wasm_bytes: f64,
    pub wasm_encoding: Option<String>,
    /// Milliseconds to the largest paint.
    pub largest_paint: f64,
    /// Milliseconds beyond 50 of every long task after the first paint.
    pub blocking: f64,
}

/// How slow the machine and the network of the browser are made.
#[derive(Clone, Copy, Debug)]
pub enum Slowness {
    Plain,
    /// 10 Mbit/s, 40 ms, processor ÷ 4.
    Phone,
}

/// Loads the page of a chat, signed in, in a browser of its own, and waits until it is hydrated and quiet.
pub async fn look(stage: &Stage, chat_id: Uuid, slowness: Slowness) -> Result<Seen> {
    let script = root()?.join("end2end/bench/page.mjs");
    let mut node = Command::new("node");
    node.arg(script)
        .env("BENCH_URL", stage.api.base())
        .env("BENCH_PATH", stage.chat_page(chat_id))
        .env("BENCH_COOKIE", stage.api.cookie())
        .env("BENCH_SLOW", if matches!(slowness, Slowness::Phone) { "1" } else { "" });
    let said = finish(&mut node).await?;
    serde_json::from_str(&said).map_err(|error| format!("the browser said {said}: {error}").into())
}

/// The folder of the sources: `CONFAB_ROOT`, as the scripts set it, or where this was built.
fn root() -> Result<PathBuf> {
    let named = std::env::var_os("CONFAB_ROOT").map(PathBuf::from);
    let built = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(PathBuf::from);
    named.or_else(built).ok_or_else(|| "the folder of the sources is not known; set CONFAB_ROOT".into())
}
