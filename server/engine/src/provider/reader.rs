//! What the two dialects have in common while an answer comes in.

use super::anthropic;
use super::failure::Failure;
use super::openai;
use super::sse::Event;
use super::{Completion, Delta, Usage};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Folds the events of one answer.
pub(super) enum Reader {
    Anthropic(anthropic::Reader),
    OpenAi(openai::Reader),
}

/// What an event was.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Progress {
    /// Nothing: a ping, an empty delta, an event that we do not know. It does not count as life.
    Idle,
    /// Part of the answer.
    Alive,
    /// The provider's terminal event.
    Complete(Completion),
}

impl Reader {
    /// Takes one event; what is to be shown goes to `deltas`.
    pub fn read(&mut self, event: &Event, deltas: &mut Vec<Delta>) -> Result<Progress, Failure> {
        match self {
            Self::Anthropic(reader) => reader.read(event, deltas),
            Self::OpenAi(reader) => reader.read(event, deltas),
        }
    }

    /// As told so far.
    pub fn usage(&self) -> Usage {
        match self {
            Self::Anthropic(reader) => reader.usage(),
            Self::OpenAi(reader) => reader.usage(),
        }
    }
}

/// A number of tokens in whatever form; what is no sensible number counts as not told.
pub(super) fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and no answer has 2^63 tokens")]
    let number = value.as_i64().or_else(|| value.as_f64().map(|number| number as i64));
    Ok(number.filter(|number| *number >= 0))
}

/// A field of another type than expected counts as absent: providers add and change fields.
pub(super) fn lenient<'de, D: Deserializer<'de>, T: serde::de::DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{Block, RealPace};
    use proptest::prelude::*;
    use std::sync::Arc;

    /// JSON of the fields and words that providers use, put together in any way.
    fn some_json() -> impl Strategy<Value = Value> {
        let words = [
            "",
            "text",
            "thinking",
            "tool_use",
            "redacted_thinking",
            "text_delta",
            "input_json_delta",
            "{",
            "{}",
            "stop",
            "length",
            "tool_calls",
            "max_tokens",
            "a\0",
            "message_start",
            "content_block_start",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop",
            "error",
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            prop_oneof![Just(0), Just(1), Just(-1), any::<i64>()].prop_map(Value::from),
            prop::sample::select(words.to_vec()).prop_map(Value::from),
        ];
        let fields = [
            "type",
            "index",
            "message",
            "content_block",
            "delta",
            "usage",
            "error",
            "text",
            "thinking",
            "signature",
            "data",
            "id",
            "name",
            "input",
            "partial_json",
            "stop_reason",
            "choices",
            "content",
            "reasoning_content",
            "tool_calls",
            "function",
            "arguments",
            "finish_reason",
            "prompt_tokens",
            "completion_tokens",
            "input_tokens",
            "output_tokens",
            "prompt_tokens_details",
            "cached_tokens",
            "refusal",
            "code",
        ];
        leaf.prop_recursive(5, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map(prop::sample::select(fields.to_vec()), inner, 0..6)
                    .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
            ]
        })
    }

    proptest! {
        /// No stream of events breaks a reader, and what was streamed is what the answer holds.
        #[test]
        fn any_events_are_taken(events in prop::collection::vec(some_json(), 0..12), of_anthropic in any::<bool>()) {
            let mut reader = if of_anthropic {
                Reader::Anthropic(anthropic::Reader::new("m"))
            } else {
                Reader::OpenAi(openai::Reader::new("m", Arc::new(RealPace)))
            };
            let mut deltas = vec![];
            for event in events {
                let before = deltas.len();
                let progress = reader.read(&Event { name: String::new(), data: event.to_string() }, &mut deltas);
                if let Ok(Progress::Complete(completion)) = progress {
                    check(&completion, &deltas);
                    return Ok(());
                }
                prop_assert!(deltas.len() == before || progress != Ok(Progress::Idle));
            }
        }
    }

    fn check(completion: &Completion, deltas: &[Delta]) {
        let streamed: String = deltas
            .iter()
            .filter_map(|delta| match delta {
                Delta::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let said: String = completion
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(streamed.len(), said.len());
        let started = deltas.iter().filter(|delta| matches!(delta, Delta::ToolCallStart { .. })).count();
        let called = completion
            .blocks
            .iter()
            .filter(|block| matches!(block, Block::ToolCall { input, .. } if input.is_object()))
            .count();
        assert_eq!(started, called);
    }
}
