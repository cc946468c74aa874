//! Wait hints, other refusals, and stopping a wait.

use crate::harness::{BOTH, Harness, request, user};
use engine::provider::{Delta, Dialect, Provider, ProviderError};
use futures::StreamExt;
use scripted::{Action, Step, Usage};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn the_hint_is_honoured() {
    type Headers = &'static [(&'static str, &'static str)];
    let cases: [(Headers, u128, u64); 7] = [
        (&[("retry-after", "3")], 3150, 4),
        (&[("retry-after", "Wed, 21 Oct 2015 07:28:05 GMT")], 5250, 6),
        (&[("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT")], 0, 0),
        (&[("retry-after-ms", "1500")], 1575, 2),
        (&[("retry-after-ms", "1500"), ("retry-after", "9")], 1575, 2),
        (&[("retry-after", "in a while")], 750, 1),
        (&[], 750, 1),
    ];
    for dialect in BOTH {
        for (headers, pause, seconds) in cases {
            for status in [429, 503, 529] {
                let harness = Harness::new(dialect, [Step::status(status, headers), Step::say("ok")]).await;
                let outcome = harness.call().await;
                assert_eq!(outcome.text(), "ok");
                let pauses: Vec<u128> = harness.pace.pauses().iter().map(Duration::as_millis).collect();
                assert_eq!(pauses, [pause], "{dialect:?} {status} {headers:?}");
                assert!(
                    matches!(outcome.deltas[0], Delta::Waiting { seconds: told, .. } if told == seconds),
                    "{:?}",
                    outcome.deltas[0]
                );
                assert_eq!(outcome.deltas[1], Delta::Restarted);
            }
        }
    }
}

#[tokio::test]
async fn a_hint_beyond_the_maximum_ends_the_call_and_is_told() {
    for dialect in BOTH {
        let harness = Harness::new(dialect, [Step::status(429, &[("retry-after", "86400")])]).await;
        let outcome = harness.call().await;
        assert_eq!(outcome.error(), &ProviderError::RateLimited { retry_after: Some(Duration::from_secs(86_400)) });
        assert!(outcome.error().to_string().contains("24 hours"));
        assert_eq!(harness.requests().len(), 1);
    }
}

#[tokio::test]
async fn attempts_are_four_in_all() {
    for dialect in BOTH {
        for (status, code) in [
            (429, "provider_rate_limited"),
            (500, "provider_overloaded"),
            (502, "provider_overloaded"),
            (503, "provider_overloaded"),
            (529, "provider_overloaded"),
        ] {
            let harness = Harness::new(dialect, [Step::status(status, &[]).always()]).await;
            let outcome = harness.call().await;
            assert_eq!(outcome.error().code(), code);
            assert!(outcome.error().retryable());
            assert_eq!(harness.requests().len(), 4, "{status}");
        }
    }
}

#[tokio::test]
async fn other_refusals_are_not_tried_again() {
    for dialect in BOTH {
        for (status, message, code) in [
            (400, "no", "provider_refused"),
            (400, "prompt is too long: 250000 tokens > 200000 maximum", "provider_context_too_long"),
            (400, "messages.0.content.1.image.source: Could not process image", "provider_bad_image"),
            (401, "invalid x-api-key", "provider_unauthorised"),
            (403, "not yours", "provider_unauthorised"),
            (404, "model: m1", "provider_unknown_model"),
            (413, "too large", "provider_context_too_long"),
            (422, "unprocessable", "provider_refused"),
            (402, "pay", "provider_out_of_credit"),
        ] {
            let body = json!({"type": "error", "error": {"type": "x", "message": message}});
            let step = Step::new().then(Action::Status { status, headers: vec![], body });
            let harness = Harness::new(dialect, [step.always()]).await;
            let outcome = harness.call().await;
            assert_eq!(outcome.error().code(), code, "{status} {message}");
            assert!(outcome.error().to_string().contains(message));
            assert!(!outcome.error().retryable());
            assert_eq!((harness.requests().len(), harness.pace.pauses().len()), (1, 0));
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let away = Step::status(307, &[("location", "https://example.invalid/")]);
    let harness = Harness::new(Dialect::Anthropic, [away]).await;
    assert_eq!(harness.call().await.error().code(), "provider_refused");
}

#[tokio::test]
async fn a_retry_sends_the_same_request() {
    for dialect in BOTH {
        let harness =
            Harness::new(dialect, [Step::status(500, &[]), Step::say("x").then(Action::Reset), Step::say("ok")]).await;
        harness.call().await.completion();
        let bodies: Vec<_> = harness.requests().into_iter().map(|request| request.body).collect();
        assert_eq!(bodies.len(), 3);
        assert!(bodies.iter().all(|body| *body == bodies[0]));
    }
}

#[tokio::test]
async fn stop_ends_a_wait() {
    for dialect in BOTH {
        let harness = Harness::patient(dialect, [Step::status(429, &[("retry-after", "30")])]).await;
        let mut stream = harness.provider.stream(request(vec![user("hi")]), harness.stop.clone());
        assert!(matches!(stream.next().await, Some(Ok(Delta::Waiting { seconds: 32, .. }))));
        harness.stop.cancel();
        assert_eq!(stream.next().await, Some(Err(ProviderError::Stopped)));
        assert_eq!(stream.next().await, None);
        assert_eq!(harness.requests().len(), 1);
    }
}

#[tokio::test]
async fn what_failed_attempts_used_is_counted_once() {
    let usage = |input, output| Usage { input, output, ..Usage::default() };
    let steps = [
        Step::status(429, &[]),
        Step::say("a").then(Action::Usage { input: None, output: Some(40) }).then(Action::Reset).usage(usage(25, 99)),
        Step::say("b").usage(usage(25, 120)),
    ];
    let harness = Harness::new(Dialect::Anthropic, steps).await;
    let outcome = harness.call().await;
    let completion = outcome.completion();
    assert_eq!((completion.usage.input_tokens, completion.usage.output_tokens), (50, 160));
    let last = outcome.deltas.iter().rev().find_map(|delta| match delta {
        Delta::Usage(usage) => Some(*usage),
        _ => None,
    });
    assert_eq!(last, Some(completion.usage));
}
