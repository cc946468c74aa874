//! The process `confab`: its subcommands, the HTTP edge, and the private Postgres. Thin: what must hold is held by the engine.

// the views of the page are deep, and so are their futures
#![recursion_limit = "512"]

mod api;
mod command;
mod config;
mod http;
mod postgres;
mod shutdown;
mod telemetry;

use std::process::ExitCode;

use clap::Parser;

#[tokio::main]
async fn main() -> ExitCode {
    match command::run(command::Line::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("confab: {sentence}");
            ExitCode::FAILURE
        }
    }
}
