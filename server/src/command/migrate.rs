use super::open::open;
use crate::{config::Config, telemetry};

/// Brings the schema up to date; starting the engine does just that.
///
/// # Errors
/// A sentence.
pub async fn migrate(config: Config) -> Result<(), String> {
    telemetry::log(config.log, true);
    open(&config).await?.close().await;
    println!("The schema is up to date.");
    Ok(())
}
