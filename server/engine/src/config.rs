//! What an engine is started with; the server reads it from flags, the environment and a file.

use std::path::PathBuf;
use std::time::Duration;

/// Every key is checked by the server before the engine sees it.
#[derive(Clone, Debug)]
pub struct Config {
    pub database_url: String,
    /// Most connections to Postgres that this node opens.
    pub connections: u32,
    /// Where workspaces and attachments lie.
    pub data: PathBuf,
    /// The installation's own model; a project, chat or message may name another.
    pub model: ModelConfig,
    /// Turns that this node runs side by side; with 0 it leaves them to other nodes.
    pub turns: usize,
    /// Iterations after which a turn ends and says so.
    pub iterations: i32,
    /// How long a model may be silent before the call is a failure.
    pub silence: Duration,
}

/// Which provider drives turns, and how it is reached.
#[derive(Clone)]
pub struct ModelConfig {
    pub provider: ProviderKind,
    /// The part of the address before `/v1`; absent: the provider's own.
    pub base_url: Option<String>,
    pub model: Option<String>,
    pub key: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderKind {
    Anthropic,
    OpenAi,
    Demo,
}

impl std::fmt::Debug for ModelConfig {
    /// Leaves the key out: configuration is logged.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelConfig")
            .field("provider", &self.provider)
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .field("key", &self.key.as_ref().map(|_| "set"))
            .finish()
    }
}
