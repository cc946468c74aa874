use engine::{Error, ProviderKind, chat, turn};
use scripted::{Call, Script, Scripted, Step, Usage};
use serde_json::json;
use sqlx::PgPool;
use wire::message::MessageState;
use wire::turn::TurnState;

use crate::house::{House, calls, model, over, shown, stands};

#[sqlx::test(migrations = false)]
async fn a_stop_keeps_the_text_and_holds_what_waits(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let first = Step::new().text("So far").hold("gate").text(" and no further").when_user("first");
    scripted.script(Script::new("stop", [first, Step::say("later").always()]).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "stop")).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let running = house.send(chat.id, "first").await.turn.unwrap();
    let waiting = house.send(chat.id, "second").await.turn.unwrap();
    shown(&house.engine, chat.id, "So far").await;

    turn::stop(&house.engine, &house.actor, running.id).await.unwrap();
    let stopped = over(&house.engine, chat.id, running.id).await;
    assert_eq!((stopped.state, stopped.error), (TurnState::Stopped, None));
    let answer = house.answer(chat.id, running.id).await;
    assert_eq!((answer.state, answer.text().as_str()), (MessageState::Settled, "So far"));
    let view = house.view(chat.id).await;
    assert!(view.held);
    assert_eq!(view.queued.iter().map(|turn| turn.id).collect::<Vec<_>>(), [waiting.id]);
    // again changes nothing
    let again = turn::stop(&house.engine, &house.actor, running.id).await.unwrap();
    assert_eq!(again.state, TurnState::Stopped);
    // the turn's own part of the log ends by itself
    let mut part = chat::turn_log(&house.engine, &house.actor, running.id, None).await.unwrap();
    let mut last = String::new();
    while let Some(frame) = part.next().await {
        last = frame.json.to_string();
    }
    assert!(last.contains("RUN_FINISHED") && last.contains("\"stopped\""), "{last}");

    chat::release(&house.engine, &house.actor, chat.id).await.unwrap();
    assert_eq!(over(&house.engine, chat.id, waiting.id).await.state, TurnState::Completed);
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_new_message_lets_held_ones_go_on(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(
        Script::new("held", [Step::new().hold("gate").text("x").when_user("first"), Step::say("ok").always()]).strict(),
    );
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "held")).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let first = house.send(chat.id, "first").await.turn.unwrap();
    let second = house.send(chat.id, "second").await.turn.unwrap();
    scripted.arrived("held", "gate").await;
    turn::stop(&house.engine, &house.actor, first.id).await.unwrap();
    over(&house.engine, chat.id, first.id).await;
    let third = house.send(chat.id, "third").await.turn.unwrap();
    over(&house.engine, chat.id, second.id).await;
    over(&house.engine, chat.id, third.id).await;
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

async fn half_received(pool: &PgPool, provider: ProviderKind) {
    let key = format!("half {provider:?}");
    let scripted = Scripted::start().await.unwrap();
    // the arguments begin to come, and then the provider waits
    let call = Call::raw("toolu_a", "Grep", "{\"pattern\": \"abc");
    let usage = Usage { input: 40, output: 9, ..Usage::default() };
    let half = Step::new().text("I look.").tools([call]).hold("gate").usage(usage).when_user("first");
    scripted.script(Script::new(&key, [half, Step::say("ok").always()]).strict());
    let house = House::new(pool, model(&scripted, provider, &key)).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let first = house.send(chat.id, "first").await.turn.unwrap();
    shown(&house.engine, chat.id, "abc").await;
    turn::stop(&house.engine, &house.actor, first.id).await.unwrap();
    assert_eq!(over(&house.engine, chat.id, first.id).await.state, TurnState::Stopped);
    let answer = house.answer(chat.id, first.id).await;
    assert_eq!((calls(&answer).len(), answer.text().as_str()), (0, "I look."));
    let (turn, answer) = house.ask(chat.id, "go on").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "ok"));
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_half_received_call_is_dropped_and_the_next_turn_is_valid(pool: PgPool) {
    half_received(&pool, ProviderKind::Anthropic).await;
}

#[sqlx::test(migrations = false)]
async fn and_so_in_the_other_dialect(pool: PgPool) {
    half_received(&pool, ProviderKind::OpenAi).await;
}

#[sqlx::test(migrations = false)]
async fn a_stop_from_another_node_reaches_the_one_that_runs_it(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("far", [Step::new().text("I run").hold("gate").always()]).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "far")).await;
    let config = engine::Config { turns: 0, ..house.config.clone() };
    let other = engine::Engine::start_with(config, house.clock.clone()).await.unwrap();
    let chat = house.chat(None).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&other, chat.id, "I run").await;
    let begun = std::time::Instant::now();
    turn::stop(&other, &house.actor, sent.id).await.unwrap();
    assert_eq!(over(&other, chat.id, sent.id).await.state, TurnState::Stopped);
    assert!(begun.elapsed() < std::time::Duration::from_secs(2), "{:?}", begun.elapsed());
    other.shutdown().await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_queued_turn_gives_its_text_back(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    scripted.script(Script::new("back", [Step::new().hold("gate").text("ok").always()]).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "back")).await;
    let chat = house.chat(None).await;
    let start = house.view(chat.id).await;
    let first = house.send(chat.id, "first").await.turn.unwrap();
    let second = house.send(chat.id, "second").await.turn.unwrap();
    stands(&house.engine, chat.id, first.id, |state| state == TurnState::Running).await;
    let running = turn::withdraw(&house.engine, &house.actor, first.id).await;
    assert!(matches!(running, Err(Error::Conflict { code: "turn_started", .. })), "{running:?}");
    let back = turn::withdraw(&house.engine, &house.actor, second.id).await.unwrap();
    assert_eq!(back.text, "second");
    let twice = turn::withdraw(&house.engine, &house.actor, second.id).await;
    assert!(matches!(twice, Err(Error::Conflict { .. })), "{twice:?}");
    scripted.release("back", "gate");
    over(&house.engine, chat.id, first.id).await;
    let view = house.view(chat.id).await;
    assert_eq!((view.messages.len(), view.queued.len()), (2, 0));
    assert!(!scripted.requests("back")[0].body.to_string().contains("second"));
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn ending_a_chat_stops_its_turn_and_nothing_is_saved_after_it(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let edit = json!({"path": "plans/csv-download-button.md", "old": "Downlaod", "new": "download"});
    scripted.script(
        Script::new("end", [Step::call("a", "Edit", edit), Step::new().text("Changed.").hold("gate")]).strict(),
    );
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "end")).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let start = house.view(chat.id).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    let queued = house.send(chat.id, "more").await.turn.unwrap();
    shown(&house.engine, chat.id, "Changed.").await;
    chat::end(&house.engine, &house.actor, chat.id).await.unwrap();
    assert_eq!(over(&house.engine, chat.id, sent.id).await.state, TurnState::Stopped);
    let queued = turn::get(&house.engine, &house.actor, queued.id).await.unwrap();
    assert_eq!(queued.state, TurnState::Stopped);
    let plan = engine::record::get(&house.engine, &house.actor, house.plan.id).await.unwrap();
    assert_eq!(plan.version, 1);
    let refused = chat::send(
        &house.engine,
        &house.actor,
        chat.id,
        wire::chat::SendMessage { client_id: "late".into(), text: "late".into(), ..Default::default() },
    )
    .await;
    assert!(matches!(refused, Err(Error::Gone { .. })));
    chat::restore(&house.engine, &house.actor, chat.id).await.unwrap();
    scripted.script(Script::new("end", [Step::say("here again")]).strict());
    let (turn, answer) = house.ask(chat.id, "again").await;
    assert_eq!((turn.state, answer.text().as_str()), (TurnState::Completed, "here again"));
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}
