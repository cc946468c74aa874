//! `bench`: measures Confab and prints the table of figures that it promises, as Markdown.
//!
//! Every figure is measured together with its baseline: *direct* is a client on the provider, *relay* a bare handler that parses and
//! re-frames the provider's stream and stores nothing, *pgbench* the same rows by Postgres' own tool. All rounds do the same work in the
//! same order, so Confab and its baselines take turns; of each figure the median of the rounds is kept.
//!
//! The measured Confab is the release binary, run as a process of its own on a Postgres of its own that syncs to disk; nothing in it knows
//! that it is measured. `scripts/bench` builds both and starts this.

mod client;
mod figure;
mod line;
mod measure;
mod relay;
mod report;
mod result;
mod rounds;
mod stage;

use std::process::ExitCode;

use clap::Parser;
use line::{Line, Part};
use result::Result;

#[tokio::main]
async fn main() -> ExitCode {
    match run(Line::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(line: Line) -> Result<()> {
    match &line.part {
        Some(Part::Provider) => stage::provider::serve().await,
        Some(Part::Relay { provider }) => relay::serve(provider).await,
        None => tokio::select! {
            done = rounds::run(&line) => done,
            // what was started ends with what holds it
            _ = tokio::signal::ctrl_c() => Err("interrupted".into()),
        },
    }
}
