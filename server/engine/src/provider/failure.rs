//! What a provider's refusal means.

use super::{ProviderError, json};
use serde_json::Value;
use std::time::Duration;

const LONGEST_DETAIL: usize = 300;

/// A failed attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub error: ProviderError,
    /// Whether another attempt may do better.
    pub retry: bool,
    /// How long the provider asks to wait before it.
    pub hint: Option<Duration>,
}

impl Failure {
    pub fn passing(error: ProviderError) -> Self {
        Self { error, retry: true, hint: None }
    }

    pub fn final_(error: ProviderError) -> Self {
        Self { error, retry: false, hint: None }
    }

    /// An event that is not what the protocol says. It may be a fault on the way, so it is tried again.
    pub fn malformed(detail: &str) -> Self {
        Self::passing(ProviderError::Malformed { detail: cut(detail) })
    }

    /// From an answer with an error status. `body` is what came of its body.
    pub fn from_status(status: u16, body: &str, hint: Option<Duration>, model: &str) -> Self {
        let said = json::parse::<Value>(body).map_or_else(|_| Said::plain(body), |value| Said::of(&value));
        Self { hint, ..said.judge(status, model) }
    }

    /// From an error inside a stream that began with status 200.
    pub fn from_event(error: &Value, model: &str) -> Self {
        let said = Said::of(error);
        let status = said.status();
        said.judge(status, model)
    }
}

/// The parts of an error that matter, wherever the provider put them.
struct Said {
    kind: String,
    code: String,
    message: String,
}

impl Said {
    fn plain(text: &str) -> Self {
        // the page of a proxy says nothing to a person
        let text = if text.trim_start().starts_with('<') { "" } else { text };
        Self { kind: String::new(), code: String::new(), message: text.to_owned() }
    }

    fn of(value: &Value) -> Self {
        let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
        if let Value::String(message) = error {
            return Self::plain(message);
        }
        let text = |name: &str| match &error[name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let message = ["message", "detail"].map(text).into_iter().find(|message| !message.is_empty());
        Self { kind: text("type"), code: text("code"), message: message.unwrap_or_default() }
    }

    /// The status that an error event would have had.
    fn status(&self) -> u16 {
        if let Ok(status) = self.code.parse::<u16>()
            && (400..600).contains(&status)
        {
            return status;
        }
        match self.kind.as_str() {
            "invalid_request_error" => 400,
            "authentication_error" => 401,
            "billing_error" => 402,
            "permission_error" => 403,
            "not_found_error" => 404,
            "request_too_large" => 413,
            "rate_limit_error" | "rate_limit_exceeded" | "tokens" | "requests" => 429,
            "overloaded_error" => 529,
            _ => match self.code.as_str() {
                "rate_limit_exceeded" => 429,
                "context_length_exceeded" => 400,
                _ => 500,
            },
        }
    }

    fn judge(self, status: u16, model: &str) -> Failure {
        let low = self.message.to_lowercase();
        let says = |parts: &[&str]| parts.iter().any(|part| low.contains(part));
        let detail = match cut(&self.message) {
            empty if empty.is_empty() => format!("status {status}"),
            detail => detail,
        };
        let client = (400..500).contains(&status);
        if status == 402 || self.code == "insufficient_quota" || (client && says(&["credit balance is too low"])) {
            return Failure::final_(ProviderError::OutOfCredit { detail });
        }
        if self.code == "model_not_found" {
            return Failure::final_(ProviderError::UnknownModel { model: model.into(), detail });
        }
        let too_long =
            ["prompt is too long", "maximum context length", "context window", "context length", "context size"];
        let request = matches!(status, 400 | 413 | 422);
        if self.code == "context_length_exceeded" || status == 413 || (request && says(&too_long)) {
            return Failure::final_(ProviderError::ContextTooLong { detail });
        }
        if request && says(&["image"]) {
            return Failure::final_(ProviderError::BadImage { detail });
        }
        match status {
            401 | 403 => Failure::final_(ProviderError::Unauthorised { detail }),
            404 => Failure::final_(ProviderError::UnknownModel { model: model.into(), detail }),
            429 => Failure::passing(ProviderError::RateLimited { retry_after: None }),
            500 | 502 | 503 | 504 | 520..=524 | 529 => {
                Failure::passing(ProviderError::Overloaded { detail, retry_after: None })
            }
            _ => Failure::final_(ProviderError::Refused { status, detail }),
        }
    }
}

/// One line of readable length.
pub(super) fn cut(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST_DETAIL) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_and_bodies() {
        let cases = [
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"nope"}}"#,
                "provider_refused",
                false,
            ),
            (
                400,
                r#"{"error":{"message":"too many","code":"context_length_exceeded"}}"#,
                "provider_context_too_long",
                false,
            ),
            (
                400,
                r#"{"error":{"message":"prompt is too long: 250000 tokens > 200000 maximum"}}"#,
                "provider_context_too_long",
                false,
            ),
            (
                400,
                r#"{"error":{"message":"messages.0.content.1.image: Could not process image"}}"#,
                "provider_bad_image",
                false,
            ),
            (400, r#"{"error":{"message":"Your credit balance is too low"}}"#, "provider_out_of_credit", false),
            (401, "", "provider_unauthorised", false),
            (403, "{}", "provider_unauthorised", false),
            (404, "<html>404</html>", "provider_unknown_model", false),
            (408, "", "provider_refused", false),
            (413, "", "provider_context_too_long", false),
            (422, r#"{"detail":[{"loc":["body"]}]}"#, "provider_refused", false),
            (429, r#"{"error":{"message":"slow down"}}"#, "provider_rate_limited", true),
            (
                429,
                r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#,
                "provider_out_of_credit",
                false,
            ),
            (500, "oops", "provider_overloaded", true),
            (502, "", "provider_overloaded", true),
            (503, "", "provider_overloaded", true),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                "provider_overloaded",
                true,
            ),
            (301, "", "provider_refused", false),
        ];
        for (status, body, code, retry) in cases {
            let failure = Failure::from_status(status, body, None, "m");
            assert_eq!((failure.error.code(), failure.retry), (code, retry), "{status} {body}");
        }
    }

    #[test]
    fn error_events() {
        let cases = [
            (r#"{"type":"overloaded_error","message":"Overloaded"}"#, "provider_overloaded", true),
            (r#"{"type":"rate_limit_error"}"#, "provider_rate_limited", true),
            (r#"{"type":"invalid_request_error","message":"no"}"#, "provider_refused", false),
            (r#"{"message":"upstream died","code":502}"#, "provider_overloaded", true),
            (r#"{"message":"never heard of","type":"something_new"}"#, "provider_overloaded", true),
            (r#""just a text""#, "provider_overloaded", true),
        ];
        for (event, code, retry) in cases {
            let failure = Failure::from_event(&serde_json::from_str(event).expect(event), "m");
            assert_eq!((failure.error.code(), failure.retry), (code, retry), "{event}");
        }
    }

    #[test]
    fn details_are_one_short_line() {
        assert_eq!(cut("a\n b\u{7}\tc"), "a b c");
        assert_eq!(cut(&"é".repeat(400)).chars().count(), LONGEST_DETAIL + 1);
    }
}
