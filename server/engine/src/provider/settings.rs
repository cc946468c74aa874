use super::failure::cut;
use super::{ProviderError, anthropic, openai};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use std::fmt;
use std::time::Duration;

/// The wire protocol that a remote provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Chat Completions, as OpenAI, vLLM, llama.cpp, Ollama and others speak it.
    OpenAi,
}

/// Where a remote provider is and how patient we are with it.
#[derive(Clone)]
pub struct Settings {
    pub dialect: Dialect,
    /// The part of the address before `/v1`; absent: the provider's own.
    pub base_url: Option<String>,
    /// Local servers need none.
    pub api_key: Option<String>,
    /// So long without anything meaningful is a failure. Pings are not meaningful.
    pub silence_limit: Duration,
    /// The longest wait before another attempt; a provider that asks for a longer one ends the call.
    pub longest_wait: Duration,
    /// Attempts of one call in all.
    pub attempts: u32,
}

impl Settings {
    #[must_use]
    pub const fn new(dialect: Dialect, base_url: Option<String>, api_key: Option<String>) -> Self {
        let silence_limit = Duration::from_secs(90);
        let longest_wait = Duration::from_secs(60);
        Self { dialect, base_url, api_key, silence_limit, longest_wait, attempts: 4 }
    }

    /// The whole address of a call.
    pub(super) fn url(&self) -> Result<Url, ProviderError> {
        let (own, path) = match self.dialect {
            Dialect::Anthropic => ("https://api.anthropic.com", anthropic::PATH),
            Dialect::OpenAi => ("https://api.openai.com", openai::PATH),
        };
        let base = self.base_url.as_deref().map_or(own, str::trim);
        let is_address = Url::parse(base).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let root = base.trim_end_matches('/');
        let root = root.strip_suffix("/v1").unwrap_or(root);
        let url = Url::parse(&format!("{root}{path}")).ok().filter(|_| is_address);
        url.ok_or_else(|| ProviderError::Unreachable { detail: cut(&format!("“{base}” is no address")) })
    }

    /// What every call says beside its body.
    pub(super) fn headers(&self) -> Result<HeaderMap, ProviderError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.dialect == Dialect::Anthropic {
            let (name, value) = anthropic::VERSION;
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        if let Some(key) = &self.api_key {
            let (name, value) = match self.dialect {
                Dialect::Anthropic => (HeaderName::from_static("x-api-key"), key.trim().to_owned()),
                Dialect::OpenAi => (AUTHORIZATION, format!("Bearer {}", key.trim())),
            };
            let mut value = HeaderValue::try_from(value).map_err(|_| ProviderError::Unauthorised {
                detail: "the key holds characters that no key has".into(),
            })?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Settings")
            .field("dialect", &self.dialect)
            .field("base_url", &self.base_url)
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("silence_limit", &self.silence_limit)
            .field("longest_wait", &self.longest_wait)
            .field("attempts", &self.attempts)
            .finish()
    }
}
