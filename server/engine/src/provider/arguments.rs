//! The arguments of a tool call, out of what models send for them.

use super::{Block, json};
use serde_json::{Map, Value};

/// A tool call from its raw arguments. Nothing, blanks and `null` are `{}`; a JSON text that holds an object is unwrapped; anything that
/// is no object in the end is kept as [`Block::ToolCall`]'s `malformed`.
pub(super) fn tool_call(id: String, name: String, raw: String) -> Block {
    match object(&raw, true) {
        Some(fields) => {
            Block::ToolCall { id, name, input: json::value_without_nul(Value::Object(fields)), malformed: None }
        }
        None => malformed_call(id, name, raw),
    }
}

/// A tool call that must not run, whatever its arguments look like.
pub(super) fn malformed_call(id: String, name: String, raw: String) -> Block {
    Block::ToolCall { id, name, input: Value::Object(Map::new()), malformed: Some(json::without_nul(raw)) }
}

fn object(raw: &str, unwrap: bool) -> Option<Map<String, Value>> {
    if raw.trim().is_empty() {
        return Some(Map::new());
    }
    match json::parse(raw).ok()? {
        Value::Object(fields) => Some(fields),
        Value::Null => Some(Map::new()),
        Value::String(inner) if unwrap => object(&inner, false),
        Value::String(_) | Value::Array(_) | Value::Number(_) | Value::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_models_send() {
        let cases = [
            ("", Some(json!({}))),
            ("   ", Some(json!({}))),
            ("null", Some(json!({}))),
            ("{}", Some(json!({}))),
            (r#""""#, Some(json!({}))),
            (r#"{"a":1}"#, Some(json!({"a": 1}))),
            (r#""{\"a\":1}""#, Some(json!({"a": 1}))),
            (r#"{"a":"\u0000"}"#, Some(json!({"a": "\u{fffd}"}))),
            (r#"{"a":"\ud83d"}"#, Some(json!({"a": "\u{fffd}"}))),
            ("{}{}", None),
            (r#"{"a":"#, None),
            ("[1]", None),
            ("1", None),
            (r#""text""#, None),
            (r#""\"{}\"""#, None),
        ];
        for (raw, expected) in cases {
            let block = tool_call("id".into(), "name".into(), raw.into());
            let Block::ToolCall { input, malformed, .. } = block else { panic!("a tool call") };
            assert_eq!(malformed, expected.is_none().then(|| raw.to_owned()), "{raw}");
            assert_eq!(input, expected.unwrap_or_else(|| json!({})), "{raw}");
        }
    }
}
