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
