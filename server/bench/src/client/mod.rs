//! The clients: of Confab over its API, of the provider, of the relay. All read server-sent events with the same parser and look at the same
//! clock when bytes come in.

pub mod api;
pub mod chat;
pub mod delta;
pub mod http;
pub mod plain;
pub mod raw;
pub mod sse;
pub mod tokens;

/// Where the provider is asked: the dialect that Confab is configured for.
pub const PROVIDER_PATH: &str = "/v1/messages";
/// The key that names the benchmark's script at the provider.
pub const PROVIDER_KEY: &str = "bench";
