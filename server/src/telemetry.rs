//! What the process says about itself: log lines on the error stream, figures for `/metrics`.

use std::io::IsTerminal;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Upper bounds of the latency histograms, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Log lines from here on. `RUST_LOG` says how much; by default what an operator wants to know.
pub fn log(format: LogFormat, quiet: bool) {
    let built_in = if quiet { "warn" } else { "info,sqlx=error" };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(built_in));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    // a second call, in a test for one, changes nothing
    let _ = match format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
}

/// Gathers figures from here on.
///
/// # Errors
/// When something else gathers them already.
pub fn measure() -> Result<PrometheusHandle, String> {
    PrometheusBuilder::new()
        .set_buckets(&BOUNDS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| format!("Figures cannot be gathered: {error}."))
}
