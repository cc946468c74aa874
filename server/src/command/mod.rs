//! The command line: each subcommand reads the configuration, does one thing and ends.

mod doctor;
mod line;
mod migrate;
mod open;
mod seed_demo;
mod serve;
mod user;

pub use line::Line;
use line::Sub;

/// Runs what the line asks for.
///
/// # Errors
/// A sentence for the person at the terminal.
pub async fn run(line: Line) -> Result<(), String> {
    let keys = line.keys()?;
    let config = crate::config::Config::check(&keys)?;
    match line.command {
        Sub::Serve { demo } => serve::serve(config, demo).await,
        Sub::Migrate => migrate::migrate(config).await,
        Sub::Doctor => doctor::doctor(config).await,
        Sub::SeedDemo => seed_demo::seed_demo(config).await,
        Sub::User { action } => user::user(config, action).await,
    }
}
