//! The scripted provider as a process of its own, so that what it costs is not counted with what is measured.

use reqwest::Client;
use scripted::{Script, Scripted, Step};
use tokio::net::TcpListener;

use super::child;
use crate::client::{PROVIDER_KEY, http};
use crate::result::Result;

/// Listens on a free port, says where, and serves until the process ends.
pub async fn serve() -> Result<()> {
    let server = Scripted::listen(TcpListener::bind("127.0.0.1:0").await?)?;
    child::say_where(&server.url());
    server.serve().await;
    Ok(())
}

/// Sets what the provider answers, to Confab and to the baselines alike, and forgets what it was asked so far.
pub async fn script(provider: &str, steps: impl IntoIterator<Item = Step>) -> Result<()> {
    let client: Client = http::client()?;
    let script = serde_json::to_vec(&Script::new(PROVIDER_KEY, steps))?;
    let request = client.post(format!("{provider}/script")).header("content-type", "application/json").body(script);
    request.send().await?.error_for_status()?;
    Ok(())
}
