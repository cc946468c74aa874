use super::Item;

/// One call of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The model's name as the provider knows it.
    pub model: String,
    pub system: String,
    /// The conversation, oldest first. The remote providers send it through [`super::history::mend`].
    pub items: Vec<Item>,
    pub tools: Vec<ToolSpec>,
    pub max_output_tokens: u32,
    /// Ask the provider to cache the prompt's stable beginning, where it has a switch for that.
    pub cache: bool,
}

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// The JSON Schema of its arguments: an object schema.
    pub schema: serde_json::Value,
}
