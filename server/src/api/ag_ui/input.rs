use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

/// What an AG-UI client sends. What is for other agents than ours is passed over.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunAgentInput {
    /// The id of the chat.
    pub thread_id: String,
    /// The client's name for the run; the run's own id is the turn's.
    #[serde(default)]
    pub run_id: String,
    /// The last of them is sent.
    pub messages: Vec<InputMessage>,
}

/// One message of the client's list.
#[derive(Deserialize, ToSchema)]
pub struct InputMessage {
    pub id: String,
    pub role: String,
    /// A text, or parts of which those of type `text` are taken.
    #[serde(default)]
    pub content: Value,
}

impl RunAgentInput {
    /// Id and text of the last message.
    ///
    /// # Errors
    /// A sentence, when there is none of the person's.
    pub fn last_message(&self) -> Result<(String, String), &'static str> {
        let last = self.messages.last().filter(|message| message.role == "user");
        let last = last.ok_or("The last message must be one of role `user`: it is the one that is sent.")?;
        Ok((last.id.clone(), text(&last.content)))
    }
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter(|part| part["type"] == "text")
            .filter_map(|part| part["text"].as_str())
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}
