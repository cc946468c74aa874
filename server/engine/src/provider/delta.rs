use super::Block;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What a running call tells, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// More text of the answer. Never empty.
    Text(String),
    /// More of the model's thinking. Never empty.
    Reasoning(String),
    /// A tool call begins. `index` numbers the calls of this answer from 0.
    ToolCallStart { index: usize, id: String, name: String },
    /// More of a call's arguments, as text: only what is new. Calls may alternate. The text of one call need not be valid JSON, not even
    /// at the end; the checked arguments are in [`Delta::Done`].
    ToolCallArgs { index: usize, json: String },
    /// What this call has used so far, attempts that failed included: each value replaces the one before. For a call that is stopped;
    /// a call that ends well repeats it in [`Completion::usage`].
    Usage(Usage),
    /// The attempt failed and the next one is made after a pause of `seconds` (rounded up). `reason` is a plain sentence.
    Waiting { seconds: u64, reason: String },
    /// The call is made again: everything streamed in this call so far, but [`Delta::Usage`], is void.
    Restarted,
    /// The provider said that the answer is complete. The last item of the stream.
    Done(Completion),
}

/// A complete answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// What the model said, in order; to be replayed as one [`super::Item::Assistant`]. Empty when the model answered with nothing.
    pub blocks: Vec<Block>,
    pub usage: Usage,
    pub stop: StopReason,
}

/// Why the model stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    EndTurn,
    /// It waits for the results of its tool calls.
    ToolUse,
    /// The answer was cut at `max_output_tokens`.
    MaxTokens,
    /// The provider or the model declined to go on.
    Refusal,
    /// A reason that we do not know, as the provider wrote it.
    Other(String),
}

/// Tokens of one call, or of several added up. The four kinds that have a price of their own do not overlap: `input_tokens` excludes
/// what was read from or written to the cache. `reasoning_tokens` is the part of `output_tokens` that was thinking, 0 where the
/// provider does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub cache_read_tokens: i64,
    pub cache_write_tokens: i64,
    pub reasoning_tokens: i64,
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cache_read_tokens += other.cache_read_tokens;
        self.cache_write_tokens += other.cache_write_tokens;
        self.reasoning_tokens += other.reasoning_tokens;
    }
}
