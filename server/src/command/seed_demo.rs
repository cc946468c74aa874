use super::open::{open, sentence};
use crate::{config::Config, telemetry};

/// Adds the sample organisation where it is missing.
///
/// # Errors
/// A sentence.
pub async fn seed_demo(config: Config) -> Result<(), String> {
    telemetry::log(config.log, true);
    let opened = open(&config).await?;
    let seeded = engine::demo::seed(&opened.engine).await;
    opened.close().await;
    seeded.map_err(|error| sentence(&error))?;
    println!("The demo organisation is there: owner@demo.test and four more, password confab-demo.");
    Ok(())
}
