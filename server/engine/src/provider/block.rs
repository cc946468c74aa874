use serde::{Deserialize, Serialize};

/// One entry of the conversation as a model sees it. Stored as JSON; a history is a list of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", content = "content", rename_all = "snake_case")]
pub enum Item {
    /// What the person, or whoever caused the turn, said.
    User(Vec<Block>),
    /// What the model said, in the order it said it.
    Assistant(Vec<Block>),
    /// The answers to the tool calls of the assistant item directly before.
    ToolResults(Vec<ToolResult>),
}

/// A piece of a message. Stored as JSON, so fields are only ever added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    Text {
        text: String,
    },
    /// The model's thinking. `signature` and `redacted` are opaque, are kept byte for byte, and mean something only to the `model` that
    /// made them: a request for another model leaves the block out.
    Reasoning {
        text: String,
        signature: Option<String>,
        /// The opaque data of a block whose text the provider withheld; `text` is then empty.
        redacted: Option<String>,
        model: String,
    },
    ToolCall {
        id: String,
        name: String,
        /// The arguments: always a JSON object, `{}` when the model sent none.
        input: serde_json::Value,
        /// The arguments as the model sent them when they were no JSON object; `input` is then `{}`. Such a call is not run: the loop
        /// answers it with an error result that quotes what was wrong, and it is replayed with `{}`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        malformed: Option<String>,
    },
    Image {
        media_type: String,
        data_base64: String,
    },
}

/// The answer to one tool call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    pub call_id: String,
    pub name: String,
    pub content: String,
    pub is_error: bool,
}
