use std::time::Duration;

use engine::{Config, ProviderKind, record};
use scripted::{Script, Scripted, Step};
use serde_json::json;
use sqlx::PgPool;
use wire::event::Event;
use wire::message::ToolState;
use wire::turn::TurnState;

use crate::house::{House, Node, calls, model, over, shown};

/// A house whose own engine runs no turns: others do.
async fn watched(pool: &PgPool, scripted: &Scripted, key: &str) -> (House, Config) {
    let house =
        House::with(pool, model(scripted, ProviderKind::Anthropic, key), |config| Config { turns: 0, ..config }).await;
    let nodes = Config { turns: 8, ..house.config.clone() };
    (house, nodes)
}

const LEASE: Duration = Duration::from_secs(16);

fn edit() -> serde_json::Value {
    json!({"path": "plans/csv-download-button.md", "old": "Downlaod", "new": "download"})
}

fn restarts(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::Custom { name, .. } if name == "restarted")).count()
}

#[sqlx::test(migrations = false)]
async fn a_node_killed_in_mid_text_is_followed_by_another_that_says_it_once(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("kill", [Step::new().text("Half a").hold("gate"), Step::say("Whole.")]).strict());
    let (house, nodes) = watched(&pool, &scripted, "kill").await;
    let first = Node::start(nodes.clone(), house.clock.clone()).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "Half a").await;
    first.kill();
    let second = Node::start(nodes, house.clock.clone()).await;
    // the lease has not lapsed: nobody touches it; then it has
    assert_eq!(house.view(chat.id).await.turn.unwrap().state, TurnState::Running);
    house.clock.forward(LEASE);
    let turn = over(&house.engine, chat.id, sent.id).await;
    assert_eq!((turn.state, turn.iterations), (TurnState::Completed, 1));
    assert_eq!(house.answer(chat.id, sent.id).await.text(), "Whole.");
    let events = house.check_log(chat.id, start).await;
    assert_eq!(restarts(&events), 1);
    second.engine.shutdown().await;
    second.kill();
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_tool_call_that_was_done_is_not_done_again(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let steps = [Step::call("toolu_1", "Edit", edit()), Step::new().text("Almost").hold("gate"), Step::say("Done.")];
    scripted.script(Script::new("tool", steps).strict());
    let (house, nodes) = watched(&pool, &scripted, "tool").await;
    let first = Node::start(nodes.clone(), house.clock.clone()).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let start = house.view(chat.id).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "Almost").await;
    first.kill();
    house.clock.forward(LEASE);
    let second = Node::start(nodes, house.clock.clone()).await;
    let turn = over(&house.engine, chat.id, sent.id).await;
    assert_eq!((turn.state, turn.iterations, turn.tool_calls), (TurnState::Completed, 2, 1));
    let answer = house.answer(chat.id, sent.id).await;
    assert_eq!((calls(&answer).len(), calls(&answer)[0].state), (1, ToolState::Success));
    assert_eq!(answer.text(), "Done.");
    let plan = record::get(&house.engine, &house.actor, house.plan.id).await.unwrap();
    assert_eq!((plan.version, plan.body.contains("Downlaod")), (2, false));
    // the stored result went to the provider again
    let requests = scripted.requests("tool");
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[2].body["messages"], requests[1].body["messages"]);
    house.check_log(chat.id, start).await;
    second.engine.shutdown().await;
    second.kill();
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn where_the_files_are_gone_with_the_node_the_turn_is_interrupted(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let steps = [Step::call("toolu_1", "Edit", edit()), Step::new().text("Almost").hold("gate"), Step::say("New.")];
    scripted.script(Script::new("lost", steps).strict());
    let (house, nodes) = watched(&pool, &scripted, "lost").await;
    let first = Node::start(nodes.clone(), house.clock.clone()).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let start = house.view(chat.id).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "Almost").await;
    first.kill();
    house.clock.forward(LEASE);
    let elsewhere = tempfile::tempdir().unwrap();
    let second = Node::start(Config { data: elsewhere.path().to_owned(), ..nodes }, house.clock.clone()).await;
    let turn = over(&house.engine, chat.id, sent.id).await;
    assert_eq!((turn.state, turn.error.unwrap().code.as_str()), (TurnState::Interrupted, "workspace_gone"));
    // sending works at once
    let (turn, answer) = house.ask(chat.id, "again").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "New."));
    house.check_log(chat.id, start).await;
    second.engine.shutdown().await;
    second.kill();
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_shutdown_hands_its_turns_over_at_once(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("hand", [Step::new().text("Half a").hold("gate"), Step::say("Whole.")]).strict());
    let (house, nodes) = watched(&pool, &scripted, "hand").await;
    let first = Node::start(nodes.clone(), house.clock.clone()).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "Half a").await;
    let second = Node::start(nodes, house.clock.clone()).await;
    first.engine.shutdown().await;
    // the clock stands: the lease was given up, it has not lapsed
    assert_eq!(over(&house.engine, chat.id, sent.id).await.state, TurnState::Completed);
    assert_eq!(house.answer(chat.id, sent.id).await.text(), "Whole.");
    house.check_log(chat.id, start).await;
    first.kill();
    second.engine.shutdown().await;
    second.kill();
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn who_was_frozen_past_its_lease_writes_nothing_more(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let first = Step::new().text("The first").hold("gate").text(" goes on after all");
    scripted.script(Script::new("frozen", [first, Step::say("The second.")]).strict());
    let (house, nodes) = watched(&pool, &scripted, "frozen").await;
    let frozen = Node::start(nodes.clone(), house.clock.clone()).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "The first").await;
    let go_on = frozen.freeze().await;
    scripted.release("frozen", "gate");
    house.clock.forward(LEASE);
    let second = Node::start(nodes, house.clock.clone()).await;
    assert_eq!(over(&house.engine, chat.id, sent.id).await.state, TurnState::Completed);
    go_on.send(()).unwrap();
    // its shutdown waits for the turn that it believes to drive
    frozen.engine.shutdown().await;
    assert_eq!(house.answer(chat.id, sent.id).await.text(), "The second.");
    let events = house.check_log(chat.id, start).await;
    assert_eq!(events.iter().filter(|event| matches!(event, Event::RunFinished { .. })).count(), 1);
    frozen.kill();
    second.engine.shutdown().await;
    second.kill();
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_turn_that_nobody_can_end_is_interrupted_after_five(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("five", [Step::new().text("Half").hold("gate"), Step::say("Next.")]).strict());
    let (house, nodes) = watched(&pool, &scripted, "five").await;
    let first = Node::start(nodes.clone(), house.clock.clone()).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "Half").await;
    first.kill();
    crate::house::sql(&house, "update turns set attempt = 5").await;
    house.clock.forward(LEASE);
    let second = Node::start(nodes, house.clock.clone()).await;
    let turn = over(&house.engine, chat.id, sent.id).await;
    assert_eq!((turn.state, turn.error.unwrap().code.as_str()), (TurnState::Interrupted, "attempts"));
    let (turn, answer) = house.ask(chat.id, "again").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "Next."));
    house.check_log(chat.id, start).await;
    second.engine.shutdown().await;
    second.kill();
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_stop_of_a_turn_whose_node_is_gone_works(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("orphan", [Step::new().text("Half").hold("gate")]).strict());
    let (house, nodes) = watched(&pool, &scripted, "orphan").await;
    let first = Node::start(nodes.clone(), house.clock.clone()).await;
    let chat = house.chat(None).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "Half").await;
    first.kill();
    let second = Node::start(nodes, house.clock.clone()).await;
    engine::turn::stop(&house.engine, &house.actor, sent.id).await.unwrap();
    house.clock.forward(LEASE);
    assert_eq!(over(&house.engine, chat.id, sent.id).await.state, TurnState::Stopped);
    second.engine.shutdown().await;
    second.kill();
    house.engine.shutdown().await;
}
