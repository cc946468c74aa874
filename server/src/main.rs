<<<<<<< HEAD
//! The process `confab`.

mod site;

use app::{App, shell};
use axum::{Router, routing::get};
use leptos_axum::{LeptosRoutes, generate_route_list};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = site::options()?;
    let address = options.site_addr;
    let routes = generate_route_list(App);
    let app = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .leptos_routes(&options, routes, {
            let options = options.clone();
            move || shell(options.clone())
        })
        .fallback(leptos_axum::file_and_error_handler(shell))
        .with_state(options);
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("Confab listens on http://{address}");
    axum::serve(listener, app).await?;
    Ok(())
=======
//! The process `confab`: its subcommands, the HTTP edge, and the private Postgres. Thin: what must hold is held by the engine.

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
>>>>>>> 56317ba (Serve, migrate and look after a private Postgres; the HTTP edge of the page)
}
