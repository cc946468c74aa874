use crate::provider::{Block, Item, Request};
use serde_json::{Value, json};

/// The body of a request. `items` are mended ones. OpenAI's own newer models refuse `max_tokens`, many other servers know nothing else;
/// `of_openai` says which kind this is.
pub(in crate::provider) fn body(request: &Request, items: &[Item], of_openai: bool) -> Value {
    let mut messages = vec![];
    if !request.system.trim().is_empty() {
        messages.push(json!({"role": "system", "content": request.system}));
    }
    for item in items {
        match item {
            Item::User(blocks) => messages.extend(user(blocks)),
            Item::Assistant(blocks) => messages.extend(assistant(blocks)),
            Item::ToolResults(results) => messages.extend(
                results
                    .iter()
                    .map(|result| json!({"role": "tool", "tool_call_id": result.call_id, "content": result.content})),
            ),
        }
    }
    let limit = if of_openai { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({
        "model": request.model,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": messages,
        limit: request.max_output_tokens,
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    body
}

fn tool(tool: &crate::provider::ToolSpec) -> Value {
    let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.schema});
    json!({"type": "function", "function": function})
}

fn user(blocks: &[Block]) -> Option<Value> {
    let parts: Vec<Value> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text { text } => Some(json!({"type": "text", "text": text})),
            Block::Image { media_type, data_base64 } => {
                let url = format!("data:{media_type};base64,{data_base64}");
                Some(json!({"type": "image_url", "image_url": {"url": url}}))
            }
            Block::Reasoning { .. } | Block::ToolCall { .. } => None,
        })
        .collect();
    // a plain text stays plain: not every server takes parts
    match parts.as_slice() {
        [] => None,
        [only] if only["type"] == "text" => Some(json!({"role": "user", "content": only["text"]})),
        _ => Some(json!({"role": "user", "content": parts})),
    }
}

/// Reasoning is not sent back: this dialect has no place for it.
fn assistant(blocks: &[Block]) -> Option<Value> {
    let mut texts = vec![];
    let mut calls = vec![];
    for block in blocks {
        match block {
            Block::Text { text } => texts.push(text.as_str()),
            Block::ToolCall { id, name, input, .. } => {
                let function = json!({"name": name, "arguments": input.to_string()});
                calls.push(json!({"id": id, "type": "function", "function": function}));
            }
            Block::Reasoning { .. } | Block::Image { .. } => {}
        }
    }
    let mut message = json!({"role": "assistant", "content": (!texts.is_empty()).then(|| texts.concat())});
    if calls.is_empty() {
        return (!texts.is_empty()).then_some(message);
    }
    message["tool_calls"] = Value::Array(calls);
    Some(message)
}
