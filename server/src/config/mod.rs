//! What the process is told: flags before the environment, the environment before the file, the file before what is built in.
//!
//! Every key is read, parsed and checked here, once, at the start; what is wrong is said in a sentence and nothing starts.

mod keys;
mod site;

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use engine::{ModelConfig, ProviderKind};
pub use keys::{KEYS, Keys};
pub use site::Site;

/// Where Postgres is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// A server that somebody else looks after.
    Given(String),
    /// One of our own, in the data folder.
    Private,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

/// The whole configuration, checked.
#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    pub site: Site,
    pub database: Database,
    /// An absolute folder.
    pub data: PathBuf,
    pub model: ModelConfig,
    pub connections: u32,
    pub turns: usize,
    pub iterations: i32,
    pub silence: Duration,
    /// The address in `X-Forwarded-For` is believed, because a proxy of ours sets it.
    pub behind_proxy: bool,
    /// People come over TLS: cookies are `Secure`, and browsers are told to stay with TLS.
    pub tls: bool,
    pub log: LogFormat,
}

impl Config {
    /// Checks what was read.
    ///
    /// # Errors
    /// A sentence that names the key and what it may hold.
    pub fn check(keys: &Keys) -> Result<Config, String> {
        let data = keys.text("data").unwrap_or_else(|| "var".to_owned());
        let data = std::path::absolute(&data).map_err(|error| {
            format!("{}, the data folder, is `{data}`, which is no path: {error}.", keys.origin("data"))
        })?;
        let database = match keys.text("database_url") {
            Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => Database::Given(url),
            Some(_) => {
                return Err(format!("{} must begin with `postgres://`.", keys.origin("database_url")));
            }
            None => Database::Private,
        };
        Ok(Config {
            listen: address(keys)?,
            site: Site::find(keys.text("site_root").map(PathBuf::from)),
            database,
            data,
            model: model(keys)?,
            connections: keys.number("connections", 20, 2..=1_000)?,
            turns: keys.number("turns", 64, 1..=10_000)?,
            iterations: keys.number("iterations", 30, 1..=1_000)?,
            silence: Duration::from_secs(keys.number("silence_seconds", 120, 1..=3_600)?),
            behind_proxy: keys.switch("behind_proxy")?,
            tls: keys.switch("tls")?,
            log: match keys.text("log").as_deref() {
                None | Some("text") => LogFormat::Text,
                Some("json") => LogFormat::Json,
                Some(other) => {
                    return Err(format!("{} is `{other}`; it must be `text` or `json`.", keys.origin("log")));
                }
            },
        })
    }

    /// What the engine is started with, on the Postgres that stands at this address.
    #[must_use]
    pub fn engine(&self, database_url: String) -> engine::Config {
        engine::Config {
            database_url,
            connections: self.connections,
            data: self.data.clone(),
            model: self.model.clone(),
            turns: self.turns,
            iterations: self.iterations,
            silence: self.silence,
        }
    }
}

fn address(keys: &Keys) -> Result<SocketAddr, String> {
    let Some(text) = keys.text("listen") else { return Ok(SocketAddr::from(([127, 0, 0, 1], 3000))) };
    std::net::ToSocketAddrs::to_socket_addrs(text.as_str()).ok().and_then(|mut found| found.next()).ok_or_else(|| {
        format!("{} is `{text}`; it must be an address and a port, such as 127.0.0.1:3000.", keys.origin("listen"))
    })
}

/// The provider that is named; else the one that a key is there for; else `demo`.
fn model(keys: &Keys) -> Result<ModelConfig, String> {
    let anthropic = keys.text("anthropic_api_key");
    let openai = keys.text("openai_api_key");
    let provider = match keys.text("provider").as_deref() {
        Some("anthropic") => ProviderKind::Anthropic,
        Some("openai") => ProviderKind::OpenAi,
        Some("demo") => ProviderKind::Demo,
        Some(other) => {
            return Err(format!(
                "{} is `{other}`; it must be `anthropic`, `openai` or `demo`.",
                keys.origin("provider")
            ));
        }
        None if anthropic.is_some() => ProviderKind::Anthropic,
        None if openai.is_some() => ProviderKind::OpenAi,
        None => ProviderKind::Demo,
    };
    let base_url = keys.text("base_url").map(|url| url.trim_end_matches('/').to_owned());
    if let Some(url) = &base_url
        && url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")).is_none_or(str::is_empty)
    {
        return Err(format!(
            "{} is `{url}`; it must begin with `https://` or `http://` and be the part before `/v1`.",
            keys.origin("base_url")
        ));
    }
    let own_key = match provider {
        ProviderKind::Anthropic => anthropic,
        ProviderKind::OpenAi => openai,
        ProviderKind::Demo => None,
    };
    Ok(ModelConfig { provider, base_url, model: keys.text("model"), key: keys.text("api_key").or(own_key) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(set: &[(&str, &str)]) -> Result<Config, String> {
        let environment = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Config::check(&Keys::read(&[], environment, None)?)
    }

    fn provider(set: &[(&str, &str)]) -> (ProviderKind, Option<String>) {
        let model = check(set).unwrap().model;
        (model.provider, model.key)
    }

    #[test]
    fn the_provider_is_the_named_one_else_the_one_with_a_key_else_demo() {
        let key = |text: &str| Some(text.to_owned());
        assert_eq!(provider(&[]), (ProviderKind::Demo, None));
        assert_eq!(provider(&[("OPENAI_API_KEY", "o")]), (ProviderKind::OpenAi, key("o")));
        let both = [("OPENAI_API_KEY", "o"), ("ANTHROPIC_API_KEY", "a")];
        assert_eq!(provider(&both), (ProviderKind::Anthropic, key("a")));
        let named = [both[0], both[1], ("CONFAB_PROVIDER", "openai")];
        assert_eq!(provider(&named), (ProviderKind::OpenAi, key("o")));
        let own = [named[0], named[1], named[2], ("CONFAB_API_KEY", "c")];
        assert_eq!(provider(&own), (ProviderKind::OpenAi, key("c")));
        assert_eq!(provider(&[("ANTHROPIC_API_KEY", "a"), ("CONFAB_PROVIDER", "demo")]), (ProviderKind::Demo, None));
        assert_eq!(provider(&[("ANTHROPIC_API_KEY", " ")]), (ProviderKind::Demo, None), "empty is absent");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_name_and_what_it_may_hold() {
        for (name, value, says) in [
            ("CONFAB_PROVIDER", "gemini", "`anthropic`, `openai` or `demo`"),
            ("CONFAB_BASE_URL", "localhost:1234", "`https://`"),
            ("DATABASE_URL", "mysql://x", "`postgres://`"),
            ("LEPTOS_SITE_ADDR", "nonsense", "127.0.0.1:3000"),
            ("CONFAB_CONNECTIONS", "0", "2 to 1000"),
            ("CONFAB_TURNS", "many", "whole number"),
            ("CONFAB_TLS", "perhaps", "`true` or `false`"),
            ("CONFAB_LOG", "xml", "`text` or `json`"),
        ] {
            let refusal = check(&[(name, value)]).unwrap_err();
            assert!(refusal.contains(name) && refusal.contains(says) && refusal.ends_with('.'), "{refusal}");
        }
    }

    #[test]
    fn flags_go_before_the_environment_and_the_environment_before_the_file() {
        let file = "listen = '127.0.0.1:1'\nturns = 3\nmodel = 'file'\n";
        let environment = |name: &str| (name == "CONFAB_MODEL" || name == "CONFAB_TURNS").then(|| "7".to_owned());
        let keys = Keys::read(&[("model", "flag".to_owned())], environment, Some(("confab.toml", file))).unwrap();
        let config = Config::check(&keys).unwrap();
        assert_eq!(config.listen.port(), 1);
        assert_eq!(config.turns, 7);
        assert_eq!(config.model.model.as_deref(), Some("flag"));
    }

    #[test]
    fn a_file_with_an_unknown_key_is_refused() {
        let refusal = Keys::read(&[], |_| None, Some(("confab.toml", "lisen = 'x'"))).unwrap_err();
        assert!(refusal.contains("lisen") && refusal.contains("listen"), "{refusal}");
        let refusal = Keys::read(&[], |_| None, Some(("confab.toml", "listen = "))).unwrap_err();
        assert!(refusal.contains("confab.toml"), "{refusal}");
    }
}
