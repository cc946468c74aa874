//! What the real providers refuse in a history, told as they tell it.

use crate::dialect::Dialect;
use crate::script::{Action, Step};
use serde_json::Value;
use std::collections::HashSet;

/// The signatures and opaque blocks that were given out, each with the model and the text it is good for.
#[derive(Default)]
pub(crate) struct Signatures(HashSet<(String, String, String)>);

impl Signatures {
    pub fn remember(&mut self, model: &str, step: &Step) {
        for action in &step.actions {
            match action {
                Action::Reasoning { text, signature: Some(signature), .. } => {
                    self.0.insert((model.into(), signature.clone(), text.clone()));
                }
                Action::Redacted { data } => {
                    self.0.insert((model.into(), data.clone(), String::new()));
                }
                _ => {}
            }
        }
    }

    fn knows(&self, model: &str, signature: &str, text: &str) -> bool {
        self.0.contains(&(model.into(), signature.into(), text.into()))
    }
}

pub(crate) fn check(dialect: Dialect, body: &Value, signatures: &Signatures) -> Result<(), String> {
    if body["model"].as_str().is_none_or(str::is_empty) {
        return Err("model: field required".into());
    }
    let messages = body["messages"]
        .as_array()
        .filter(|messages| !messages.is_empty())
        .ok_or("messages: at least one message is required")?;
    check_tools(dialect, body)?;
    match dialect {
        Dialect::Anthropic => check_anthropic(body, messages, signatures),
        Dialect::OpenAi => check_openai(messages),
    }
}

fn check_tools(dialect: Dialect, body: &Value) -> Result<(), String> {
    for tool in body["tools"].as_array().into_iter().flatten() {
        let (name, schema) = match dialect {
            Dialect::Anthropic => (&tool["name"], &tool["input_schema"]),
            Dialect::OpenAi => (&tool["function"]["name"], &tool["function"]["parameters"]),
        };
        let name = name.as_str().unwrap_or_default();
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            return Err(format!("tools: the name '{name}' should match ^[a-zA-Z0-9_-]{{1,64}}$"));
        }
        if schema["type"] != "object" {
            return Err(format!("tools.{name}: the schema should be of type object"));
        }
    }
    Ok(())
}

fn check_anthropic(body: &Value, messages: &[Value], signatures: &Signatures) -> Result<(), String> {
    if body["max_tokens"].as_u64().is_none_or(|tokens| tokens == 0) {
        return Err("max_tokens: field required".into());
    }
    if marked(body) > 4 {
        return Err("a maximum of 4 blocks with cache_control may be provided".into());
    }
    let model = body["model"].as_str().unwrap_or_default();
    let mut role = "assistant";
    let mut open: Vec<String> = vec![];
    let mut ids = HashSet::new();
    for (number, message) in messages.iter().enumerate() {
        let here = format!("messages.{number}");
        let next = message["role"].as_str().unwrap_or_default();
        if !matches!((role, next), ("assistant", "user") | ("user", "assistant")) {
            return Err(format!(
                "{here}: roles must alternate between \"user\" and \"assistant\", found \"{next}\" after \"{role}\""
            ));
        }
        role = next;
        let text;
        let blocks = match &message["content"] {
            Value::Array(blocks) => blocks.as_slice(),
            plain @ Value::String(_) => {
                text = [serde_json::json!({"type": "text", "text": plain})];
                text.as_slice()
            }
            _ => return Err(format!("{here}.content: field required")),
        };
        if blocks.is_empty() {
            return Err(format!("{here}: all messages must have non-empty content"));
        }
        check_results_first(&here, blocks, &mut open)?;
        for (position, block) in blocks.iter().enumerate() {
            let here = format!("{here}.content.{position}");
            match block["type"].as_str().unwrap_or_default() {
                "text" if blank(&block["text"]) => {
                    return Err(format!("{here}: text content blocks must contain non-whitespace text"));
                }
                "text" if role == "assistant" && !open.is_empty() => {
                    return Err(format!("{here}: text after tool_use"));
                }
                "text" => {}
                "image" => check_image(&here, &block["source"]["media_type"], &block["source"]["data"])?,
                "tool_use" if role == "assistant" => {
                    let id = block["id"].as_str().unwrap_or_default();
                    check_id(&here, id)?;
                    if !block["input"].is_object() {
                        return Err(format!("{here}.tool_use.input: Input should be a valid dictionary"));
                    }
                    if !ids.insert(id.to_owned()) {
                        return Err(format!("{here}: `tool_use` ids must be unique"));
                    }
                    open.push(id.to_owned());
                }
                "tool_result" if role == "user" => {}
                "thinking" if role == "assistant" => {
                    let of = |field: &str| block[field].as_str().unwrap_or_default();
                    if !signatures.knows(model, of("signature"), of("thinking")) {
                        return Err(format!("{here}: Invalid `signature` in `thinking` block"));
                    }
                }
                "redacted_thinking" if role == "assistant" => {
                    if !signatures.knows(model, block["data"].as_str().unwrap_or_default(), "") {
                        return Err(format!("{here}: Invalid `data` in `redacted_thinking` block"));
                    }
                }
                other => return Err(format!("{here}: unexpected block '{other}' for role {role}")),
            }
        }
    }
    if open.is_empty() { Ok(()) } else { Err(missing(&open)) }
}

/// A message after tool calls begins with one result for each, and results stand nowhere else.
fn check_results_first(here: &str, blocks: &[Value], open: &mut Vec<String>) -> Result<(), String> {
    let results: Vec<&str> = blocks
        .iter()
        .filter(|block| block["type"] == "tool_result")
        .map(|block| block["tool_use_id"].as_str().unwrap_or_default())
        .collect();
    if blocks.iter().take(results.len()).any(|block| block["type"] != "tool_result") {
        return Err(format!("{here}: tool_result blocks must come first"));
    }
    for result in results {
        let Some(position) = open.iter().position(|id| id == result) else {
            return Err(format!("{here}: unexpected `tool_use_id` found in `tool_result` blocks: {result}"));
        };
        open.remove(position);
    }
    if open.is_empty() { Ok(()) } else { Err(missing(open)) }
}

fn check_openai(messages: &[Value]) -> Result<(), String> {
    let mut open: Vec<String> = vec![];
    for (number, message) in messages.iter().enumerate() {
        let here = format!("messages.[{number}]");
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let Some(position) = open.iter().position(|open| open == id) else {
                return Err(format!(
                    "{here}: role 'tool' must be a response to a preceding message with 'tool_calls': {id}"
                ));
            };
            open.remove(position);
            if !message["content"].is_string() {
                return Err(format!("{here}.content: a string is required"));
            }
            continue;
        }
        if !open.is_empty() {
            return Err(missing(&open));
        }
        match role {
            "system" | "developer" if number == 0 => {}
            "user" => check_user_parts(&here, &message["content"])?,
            "assistant" => {
                let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
                if calls.is_empty() && blank(&message["content"]) {
                    return Err(format!("{here}.content: expected a string, got nothing"));
                }
                for call in calls {
                    let id = call["id"].as_str().unwrap_or_default();
                    check_id(&here, id)?;
                    let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
                    if !serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()) {
                        return Err(format!("{here}.tool_calls: arguments of {id} are not a JSON object"));
                    }
                    if open.iter().any(|open| open == id) {
                        return Err(format!("{here}.tool_calls: duplicate id {id}"));
                    }
                    open.push(id.to_owned());
                }
            }
            other => return Err(format!("{here}.role: '{other}' is not allowed here")),
        }
    }
    if open.is_empty() { Ok(()) } else { Err(missing(&open)) }
}

fn check_user_parts(here: &str, content: &Value) -> Result<(), String> {
    match content {
        Value::String(_) if !blank(content) => Ok(()),
        Value::Array(parts) if !parts.is_empty() => parts.iter().try_for_each(|part| match part["type"].as_str() {
            Some("text") if blank(&part["text"]) => Err(format!("{here}: blank text part")),
            Some("text") => Ok(()),
            Some("image_url") => {
                let url = part["image_url"]["url"].as_str().unwrap_or_default();
                let (media_type, data) =
                    url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")).unwrap_or_default();
                check_image(here, &media_type.into(), &data.into())
            }
            _ => Err(format!("{here}: unknown part")),
        }),
        _ => Err(format!("{here}.content: non-blank content is required")),
    }
}

/// The declared type must be one of the four, and be what the first bytes say.
fn check_image(here: &str, media_type: &Value, data: &Value) -> Result<(), String> {
    let data = data.as_str().unwrap_or_default();
    let begins = match media_type.as_str() {
        Some("image/png") => "iVBORw0KGgo",
        Some("image/jpeg") => "/9j/",
        Some("image/gif") => "R0lGOD",
        Some("image/webp") => "UklGR",
        _ => {
            return Err(format!(
                "{here}: image media type should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
            ));
        }
    };
    if data.starts_with(begins) { Ok(()) } else { Err(format!("{here}: Could not process image")) }
}

fn check_id(here: &str, id: &str) -> Result<(), String> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if id.is_empty() || id.len() > 40 || !id.chars().all(fits) {
        return Err(format!("{here}: the id '{id}' should match ^[a-zA-Z0-9_-]{{1,40}}$"));
    }
    Ok(())
}

fn missing(open: &[String]) -> String {
    format!("tool calls were found without tool results immediately after: {}", open.join(", "))
}

fn blank(text: &Value) -> bool {
    text.as_str().is_none_or(|text| text.trim().is_empty())
}

/// How many blocks carry a cache mark.
fn marked(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(marked).sum(),
        Value::Object(fields) => {
            usize::from(fields.contains_key("cache_control")) + fields.values().map(marked).sum::<usize>()
        }
        _ => 0,
    }
}
