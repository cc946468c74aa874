use std::collections::HashSet;

use engine::{ProviderKind, chat, turn};
use scripted::{Call, Script, Scripted, Step};
use serde_json::json;
use sqlx::PgPool;
use wire::event::Event;
use wire::message::SenderKind;
use wire::turn::TurnState;

use crate::house::{House, log, model, over};

/// Every text is answered by one tool call and then by itself.
fn echo(key: &str, texts: &[String]) -> Script {
    let steps = texts.iter().flat_map(|text| {
        let glob = Call::new("call_1", "Glob", json!({"pattern": "**/*.md"}));
        [
            Step::say(&format!("answer to {text}")).when_user(text).when_result("plans/"),
            Step::new().tools([glob]).when_user(text),
        ]
    });
    Script::new(key, steps).strict()
}

async fn many_sends(house: &House, nodes: &[&engine::Engine], key: &str, scripted: &Scripted) {
    let texts: Vec<String> = (0..20).map(|number| format!("<text {number}>")).collect();
    scripted.script(echo(key, &texts));
    let chat = house.chat(Some(house.plan.id)).await;
    let start = house.view(chat.id).await;
    let sends = texts.iter().enumerate().map(|(place, text)| {
        let send = wire::chat::SendMessage { client_id: text.clone(), text: text.clone(), ..Default::default() };
        chat::send(nodes[place % nodes.len()], &house.actor, chat.id, send)
    });
    let sent = futures::future::join_all(sends).await;
    let turns: Vec<_> = sent.into_iter().map(|sent| sent.unwrap().turn.unwrap().id).collect();
    for turn_id in &turns {
        assert_eq!(over(&house.engine, chat.id, *turn_id).await.state, TurnState::Completed);
    }
    let events = house.check_log(chat.id, start).await;
    // one at a time: each that starts has ended before the next starts
    let mut running = None;
    let mut order = Vec::new();
    for event in &events {
        match event {
            Event::RunStarted { run_id, .. } => {
                assert_eq!(running.replace(*run_id), None);
                order.push(*run_id);
            }
            Event::RunFinished { run_id, .. } => assert_eq!(running.take(), Some(*run_id)),
            _ => {}
        }
    }
    assert_eq!(order.len(), 20);
    // in the order of the messages, and each answered by its own answer
    let view = house.view(chat.id).await;
    let asked: Vec<_> = view.messages.iter().filter(|message| message.sender.kind == SenderKind::Person).collect();
    assert_eq!(asked.len(), 20);
    for (message, turn_id) in asked.iter().zip(&order) {
        let turn = turn::get(&house.engine, &house.actor, *turn_id).await.unwrap();
        assert_eq!(turn.message_id, message.id);
        let answer = house.answer(chat.id, *turn_id).await;
        assert_eq!(answer.text(), format!("answer to {}", message.text()));
    }
    // each saw the answers before it and nothing of what waited behind it: the strict provider saw valid histories only
    let asked: Vec<String> = asked.iter().map(|message| message.text()).collect();
    for request in scripted.requests(key) {
        let body = request.body.to_string();
        let said: Vec<usize> =
            asked.iter().enumerate().filter(|(_, text)| body.contains(*text)).map(|(place, _)| place).collect();
        assert_eq!(said, (0..said.len()).collect::<Vec<_>>());
        assert_eq!(body.matches("answer to ").count(), said.len() - 1);
    }
}

#[sqlx::test(migrations = false)]
async fn twenty_sends_at_once_are_answered_one_after_another(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "many")).await;
    many_sends(&house, &[&house.engine], "many", &scripted).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn twenty_sends_at_once_over_two_nodes(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let house = House::new(&pool, model(&scripted, ProviderKind::OpenAi, "nodes")).await;
    let other = house.another_node().await;
    many_sends(&house, &[&house.engine, &other], "nodes", &scripted).await;
    other.shutdown().await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn the_same_send_ten_times_makes_one_message_and_one_turn(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("same", [Step::say("once").always()]));
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "same")).await;
    let chat = house.chat(None).await;
    let sent = futures::future::join_all((0..10).map(|_| house.send_as(chat.id, "hello", "one"))).await;
    let pairs: HashSet<_> = sent.iter().map(|sent| (sent.message.id, sent.turn.as_ref().unwrap().id)).collect();
    assert_eq!(pairs.len(), 1);
    let turn_id = sent[0].turn.as_ref().unwrap().id;
    over(&house.engine, chat.id, turn_id).await;
    // a retry after a lost answer, long after
    let again = house.send_as(chat.id, "hello", "one").await;
    assert_eq!((again.message.id, again.turn.unwrap().id), pairs.into_iter().next().unwrap());
    // equal text on purpose
    let (other, _) = house.ask(chat.id, "hello").await;
    assert_ne!(other.id, turn_id);
    assert_eq!(house.view(chat.id).await.messages.len(), 4);
    assert_eq!(scripted.requests("same").len(), 2);
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn waiting_turns_hold_no_connection(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("wait", [Step::new().text("I wait.").hold("gate").text(" Done.").always()]));
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "wait")).await;
    assert_eq!(house.config.connections, 5);
    let mut turns = Vec::new();
    for _ in 0..20 {
        let chat = house.chat(None).await;
        let sent = house.send(chat.id, "go").await;
        turns.push((chat.id, sent.turn.unwrap().id));
    }
    for _ in 0..20 {
        scripted.arrived("wait", "gate").await;
    }
    for (chat_id, _) in &turns {
        crate::house::shown(&house.engine, *chat_id, "I wait.").await;
    }
    // all of them wait, and every connection but the listening one can be had at once
    let connections = futures::future::join_all((0..4).map(|_| house.engine.pool().acquire())).await;
    assert!(connections.iter().all(Result::is_ok));
    drop(connections);
    let view = house.view(turns[0].0).await;
    assert_eq!(view.messages[1].text(), "I wait.");
    for _ in 0..20 {
        scripted.release("wait", "gate");
    }
    for (chat_id, turn_id) in turns {
        assert_eq!(over(&house.engine, chat_id, turn_id).await.state, TurnState::Completed);
    }
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_node_runs_no_more_turns_than_it_may(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("few", [Step::new().hold("gate").text("ok").always()]));
    let few = |config| engine::Config { turns: 2, ..config };
    let house = House::with(&pool, model(&scripted, ProviderKind::Anthropic, "few"), few).await;
    let mut turns = Vec::new();
    for _ in 0..5 {
        let chat = house.chat(None).await;
        turns.push((chat.id, house.send(chat.id, "go").await.turn.unwrap().id));
    }
    for _ in 0..2 {
        scripted.arrived("few", "gate").await;
    }
    let running = |log: Vec<Event>| log.iter().any(|event| matches!(event, Event::RunStarted { .. }));
    let mut started = 0;
    for (chat_id, _) in &turns {
        let seq = house.view(*chat_id).await.seq;
        started += usize::from(running(log(&house.engine, *chat_id, seq).await));
    }
    assert_eq!(started, 2);
    for _ in 0..5 {
        scripted.release("few", "gate");
    }
    for (chat_id, turn_id) in turns {
        over(&house.engine, chat_id, turn_id).await;
    }
    house.engine.shutdown().await;
}
