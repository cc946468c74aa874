//! What can go wrong on the wire, and that the next attempt, or the next call, is clean.

use crate::harness::{BOTH, Harness, KEY, Outcome, TestPace, read, request, user};
use engine::provider::{Delta, Dialect, Provider, ProviderError, RemoteProvider, Settings};
use futures::StreamExt;
use scripted::{Action, Ending, Step, Wire};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Each fault after some text, and whether another attempt is made.
fn faults() -> Vec<(&'static str, Action)> {
    vec![
        ("provider_cut", Action::Reset),
        ("provider_cut", Action::Cut),
        ("provider_cut", Action::CutBeforeTerminal),
        ("provider_overloaded", Action::Error { kind: "overloaded_error".into(), message: "Overloaded".into() }),
        ("provider_overloaded", Action::Error { kind: "api_error".into(), message: "oops".into() }),
        ("provider_rate_limited", Action::Error { kind: "rate_limit_error".into(), message: "slow".into() }),
        ("provider_malformed", Action::Raw { text: "data: {\"choices\": [{\"delta\": {\"con\n\n".into() }),
    ]
}

#[tokio::test]
async fn a_fault_in_mid_stream_is_tried_again_without_repeating_text() {
    for dialect in BOTH {
        for (code, fault) in faults() {
            let broken = Step::new().chunked("Half an ans", 3).then(fault.clone());
            let harness = Harness::new(dialect, [broken, Step::say("The whole answer.")]).await;
            let outcome = harness.call().await;
            assert_eq!(outcome.text(), "The whole answer.", "{dialect:?} {code}");
            assert_eq!(outcome.shown_text(), "The whole answer.");
            assert!(outcome.deltas.contains(&Delta::Text("Hal".into())), "{dialect:?} {code}: {:?}", outcome.deltas);
            assert_eq!(outcome.restarts(), 1);
            let restart = outcome.deltas.iter().position(|delta| *delta == Delta::Restarted).expect("a restart");
            assert!(matches!(outcome.deltas[restart - 1], Delta::Waiting { seconds: 1, .. }));
        }
    }
}

#[tokio::test]
async fn a_fault_that_stays_is_told_after_four_attempts() {
    for dialect in BOTH {
        for (code, fault) in faults() {
            let harness = Harness::new(dialect, [Step::say("Half").then(fault.clone()).always()]).await;
            let outcome = harness.call().await;
            assert_eq!(outcome.error().code(), code, "{dialect:?} {fault:?}");
            assert_eq!(harness.requests().len(), 4);
            let pauses: Vec<u128> = harness.pace.pauses().iter().map(Duration::as_millis).collect();
            assert_eq!(pauses, [750, 1500, 3000]);
        }
    }
}

/// An end of the body at any byte is never taken for a complete answer.
#[tokio::test]
async fn no_early_end_is_success() {
    for dialect in BOTH {
        let harness = Harness::new(dialect, []).await;
        for end in (0..2000).step_by(7) {
            let wire = Wire { end_after: Some(end), ..Wire::default() };
            let step = Step::new().chunked("Some words in an answer.", 5).wire(wire);
            harness.script([step.always()]);
            match harness.call().await.end {
                Ok(completion) => assert_eq!(completion.blocks.len(), 1, "{end}"),
                Err(error) => assert_eq!(error, ProviderError::Cut, "{dialect:?} {end}"),
            }
        }
    }
}

#[tokio::test]
async fn error_events_that_blame_the_request_are_not_tried_again() {
    for dialect in BOTH {
        let fault = Action::Error { kind: "invalid_request_error".into(), message: "no such thing".into() };
        let harness = Harness::new(dialect, [Step::say("Half").then(fault)]).await;
        let outcome = harness.call().await;
        assert_eq!(outcome.error(), &ProviderError::Refused { status: 400, detail: "no such thing".into() });
        assert_eq!(harness.requests().len(), 1);
    }
}

#[tokio::test]
async fn unknown_events_change_nothing() {
    for dialect in BOTH {
        let odd = [
            (Some("from_the_future"), json!({"type": "from_the_future", "delta": "text", "index": "x", "usage": []})),
            (None, json!({"type": "another", "message": 7})),
            (None, json!({"object": "vendor.extra", "x": [1, 2]})),
        ];
        let odd = odd.map(|(name, data)| Action::Event { name: name.map(Into::into), data });
        let step = odd.into_iter().fold(Step::new().text("a"), Step::then).text("b");
        let outcome = Harness::new(dialect, [step]).await.call().await;
        assert_eq!(outcome.text(), "ab", "{dialect:?}");
    }
}

#[tokio::test]
async fn unknown_blocks_of_an_answer_are_skipped() {
    let start = json!({"type": "content_block_start", "index": 7, "content_block": {"type": "server_tool_use", "id": "s", "name": "web", "input": {}}});
    let delta = json!({"type": "content_block_delta", "index": 7, "delta": {"type": "input_json_delta", "partial_json": "{\"q\""}});
    let event = |data| Action::Event { name: None, data };
    let step = Step::new().then(event(start)).then(event(delta)).text("found");
    let outcome = Harness::new(Dialect::Anthropic, [step]).await.call().await;
    assert_eq!(outcome.text(), "found");
    assert_eq!(outcome.completion().blocks.len(), 1);
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_said_to_be_none() {
    let whole = Action::Status { status: 200, headers: vec![], body: json!({"choices": []}) };
    let page = Action::Status { status: 200, headers: vec![], body: json!("<html>Welcome</html>") };
    let error = Action::Status {
        status: 200,
        headers: vec![],
        body: json!({"error": {"type": "overloaded_error", "message": "busy"}}),
    };
    for dialect in BOTH {
        for (action, code, attempts) in
            [(&whole, "provider_malformed", 1), (&page, "provider_malformed", 1), (&error, "provider_overloaded", 4)]
        {
            let harness = Harness::new(dialect, [Step::new().then(action.clone()).always()]).await;
            assert_eq!(harness.call().await.error().code(), code, "{dialect:?}");
            assert_eq!(harness.requests().len(), attempts);
        }
    }
}

#[tokio::test]
async fn nobody_listening_is_told_after_four_attempts() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let pace = Arc::new(TestPace::new(false));
    let provider =
        RemoteProvider::with_pace(Settings::new(Dialect::OpenAi, Some(url), None), pace.clone()).expect("a provider");
    let outcome = call(&provider).await;
    assert_eq!(outcome.error().code(), "provider_unreachable");
    assert!(outcome.error().to_string().contains("refused"), "{}", outcome.error());
    assert_eq!(pace.pauses().len(), 3);
}

#[tokio::test]
async fn an_address_or_a_key_that_cannot_be_one_is_refused_at_once() {
    for address in ["", "not an address", "ftp://x", "http://"] {
        let settings = Settings::new(Dialect::OpenAi, Some(address.into()), None);
        assert_eq!(
            RemoteProvider::new(settings).err().map(|error| error.code()),
            Some("provider_unreachable"),
            "{address}"
        );
    }
    let settings = Settings::new(Dialect::Anthropic, None, Some("a\nb".into()));
    assert_eq!(RemoteProvider::new(settings).err().map(|error| error.code()), Some("provider_unauthorised"));
}

#[tokio::test]
async fn the_base_address_may_end_in_v1_or_a_slash() {
    let harness = Harness::new(Dialect::OpenAi, [Step::say("ok").always()]).await;
    for end in ["/", "/v1", "/v1/"] {
        let settings = Settings::new(Dialect::OpenAi, Some(format!("{}{end}", harness.server.url())), Some(KEY.into()));
        let provider = RemoteProvider::new(settings).expect("a provider");
        assert_eq!(call(&provider).await.text(), "ok");
    }
}

#[tokio::test]
async fn the_key_is_in_no_error_and_no_debug_text() {
    for dialect in BOTH {
        let body = json!({"error": {"message": format!("bad key {KEY}"), "type": "authentication_error"}});
        let refuse = Action::Status { status: 401, headers: vec![], body: body.clone() };
        let busy = Action::Status { status: 503, headers: vec![], body };
        let harness = Harness::new(dialect, [Step::new().then(busy), Step::new().then(refuse)]).await;
        let outcome = harness.call().await;
        assert_eq!(outcome.error().code(), "provider_unauthorised");
        assert!(!format!("{outcome:?}").contains(KEY), "{outcome:?}");
        let settings = Settings::new(dialect, None, Some(KEY.into()));
        assert!(!format!("{settings:?}").contains(KEY));
    }
}

#[tokio::test]
async fn stopping_or_dropping_a_call_ends_the_request_at_once() {
    for dialect in BOTH {
        for drop_it in [false, true] {
            let harness = Harness::new(dialect, [Step::say("a").hold("here").text("b"), Step::say("next")]).await;
            let mut stream = harness.provider.stream(request(vec![user("hi")]), harness.stop.clone());
            while !matches!(stream.next().await, Some(Ok(Delta::Text(_)))) {}
            if drop_it {
                drop(stream);
            } else {
                harness.stop.cancel();
                assert_eq!(stream.next().await, Some(Err(ProviderError::Stopped)));
                assert_eq!(stream.next().await, None);
            }
            harness.ended(0, Ending::Dropped).await;
            let provider = harness.provider.clone();
            assert_eq!(call(&provider).await.text(), "next");
        }
    }
}

#[tokio::test]
async fn a_stopped_token_makes_no_request() {
    let harness = Harness::new(Dialect::OpenAi, [Step::say("a")]).await;
    harness.stop.cancel();
    assert_eq!(harness.call().await.error(), &ProviderError::Stopped);
    assert_eq!(harness.requests().len(), 0);
}

async fn call(provider: &RemoteProvider) -> Outcome {
    read(provider.stream(request(vec![user("hi")]), CancellationToken::new())).await
}
