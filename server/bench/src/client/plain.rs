//! Clients without Confab: *direct* on the provider, and on the *relay*.

use futures::StreamExt;
use reqwest::Client;
use serde_json::json;

use super::tokens::Tokens;
use super::{PROVIDER_KEY, PROVIDER_PATH, delta, sse};
use crate::measure::clock;
use crate::result::Result;

/// Which of the two is asked.
#[derive(Clone, Copy, Debug)]
pub enum Plain {
    Direct,
    Relay,
}

/// Asks with this text and reads the answer to its end.
pub async fn ask(client: &Client, plain: Plain, base: &str, text: &str) -> Result<Tokens> {
    let path = match plain {
        Plain::Direct => PROVIDER_PATH,
        Plain::Relay => "/relay",
    };
    let body = json!({
        "model": "scripted", "max_tokens": 4096, "stream": true, "messages": [{"role": "user", "content": text}],
    });
    let mut tokens = Tokens::ask();
    let answer = client
        .post(format!("{base}{path}"))
        .header("content-type", "application/json")
        .header("x-api-key", PROVIDER_KEY)
        .body(serde_json::to_vec(&body)?)
        .send()
        .await?
        .error_for_status()?;
    let mut pieces = answer.bytes_stream();
    let mut parser = sse::Parser::default();
    while let Some(piece) = pieces.next().await {
        let piece = piece?;
        let now = clock::microseconds();
        parser.push(&piece);
        while let Some(event) = parser.next() {
            match plain {
                Plain::Direct => {
                    if let Some(text) = delta::of_provider(&event.data) {
                        tokens.hear(&text, now);
                    }
                }
                Plain::Relay => {
                    if let delta::Meaning::Text(text) = delta::of_confab(&event.data) {
                        tokens.hear(&text, now);
                    }
                }
            }
        }
    }
    Ok(tokens)
}
