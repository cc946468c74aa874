//! The text in an event.

use std::borrow::Cow;

use serde::Deserialize;

#[derive(Deserialize)]
struct OfProvider<'a> {
    #[serde(borrow)]
    delta: Option<Inner<'a>>,
}

#[derive(Deserialize)]
struct Inner<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

/// The text of a provider's `content_block_delta`.
pub fn of_provider(data: &str) -> Option<Cow<'_, str>> {
    serde_json::from_str::<OfProvider<'_>>(data).ok()?.delta?.text
}

#[derive(Deserialize)]
struct OfConfab<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    delta: Option<Cow<'a, str>>,
}

/// What an event of Confab's, or of the relay's, means to a benchmark.
pub enum Meaning<'a> {
    Text(Cow<'a, str>),
    /// The turn is over.
    Finished,
    /// The turn failed; the event says why.
    Failed,
    Other,
}

pub fn of_confab(data: &str) -> Meaning<'_> {
    let Ok(event) = serde_json::from_str::<OfConfab<'_>>(data) else { return Meaning::Other };
    match (&*event.kind, event.delta) {
        ("TEXT_MESSAGE_CONTENT", Some(delta)) => Meaning::Text(delta),
        ("RUN_FINISHED", _) => Meaning::Finished,
        ("RUN_ERROR", _) => Meaning::Failed,
        _ => Meaning::Other,
    }
}
