use serde::Serialize;
use serde_json::{Map, Value};

/// A value as jsonb can hold it: Postgres refuses U+0000 in texts and keys; each one becomes U+FFFD.
pub(crate) fn storable<T: Serialize + ?Sized>(value: &T) -> Value {
    without_nul(serde_json::to_value(value).unwrap_or(Value::Null))
}

fn without_nul(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(replaced(text)),
        Value::Array(values) => Value::Array(values.into_iter().map(without_nul).collect()),
        Value::Object(fields) => Value::Object(
            fields.into_iter().map(|(key, value)| (replaced(key), without_nul(value))).collect::<Map<_, _>>(),
        ),
        other => other,
    }
}

fn replaced(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nul_becomes_a_mark_in_keys_and_texts() {
        let value = json!({"a\0": ["b\0", {"c": "d\0\0"}], "n": 1});
        assert_eq!(storable(&value), json!({"a\u{fffd}": ["b\u{fffd}", {"c": "d\u{fffd}\u{fffd}"}], "n": 1}));
    }
}
