use crate::provider::{Block, Item, Request};
use serde_json::{Map, Value, json};

/// The body of a request. `items` are mended ones.
pub(in crate::provider) fn body(request: &Request, items: &[Item]) -> Value {
    let mut messages = messages(&request.model, items);
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema}))
        .collect();
    let mut system = match request.system.trim() {
        "" => vec![],
        _ => vec![json!({"type": "text", "text": request.system})],
    };
    if request.cache {
        mark(system.last_mut());
        mark(tools.last_mut());
        mark_conversation(&mut messages);
    }
    let mut body = json!({
        "model": request.model,
        "max_tokens": request.max_output_tokens,
        "stream": true,
        "messages": messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect::<Vec<_>>(),
    });
    if !system.is_empty() {
        body["system"] = Value::Array(system);
    }
    if !tools.is_empty() {
        body["tools"] = Value::Array(tools);
    }
    body
}

type Message = (&'static str, Vec<Value>);

/// Messages with alternating roles: results and what the person said after them are one message of the user.
fn messages(model: &str, items: &[Item]) -> Vec<Message> {
    let mut messages: Vec<Message> = vec![];
    for item in items {
        let (role, content): (_, Vec<Value>) = match item {
            Item::User(blocks) => ("user", blocks.iter().filter_map(user_block).collect()),
            Item::Assistant(blocks) => {
                ("assistant", blocks.iter().filter_map(|block| assistant_block(block, model)).collect())
            }
            Item::ToolResults(results) => (
                "user",
                results
                    .iter()
                    .map(|result| {
                        json!({
                            "type": "tool_result", "tool_use_id": result.call_id, "content": result.content,
                            "is_error": result.is_error,
                        })
                    })
                    .collect(),
            ),
        };
        match messages.last_mut() {
            _ if content.is_empty() => {}
            Some((last, before)) if *last == role => before.extend(content),
            _ => messages.push((role, content)),
        }
    }
    messages
}

fn user_block(block: &Block) -> Option<Value> {
    match block {
        Block::Text { text } => Some(json!({"type": "text", "text": text})),
        Block::Image { media_type, data_base64 } => {
            let source = json!({"type": "base64", "media_type": media_type, "data": data_base64});
            Some(json!({"type": "image", "source": source}))
        }
        Block::Reasoning { .. } | Block::ToolCall { .. } => None,
    }
}

fn assistant_block(block: &Block, model: &str) -> Option<Value> {
    match block {
        Block::Text { text } => Some(json!({"type": "text", "text": text})),
        Block::ToolCall { id, name, input, .. } => {
            Some(json!({"type": "tool_use", "id": id, "name": name, "input": input}))
        }
        Block::Reasoning { model: maker, .. } if maker != model => None,
        Block::Reasoning { redacted: Some(data), .. } => Some(json!({"type": "redacted_thinking", "data": data})),
        Block::Reasoning { text, signature: Some(signature), .. } => {
            Some(json!({"type": "thinking", "thinking": text, "signature": signature}))
        }
        // thinking that was cut short has no signature and would be refused
        Block::Reasoning { .. } | Block::Image { .. } => None,
    }
}

/// Marks the end of the conversation, and the end of what the user had said before: the next request reads up to the one and writes up
/// to the other.
fn mark_conversation(messages: &mut [Message]) {
    messages
        .iter_mut()
        .rev()
        .filter(|(role, _)| *role == "user")
        .take(2)
        .for_each(|(_, content)| mark(content.last_mut()));
}

fn mark(block: Option<&mut Value>) {
    if let Some(fields) = block.and_then(Value::as_object_mut) {
        let fields: &mut Map<String, Value> = fields;
        fields.insert("cache_control".into(), json!({"type": "ephemeral"}));
    }
}
