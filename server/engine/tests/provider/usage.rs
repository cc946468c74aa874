//! Tokens are counted once, by the last figures.

use crate::harness::Harness;
use engine::provider::{self, Delta, Dialect};
use scripted::{Action, Step, Usage, UsageOn};
use serde_json::{Value, json};

const FIGURES: Usage = Usage { input: 25, output: 120, cache_read: 10_000, cache_write: 2_000, reasoning: 64 };

fn expected(reasoning_tokens: i64) -> provider::Usage {
    provider::Usage {
        input_tokens: 25,
        output_tokens: 120,
        cache_read_tokens: 10_000,
        cache_write_tokens: 2_000,
        reasoning_tokens,
    }
}

#[tokio::test]
async fn running_totals_are_not_added() {
    let total = |output| Action::Usage { input: None, output: Some(output) };
    let step = Step::new().text("a").then(total(40)).text("b").then(total(90)).usage(FIGURES);
    let harness = Harness::new(Dialect::Anthropic, [step]).await;
    let outcome = harness.call().await;
    assert_eq!(outcome.completion().usage, expected(0));
    let outputs: Vec<i64> = outcome
        .deltas
        .iter()
        .filter_map(|delta| match delta {
            Delta::Usage(usage) => Some(usage.output_tokens),
            _ => None,
        })
        .collect();
    assert_eq!(outputs, [1, 40, 90, 120]);
}

#[tokio::test]
async fn wherever_the_openai_dialect_tells_them() {
    for (on, expected) in [
        (UsageOn::Tail, expected(64)),
        (UsageOn::Finish, expected(64)),
        (UsageOn::Repeated, expected(64)),
        (UsageOn::Never, provider::Usage::default()),
    ] {
        let harness = Harness::new(Dialect::OpenAi, [Step::say("a").usage(FIGURES).usage_on(on)]).await;
        assert_eq!(harness.call().await.completion().usage, expected, "{on:?}");
    }
}

#[tokio::test]
async fn odd_figures_do_not_end_a_call() {
    let anthropic = |usage: &Value| json!({"type": "message_delta", "delta": {}, "usage": usage});
    let openai = |usage: &Value| json!({"choices": [], "usage": usage});
    for (dialect, event) in [
        (Dialect::Anthropic, &anthropic as &dyn Fn(&Value) -> Value),
        (Dialect::OpenAi, &openai as &dyn Fn(&Value) -> Value),
    ] {
        for odd in [
            json!(null),
            json!({}),
            json!({"output_tokens": null, "prompt_tokens": null, "prompt_tokens_details": null}),
            json!({"output_tokens": "many", "completion_tokens": {}, "input_tokens": -4}),
            json!({"output_tokens": 7.0, "completion_tokens": 1e300}),
            json!({"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 9}}),
        ] {
            let step = Step::say("a").then(Action::Event { name: None, data: event(&odd) }).usage(FIGURES);
            let outcome = Harness::new(dialect, [step]).await.call().await;
            let usage = outcome.completion().usage;
            assert_eq!((usage.input_tokens, usage.output_tokens), (25, 120), "{dialect:?} {odd}");
        }
    }
}
