//! The scripted provider as other processes use it: by HTTP only.

use reqwest::{Client, Response};
use scripted::Scripted;
use serde_json::{Value, json};
use std::collections::HashSet;

struct Remote {
    client: Client,
    server: Scripted,
}

impl Remote {
    async fn new() -> Self {
        let client = Client::builder().no_proxy().build().expect("a client");
        Self { client, server: Scripted::start().await.expect("a port") }
    }

    async fn post(&self, path: &str, key: &str, body: Value) -> Response {
        let request =
            self.client.post(format!("{}{path}", self.server.url())).bearer_auth(key).header("x-api-key", key);
        request.json(&body).send().await.expect("an answer")
    }

    async fn ask(&self, key: &str, model: &str, text: &str) -> (u16, String) {
        let body = json!({"model": model, "messages": [{"role": "user", "content": text}]});
        let response = self.post("/v1/chat/completions", key, body).await;
        (response.status().as_u16(), response.text().await.expect("a body"))
    }
}

#[tokio::test]
async fn steps_are_played_by_rule_once_or_always_and_by_key() {
    let remote = Remote::new().await;
    let say = |text: &str| json!([{"do": "text", "text": text}]);
    let script = json!({"key": "one", "steps": [
        {"when": {"user": "colour"}, "actions": say("blue")},
        {"when": {"model": "big"}, "actions": say("from big")},
        {"actions": say("once")},
        {"when": {"user": "always"}, "always": true, "actions": say("again")},
    ]});
    assert_eq!(remote.post("/script", "", script).await.status(), 204);
    let other = json!({"key": "two", "steps": [{"actions": say("two's")}]});
    assert_eq!(remote.post("/script", "", other).await.status(), 204);
    for (key, model, text, status, answer) in [
        ("one", "small", "which colour?", 200, "blue"),
        ("one", "big", "hi", 200, "from big"),
        ("one", "small", "which colour?", 200, "once"),
        ("one", "small", "always", 200, "again"),
        ("one", "small", "always", 200, "again"),
        ("one", "small", "hi", 400, "no step"),
        ("two", "small", "hi", 200, "two's"),
        ("three", "small", "hi", 401, "no script"),
    ] {
        let (got, body) = remote.ask(key, model, text).await;
        assert_eq!(got, status, "{key} {text}: {body}");
        assert!(body.contains(answer), "{key} {text}: {body}");
    }
    let url = format!("{}/requests?key=one", remote.server.url());
    let records: Value = remote.client.get(url).send().await.expect("an answer").json().await.expect("JSON");
    let endings: Vec<&str> =
        records.as_array().expect("a list").iter().filter_map(|record| record["ending"].as_str()).collect();
    assert_eq!(endings, ["sent", "sent", "sent", "sent", "sent", "refused"]);
    assert_eq!(records[1]["body"]["model"], "big");
}

#[tokio::test]
async fn a_script_that_is_none_is_refused() {
    let remote = Remote::new().await;
    for body in [
        json!({}),
        json!({"key": "a", "steps": [{"actions": [{"do": "dance"}]}]}),
        json!({"key": "a", "steps": [], "x": 1}),
    ] {
        assert_eq!(remote.post("/script", "", body).await.status(), 422);
    }
}

#[tokio::test]
async fn a_gate_holds_until_it_is_released() {
    let remote = Remote::new().await;
    let actions =
        json!([{"do": "text", "text": "before"}, {"do": "hold", "gate": "g"}, {"do": "text", "text": "after"}]);
    remote.post("/script", "", json!({"key": "k", "steps": [{"actions": actions}]})).await;
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "hi"}]});
    let mut response = remote.post("/v1/chat/completions", "k", body).await;
    remote.server.arrived("k", "g").await;
    let mut seen = String::new();
    while !seen.contains("before") {
        seen.push_str(&String::from_utf8_lossy(&response.chunk().await.expect("a chunk").expect("not the end")));
    }
    assert_eq!(remote.post("/release", "", json!({"key": "k", "gate": "g"})).await.status(), 204);
    seen.push_str(&response.text().await.expect("the rest"));
    assert!(seen.contains("after") && seen.ends_with("data: [DONE]\n\n"), "{seen}");
}

#[tokio::test]
async fn tokens_carry_their_number_and_time() {
    let remote = Remote::new().await;
    let actions = json!([{"do": "tokens", "count": 500}, {"do": "tokens", "count": 3, "microseconds": 1000}]);
    remote.post("/script", "", json!({"key": "k", "steps": [{"actions": actions}]})).await;
    let (_, body) = remote.ask("k", "m", "hi").await;
    let text: String = body
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok())
        .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
        .collect();
    let tokens: Vec<(usize, u128)> = text
        .split_whitespace()
        .map(|token| token.split_once(':').expect("a colon"))
        .map(|(number, time)| (number.parse().expect("a number"), time.parse().expect("a time")))
        .collect();
    let numbers: Vec<usize> = tokens.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (0..500).chain(0..3).collect::<Vec<_>>());
    assert!(tokens.is_sorted_by_key(|(_, time)| *time));
    assert!(tokens[502].1 > tokens[500].1, "{:?}", &tokens[500..]);
    assert!(tokens.iter().map(|(_, time)| time).collect::<HashSet<_>>().len() > 1);
}
