//! Answers without faults.

use crate::harness::{BOTH, Harness, called, malformed, request};
use engine::provider::{Block, Delta, Dialect, Item, StopReason};
use scripted::{Action, Call, Step};
use serde_json::{Value, json};
use std::collections::HashSet;

#[tokio::test]
async fn text_comes_in_deltas_and_whole() {
    for dialect in BOTH {
        let harness = Harness::new(dialect, [Step::new().chunked("计划 👩‍💻 naïve", 2)]).await;
        let outcome = harness.call().await;
        assert_eq!(outcome.text(), "计划 👩‍💻 naïve");
        assert_eq!(outcome.shown_text(), outcome.text());
        assert_eq!(outcome.completion().stop, StopReason::EndTurn);
        let texts = outcome.deltas.iter().filter(|delta| matches!(delta, Delta::Text(_))).count();
        assert_eq!(texts, 6);
    }
}

#[tokio::test]
async fn a_request_says_what_it_should() {
    let harness = Harness::new(Dialect::Anthropic, [Step::say("ok")]).await;
    harness.call().await;
    let sent = harness.requests().remove(0);
    assert_eq!(sent.path, "/v1/messages");
    assert!(sent.headers.contains(&("anthropic-version".into(), "2023-06-01".into())));
    let mark = json!({"type": "ephemeral"});
    assert_eq!(
        sent.body,
        json!({
            "model": "m1", "max_tokens": 1000, "stream": true,
            "system": [{"type": "text", "text": "Be brief.", "cache_control": mark}],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": mark}]}],
            "tools": [{
                "name": "Read", "description": "Reads a file", "cache_control": mark,
                "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
            }],
        })
    );
    let harness = Harness::new(Dialect::OpenAi, [Step::say("ok")]).await;
    harness.call().await;
    let sent = harness.requests().remove(0);
    assert_eq!(sent.path, "/v1/chat/completions");
    assert_eq!(
        sent.body,
        json!({
            "model": "m1", "max_tokens": 1000, "stream": true, "stream_options": {"include_usage": true},
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}],
            "tools": [{"type": "function", "function": {
                "name": "Read", "description": "Reads a file",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
            }}],
        })
    );
}

#[tokio::test]
async fn two_interleaved_calls_are_kept_apart() {
    for dialect in BOTH {
        let calls = [
            Call::new("call_a", "Read", json!({"path": "first.md"})),
            Call::new("call_b", "Read", json!({"path": "2.md"})),
        ];
        let tools = Action::Tools { calls: calls.into(), chunk: Some(3) };
        let harness = Harness::new(dialect, [Step::new().text("Reading.").then(tools)]).await;
        let outcome = harness.call().await;
        let expected = [
            Block::Text { text: "Reading.".into() },
            called("call_a", json!({"path": "first.md"})),
            called("call_b", json!({"path": "2.md"})),
        ];
        assert_eq!(outcome.completion().blocks, expected);
        assert_eq!(outcome.completion().stop, StopReason::ToolUse);
        assert_eq!(outcome.streamed_arguments(0), r#"{"path":"first.md"}"#);
        assert_eq!(outcome.streamed_arguments(1), r#"{"path":"2.md"}"#);
        let starts: Vec<_> =
            outcome.deltas.iter().filter(|delta| matches!(delta, Delta::ToolCallStart { .. })).collect();
        assert_eq!(starts[1], &Delta::ToolCallStart { index: 1, id: "call_b".into(), name: "Read".into() });
    }
}

#[tokio::test]
async fn arguments_in_every_shape() {
    let with = |change: fn(&mut Call)| {
        let mut call = Call { id: "c".into(), name: "Read".into(), ..Call::default() };
        change(&mut call);
        call
    };
    let cases: [(Call, Block); 9] = [
        (with(|_| ()), called("c", json!({}))),
        (with(|call| call.null = true), called("c", json!({}))),
        (Call::raw("c", "Read", ""), called("c", json!({}))),
        (Call::raw("c", "Read", "   "), called("c", json!({}))),
        (Call::raw("c", "Read", "null"), called("c", json!({}))),
        (Call::raw("c", "Read", r#""{\"a\":1}""#), called("c", json!({"a": 1}))),
        (Call::raw("c", "Read", "{}{}"), malformed("c", "{}{}")),
        (Call::raw("c", "Read", r#"{"path": "x"#), malformed("c", r#"{"path": "x"#)),
        (Call::raw("c", "Read", r#"{"path":"\u0000\ud83d"}"#), called("c", json!({"path": "\u{fffd}\u{fffd}"}))),
    ];
    for dialect in BOTH {
        for (call, expected) in &cases {
            let harness = Harness::new(dialect, [Step::new().tools([call.clone()])]).await;
            let outcome = harness.call().await;
            assert_eq!(outcome.completion().blocks, std::slice::from_ref(expected), "{dialect:?} {call:?}");
            assert_eq!(outcome.completion().stop, StopReason::ToolUse);
        }
    }
}

#[tokio::test]
async fn a_call_that_lost_its_arguments_at_the_limit_does_not_run() {
    for (dialect, reason) in [(Dialect::Anthropic, "max_tokens"), (Dialect::OpenAi, "length")] {
        let calls = [
            Call::new("a", "Read", json!({"path": "x"})),
            Call { id: "b".into(), name: "Read".into(), ..Call::default() },
        ];
        let harness = Harness::new(dialect, [Step::new().tools(calls).stop(reason)]).await;
        let outcome = harness.call().await;
        assert_eq!(outcome.completion().stop, StopReason::MaxTokens);
        assert_eq!(outcome.completion().blocks, [called("a", json!({"path": "x"})), malformed("b", "")]);
    }
}

#[tokio::test]
async fn stop_reasons() {
    let cases = [
        (Dialect::Anthropic, "end_turn", StopReason::EndTurn),
        (Dialect::Anthropic, "stop_sequence", StopReason::EndTurn),
        (Dialect::Anthropic, "max_tokens", StopReason::MaxTokens),
        (Dialect::Anthropic, "refusal", StopReason::Refusal),
        (Dialect::Anthropic, "pause_turn", StopReason::Other("pause_turn".into())),
        (Dialect::OpenAi, "stop", StopReason::EndTurn),
        (Dialect::OpenAi, "length", StopReason::MaxTokens),
        (Dialect::OpenAi, "content_filter", StopReason::Refusal),
        (Dialect::OpenAi, "eos", StopReason::Other("eos".into())),
    ];
    for (dialect, reason, expected) in cases {
        let harness = Harness::new(dialect, [Step::say("x").stop(reason)]).await;
        assert_eq!(harness.call().await.completion().stop, expected, "{reason}");
    }
}

#[tokio::test]
async fn an_empty_answer_is_an_answer() {
    for dialect in BOTH {
        let harness = Harness::new(dialect, [Step::new()]).await;
        let outcome = harness.call().await;
        assert_eq!(outcome.completion().blocks, []);
        assert_eq!(outcome.completion().stop, StopReason::EndTurn);
    }
}

#[tokio::test]
async fn reasoning_keeps_its_opaque_parts_byte_for_byte() {
    let signature = "c2lnbmF0dXJl+/=\u{200b} ";
    let step = Step::new()
        .reasoning("Let me see.", Some(signature))
        .reasoning("", Some("only-a-signature"))
        .then(Action::Redacted { data: "b3BhcXVl==".into() })
        .tools([Call::new("a", "Read", json!({}))]);
    let harness = Harness::new(Dialect::Anthropic, [step]).await;
    let outcome = harness.call().await;
    let reasoning = |text: &str, signature: Option<&str>, redacted: Option<&str>| Block::Reasoning {
        text: text.into(),
        signature: signature.map(Into::into),
        redacted: redacted.map(Into::into),
        model: "m1".into(),
    };
    let expected = [
        reasoning("Let me see.", Some(signature), None),
        reasoning("", Some("only-a-signature"), None),
        reasoning("", None, Some("b3BhcXVl==")),
        called("a", json!({})),
    ];
    assert_eq!(outcome.completion().blocks, expected);
    assert!(outcome.deltas.contains(&Delta::Reasoning("Let me see.".into())));

    let stored: Vec<Block> = serde_json::from_str(&serde_json::to_string(&expected).expect("JSON")).expect("blocks");
    assert_eq!(stored, expected);
}

#[tokio::test]
async fn reasoning_of_compatible_servers_is_shown() {
    let harness = Harness::new(Dialect::OpenAi, [Step::new().reasoning("Hm.", None).text("Yes.")]).await;
    let outcome = harness.call().await;
    let hm = Block::Reasoning { text: "Hm.".into(), signature: None, redacted: None, model: "m1".into() };
    assert_eq!(outcome.completion().blocks, [hm, Block::Text { text: "Yes.".into() }]);
}

/// Deviations of compatible servers, each as the chunks that it sends in place of a call's.
#[tokio::test]
async fn calls_of_compatible_servers() {
    let chunk = |calls: Value| Action::Event {
        name: None,
        data: json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}, "finish_reason": null}]}),
    };
    let function = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let cases: Vec<(&str, Vec<Value>, Vec<Block>)> = vec![
        (
            "no index, calls whole",
            vec![
                json!([{"id": "a", "function": function("Read", json!("{\"n\":1}"))}, {"id": "b", "function": function("Read", json!("{\"n\":2}"))}]),
            ],
            vec![called("a", json!({"n": 1})), called("b", json!({"n": 2}))],
        ),
        (
            "every call has index 0",
            vec![
                json!([{"index": 0, "id": "a", "function": function("Read", json!("{\"n\":1}"))}]),
                json!([{"index": 0, "id": "b", "function": function("Read", json!("{\"n\""))}]),
                json!([{"index": 0, "function": {"arguments": ":2}"}}]),
            ],
            vec![called("a", json!({"n": 1})), called("b", json!({"n": 2}))],
        ),
        (
            "the id is repeated on every piece",
            vec![
                json!([{"index": 0, "id": "a", "function": function("Read", json!("{\"n\""))}]),
                json!([{"index": 0, "id": "a", "function": function("Read", json!(":1}"))}]),
            ],
            vec![called("a", json!({"n": 1}))],
        ),
        (
            "no id",
            vec![json!([{"index": 0, "function": function("Read", json!("{}"))}])],
            vec![called("call_made", json!({}))],
        ),
        (
            "an object",
            vec![json!([{"index": 0, "id": "a", "function": function("Read", json!({"n": 1}))}])],
            vec![called("a", json!({"n": 1}))],
        ),
        (
            "the id comes first, alone",
            vec![json!([{"index": 0, "id": "a"}]), json!([{"index": 0, "function": function("Read", json!("{}"))}])],
            vec![called("a", json!({}))],
        ),
    ];
    for (name, chunks, expected) in cases {
        let step = chunks.into_iter().map(chunk).fold(Step::new().stop("tool_calls"), Step::then);
        let harness = Harness::new(Dialect::OpenAi, [step]).await;
        assert_eq!(harness.call().await.completion().blocks, expected, "{name}");
    }
}

#[tokio::test]
async fn images_and_results_are_sent_as_each_dialect_wants() {
    const PNG: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let image = Block::Image { media_type: "image/jpeg".into(), data_base64: PNG.into() };
    let items = vec![Item::User(vec![Block::Text { text: "look".into() }, image])];
    for (dialect, pointer) in [
        (Dialect::Anthropic, "/messages/0/content/1/source/media_type"),
        (Dialect::OpenAi, "/messages/1/content/1/image_url/url"),
    ] {
        let harness = Harness::strict(dialect, [Step::say("ok")]).await;
        assert_eq!(harness.send(request(items.clone())).await.text(), "ok");
        let sent = harness.requests().remove(0).body;
        assert!(sent.pointer(pointer).and_then(Value::as_str).is_some_and(|text| text.contains("image/png")), "{sent}");
    }
}

#[tokio::test]
async fn a_connection_is_used_again() {
    for dialect in BOTH {
        let harness = Harness::new(dialect, [Step::say("ok").always()]).await;
        for _ in 0..3 {
            assert_eq!(harness.call().await.text(), "ok");
        }
        let peers: HashSet<_> = harness.requests().into_iter().map(|request| request.peer).collect();
        assert_eq!(peers.len(), 1, "{dialect:?}");
    }
}
