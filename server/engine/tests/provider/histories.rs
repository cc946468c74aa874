//! Conversations of several calls, against a server that refuses what the real ones refuse.

use crate::harness::{BOTH, Harness, Outcome, request, user};
use engine::provider::{Block, Dialect, Item, Request, ToolResult};
use scripted::{Action, Call, Step};
use serde_json::{Value, json};

fn result(id: &str) -> Item {
    let result = ToolResult { call_id: id.into(), name: "Read".into(), content: "text".into(), is_error: false };
    Item::ToolResults(vec![result])
}

fn said(outcome: &Outcome) -> Item {
    Item::Assistant(outcome.completion().blocks.clone())
}

fn for_model(model: &str, items: &[Item]) -> Request {
    Request { model: model.into(), ..request(items.to_vec()) }
}

#[tokio::test]
async fn a_signature_goes_back_unchanged_and_only_to_its_model() {
    let thinking = Step::new()
        .reasoning("Hm.", Some("sig-1"))
        .then(Action::Redacted { data: "opaque".into() })
        .tools([Call::new("toolu_a", "Read", json!({"path": "x"}))]);
    let steps = [thinking, Step::say("m1 again"), Step::say("m2"), Step::say("m1 at last")];
    let harness = Harness::strict(Dialect::Anthropic, steps).await;
    let mut items = vec![user("hi")];
    let first = harness.send(for_model("m1", &items)).await;
    items.extend([said(&first), result("toolu_a")]);
    assert_eq!(harness.send(for_model("m1", &items)).await.text(), "m1 again");
    assert_eq!(harness.send(for_model("m2", &items)).await.text(), "m2");
    assert_eq!(harness.send(for_model("m1", &items)).await.text(), "m1 at last");
    let kinds = |number: usize| -> Vec<String> {
        let body = &harness.requests()[number].body;
        let blocks = body.pointer("/messages/1/content").and_then(Value::as_array).expect("blocks");
        blocks.iter().map(|block| block["type"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(kinds(1), ["thinking", "redacted_thinking", "tool_use"]);
    assert_eq!(kinds(2), ["tool_use"]);
    assert_eq!(kinds(3), kinds(1));
}

#[tokio::test]
async fn a_history_moves_from_one_dialect_to_the_other() {
    let odd_id = "functions.Read:0";
    let call = Step::new().reasoning("Hm.", Some("sig")).tools([Call::new(odd_id, "Read", json!({}))]);
    let harness = Harness::new(Dialect::OpenAi, [call]).await;
    let mut items = vec![user("hi")];
    let first = harness.send(for_model("m1", &items)).await;
    items.extend([said(&first), result(odd_id)]);
    for dialect in BOTH {
        let harness = Harness::strict(dialect, [Step::say("ok")]).await;
        assert_eq!(harness.send(for_model("m1", &items)).await.text(), "ok", "{dialect:?}");
    }
}

#[tokio::test]
async fn a_malformed_call_is_replayed_as_an_object() {
    for dialect in BOTH {
        let steps = [Step::new().tools([Call::raw("a", "Read", "{}{}")]), Step::say("ok")];
        let harness = Harness::strict(dialect, steps).await;
        let mut items = vec![user("hi")];
        let first = harness.send(request(items.clone())).await;
        items.extend([said(&first), result("a")]);
        assert_eq!(harness.send(request(items)).await.text(), "ok");
    }
}

/// Each history would be refused, by one provider or by both, if it were sent as it is.
#[tokio::test]
async fn a_broken_history_is_mended_before_it_is_sent() {
    let call = |id: &str| Block::ToolCall { id: id.into(), name: "Read".into(), input: json!({}), malformed: None };
    let text = |text: &str| Block::Text { text: text.into() };
    let unsigned = Block::Reasoning { text: "cut sh".into(), signature: None, redacted: None, model: "m1".into() };
    let svg = Block::Image { media_type: "image/png".into(), data_base64: "PHN2Zy8+".into() };
    let histories: Vec<Vec<Item>> = vec![
        vec![user("a"), Item::Assistant(vec![call("a"), call("b")]), result("a"), user("go on")],
        vec![user("a"), Item::Assistant(vec![call("a"), text("stopped")]), user("go on")],
        vec![user("a"), Item::Assistant(vec![unsigned.clone()]), user("go on")],
        vec![user("a"), Item::Assistant(vec![unsigned, text(" ")]), user("go on")],
        vec![result("a"), Item::Assistant(vec![text("b")]), user("")],
        vec![user("a"), user("b"), Item::Assistant(vec![]), user("c")],
        vec![user("a"), Item::Assistant(vec![call("a"), call("a")]), result("a"), user("b")],
        vec![Item::User(vec![svg, text("look")])],
    ];
    for dialect in BOTH {
        for items in &histories {
            let harness = Harness::strict(dialect, [Step::say("ok")]).await;
            let outcome = harness.send(request(items.clone())).await;
            assert_eq!(outcome.end.map(|_| ()), Ok(()), "{dialect:?} {items:#?}");
        }
    }
}

/// The strict server is no use if it takes everything.
#[tokio::test]
async fn the_strict_server_refuses_what_the_real_ones_refuse() {
    let tool_use = json!({"type": "tool_use", "id": "a", "name": "Read", "input": {}});
    let anthropic = |messages: Value| json!({"model": "m1", "max_tokens": 5, "messages": messages});
    let openai = |messages: Value| json!({"model": "m1", "messages": messages});
    let function = json!({"name": "Read", "arguments": "{}"});
    let calls = json!([{"id": "a", "type": "function", "function": function}]);
    let refused = [
        ("/v1/messages", anthropic(json!([]))),
        ("/v1/messages", anthropic(json!([{"role": "assistant", "content": "a"}]))),
        ("/v1/messages", anthropic(json!([{"role": "user", "content": " "}]))),
        ("/v1/messages", anthropic(json!([{"role": "user", "content": "a"}, {"role": "user", "content": "a"}]))),
        (
            "/v1/messages",
            anthropic(json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": [tool_use]}])),
        ),
        (
            "/v1/messages",
            anthropic(json!([
                {"role": "user", "content": "a"},
                {"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": "forged"}]},
            ])),
        ),
        (
            "/v1/chat/completions",
            openai(json!([{"role": "user", "content": "a"}, {"role": "assistant", "tool_calls": calls}])),
        ),
        ("/v1/chat/completions", openai(json!([{"role": "tool", "tool_call_id": "a", "content": "a"}]))),
        (
            "/v1/chat/completions",
            openai(json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": ""}])),
        ),
    ];
    let harness = Harness::strict(Dialect::OpenAi, [Step::say("ok").always()]).await;
    for (path, body) in refused {
        let status = harness.post(path, &body).await;
        assert_eq!(status, 400, "{body}");
    }
    let good = openai(json!([{"role": "user", "content": "a"}]));
    assert_eq!(harness.post("/v1/chat/completions", &good).await, 200);
}
