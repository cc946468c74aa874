use engine::ProviderKind;
use scripted::{Action, Call, Script, Scripted, Step, Usage};
use serde_json::{Value, json};
use sqlx::PgPool;
use wire::event::{Custom, Event};
use wire::message::{MessageState, ToolState};
use wire::turn::TurnState;

use crate::house::{House, calls, model};

fn used(input: i64, output: i64, cache_read: i64, cache_write: i64) -> Usage {
    Usage { input, output, cache_read, cache_write, reasoning: 0 }
}

#[sqlx::test(migrations = false)]
async fn usage_is_the_sum_of_the_calls(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let list = |id: &str| Step::call(id, "Glob", json!({"pattern": "**/*.md"}));
    scripted.script(Script::new(
        "usage",
        [
            list("a").usage(used(100, 10, 1_000, 2_000)),
            list("b").then(Action::Usage { input: None, output: Some(3) }).usage(used(50, 20, 3_000, 0)),
            Step::say("done").usage(used(7, 5, 3_100, 11)),
        ],
    ));
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "usage")).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let (turn, _) = house.ask(chat.id, "go").await;
    assert_eq!((turn.iterations, turn.tool_calls), (3, 2));
    assert_eq!((turn.usage.input_tokens, turn.usage.output_tokens), (157, 35));
    assert_eq!((turn.usage.cache_read_tokens, turn.usage.cache_write_tokens), (7_100, 2_011));
    // claude-sonnet-4-5: 3, 15, 0.30 and 3.75 USD for a million
    let micro = [(157, 3.0), (35, 15.0), (7_100, 0.3), (2_011, 3.75)].iter().map(|(n, usd)| f64::from(*n) * usd);
    let cost = micro.sum::<f64>() / 1_000_000.0;
    assert!((turn.usage.cost_usd.unwrap() - cost).abs() < 0.000_002, "{:?} {cost}", turn.usage.cost_usd);
    let stored = engine::turn::get(&house.engine, &house.actor, turn.id).await.unwrap();
    assert_eq!(stored, turn);
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn calls_of_one_step_each_get_their_result_whatever_is_wrong_with_them(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let wrong = [
        Call::new("toolu_a", "Read", json!({"path": "plans/csv-download-button.md"})),
        Call::new("toolu_b", "Teleport", json!({})),
        Call::raw("toolu_c", "Grep", "{\"pattern\": "),
        Call::new("toolu_d", "Edit", json!({"path": "plans/csv-download-button.md", "old": "not there", "new": "x"})),
        Call { id: "toolu_e".into(), name: "Glob".into(), ..Call::default() },
    ];
    scripted.script(
        Script::new(
            "wrong",
            [Step::new().reasoning("Hm.", Some("sig")).text("I look.").tools(wrong), Step::say("So.")],
        )
        .strict(),
    );
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "wrong")).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let start = house.view(chat.id).await;
    let (turn, answer) = house.ask(chat.id, "go").await;
    assert_eq!((turn.state, turn.error), (TurnState::Completed, None));
    let states: Vec<ToolState> = calls(&answer).iter().map(|call| call.state).collect();
    assert_eq!(states, [ToolState::Success, ToolState::Error, ToolState::Error, ToolState::Error, ToolState::Error]);
    assert!(calls(&answer).iter().all(|call| call.output.is_some()));
    assert_eq!(answer.text(), "I look.So.");
    // the reasoning goes back to the model that made it, with its signature
    let second = &scripted.requests("wrong")[1].body;
    assert_eq!(second["messages"][1]["content"][0]["signature"], "sig");
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn the_thirtieth_step_is_the_last(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let steps = (0..40).map(|n| Step::call(&format!("c{n}"), "Grep", json!({"pattern": format!("x{n}")})));
    scripted.script(Script::new("long", steps).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::OpenAi, "long")).await;
    let chat = house.chat(None).await;
    let (turn, answer) = house.ask(chat.id, "go").await;
    assert_eq!((turn.state, turn.iterations, turn.tool_calls), (TurnState::Completed, 30, 30));
    assert_eq!(turn.error.unwrap().code, "iteration_limit");
    assert!(answer.text().contains("I stopped after 30 steps"), "{}", answer.text());
    assert!(calls(&answer).iter().all(|call| call.state == ToolState::Success));
    scripted.script(Script::new("long", [Step::say("gone on")]).strict());
    let (turn, answer) = house.ask(chat.id, "go on").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "gone on"));
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn who_goes_in_circles_is_told_and_then_ended(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("circle", [Step::call("c", "Glob", json!({"pattern": "*"})).always()]).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "circle")).await;
    let chat = house.chat(None).await;
    let (turn, answer) = house.ask(chat.id, "go").await;
    assert_eq!((turn.state, turn.iterations), (TurnState::Completed, 8));
    assert_eq!(turn.error.unwrap().code, "repeated_call");
    let told: Vec<bool> =
        calls(&answer).iter().map(|call| call.output.as_ref().unwrap().contains("five times in a row")).collect();
    assert_eq!(told, [false, false, false, false, true, false, false, false]);
    assert!(answer.text().contains("eight times"), "{}", answer.text());
    // ids of calls are made unique where a provider repeats them
    let ids: std::collections::HashSet<&str> = calls(&answer).iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 8);
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_provider_that_refuses_ends_the_turn_with_a_reason_and_not_the_chat(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let partly =
        Step::new().text("I begin").then(Action::Error { kind: "invalid_request_error".into(), message: "no".into() });
    scripted.script(Script::new("key", [Step::status(401, &[]), partly, Step::say("fine")]).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "key")).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let (turn, answer) = house.ask(chat.id, "one").await;
    let error = turn.error.unwrap();
    assert_eq!((turn.state, error.code.as_str()), (TurnState::Failed, "provider_unauthorised"));
    assert!(error.detail.contains("key"), "{}", error.detail);
    assert_eq!((answer.state, answer.text()), (MessageState::Failed, String::new()));
    let (turn, answer) = house.ask(chat.id, "two").await;
    assert_eq!(turn.state, TurnState::Failed);
    assert_eq!((answer.state, answer.text().as_str()), (MessageState::Failed, "I begin"));
    let (turn, answer) = house.ask(chat.id, "three").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "fine"));
    let events = house.check_log(chat.id, start).await;
    let banners: Vec<Value> = events
        .iter()
        .filter_map(|event| match event {
            Event::Custom { name, value } if name == "banner" => Some(value["code"].clone()),
            _ => None,
        })
        .collect();
    assert_eq!(banners, ["provider_key", "provider_down"]);
    assert!(
        events.iter().any(|event| matches!(event, Event::RunError { code, .. } if code == "provider_unauthorised"))
    );
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_broken_stream_is_made_again_and_what_it_said_is_void(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let broken = Step::new().text("Half a").then(Action::Reset);
    scripted.script(Script::new("cut", [broken, Step::say("Whole.")]).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::OpenAi, "cut")).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let (turn, answer) = house.ask(chat.id, "go").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "Whole."));
    let events = house.check_log(chat.id, start).await;
    let restarted = events.iter().any(|event| match event {
        Event::Custom { name, value } => matches!(Custom::parse(name, value), Some(Custom::Restarted { .. })),
        _ => false,
    });
    assert!(restarted);
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn an_answer_of_nothing_is_asked_for_again_and_then_told(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(
        Script::new("empty", [Step::new(), Step::say("here"), Step::new(), Step::new(), Step::say("again")]).strict(),
    );
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "empty")).await;
    let chat = house.chat(None).await;
    let (turn, answer) = house.ask(chat.id, "one").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "here"));
    let (turn, _) = house.ask(chat.id, "two").await;
    assert_eq!((turn.state, turn.error.unwrap().code.as_str()), (TurnState::Failed, "provider_empty"));
    let (turn, answer) = house.ask(chat.id, "three").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "again"));
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_runtime_that_is_named_and_not_there_is_told_and_not_replaced(pool: PgPool) {
    let house = House::new(&pool, crate::house::demo()).await;
    crate::house::sql(&house, r#"update organisations set settings = '{"runtime": "acp"}'"#).await;
    let chat = house.chat(None).await;
    let (turn, _) = house.ask(chat.id, "list").await;
    assert_eq!((turn.state, turn.runtime.as_str()), (TurnState::Failed, "acp"));
    assert_eq!(turn.error.unwrap().code, "runtime_unavailable");
    crate::house::sql(&house, r#"update organisations set settings = '{"runtime": "loop"}'"#).await;
    let (turn, _) = house.ask(chat.id, "list").await;
    assert_eq!((turn.state, turn.error.unwrap().code.as_str()), (TurnState::Failed, "no_model"));
    house.engine.shutdown().await;
}
