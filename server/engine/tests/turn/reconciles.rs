use engine::{ProviderKind, record};
use scripted::{Script, Scripted, Step};
use serde_json::json;
use sqlx::PgPool;
use wire::message::{Changes, Message, Part};
use wire::record::SaveRecord;
use wire::turn::TurnState;

use crate::house::{House, model, over, shown};

fn changes(message: &Message) -> &Changes {
    match message.parts.last() {
        Some(Part::Changes(changes)) => changes,
        other => panic!("no changes but {other:?}"),
    }
}

fn edit(old: &str, new: &str) -> serde_json::Value {
    json!({"path": "plans/csv-download-button.md", "old": old, "new": new})
}

fn save(base_version: i32, body: String) -> SaveRecord {
    SaveRecord { base_version, title: None, status: None, body: Some(body), severity: None }
}

#[sqlx::test(migrations = false)]
async fn a_persons_save_made_meanwhile_is_merged_or_kept_beside(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let steps = [
        Step::call("a", "Edit", edit("Downlaod", "download")).when_user("merge"),
        Step::new().text("Changed.").hold("gate").when_user("merge"),
        Step::call("b", "Edit", edit("starts at once", "starts soon")).when_user("clash"),
        Step::new().text("Again.").hold("gate").when_user("clash"),
    ];
    scripted.script(Script::new("meanwhile", steps).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "meanwhile")).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let start = house.view(chat.id).await;

    let sent = house.send(chat.id, "merge").await.turn.unwrap();
    shown(&house.engine, chat.id, "Changed.").await;
    // in mid-turn too, what the log says is what is read
    house.check_log(chat.id, start.clone()).await;
    let mine = save(1, house.plan.body.replace("Rows leave as CSV.", "Rows leave as CSV, quickly."));
    record::save(&house.engine, &house.actor, house.plan.id, mine).await.unwrap();
    scripted.release("meanwhile", "gate");
    over(&house.engine, chat.id, sent.id).await;
    let answer = house.answer(chat.id, sent.id).await;
    assert_eq!((changes(&answer).records[0].version, changes(&answer).records[0].merged), (3, true));
    let plan = record::get(&house.engine, &house.actor, house.plan.id).await.unwrap();
    assert!(plan.body.contains("CSV, quickly.") && plan.body.contains("It reads download"), "{}", plan.body);

    let sent = house.send(chat.id, "clash").await.turn.unwrap();
    shown(&house.engine, chat.id, "Again.").await;
    let mine = save(3, plan.body.replace("starts at once", "starts when asked"));
    record::save(&house.engine, &house.actor, house.plan.id, mine).await.unwrap();
    scripted.release("meanwhile", "gate");
    over(&house.engine, chat.id, sent.id).await;
    let answer = house.answer(chat.id, sent.id).await;
    assert_eq!((changes(&answer).records.len(), changes(&answer).conflicts.len()), (0, 1));
    let plan = record::get(&house.engine, &house.actor, house.plan.id).await.unwrap();
    assert!(plan.version == 4 && plan.body.contains("starts when asked"), "{}", plan.body);
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn a_workspace_that_is_gone_changes_nothing_and_is_told(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let steps = [Step::call("a", "Edit", edit("Downlaod", "download")), Step::new().text("Changed.").hold("gate")];
    scripted.script(Script::new("gone", steps).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "gone")).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let start = house.view(chat.id).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "Changed.").await;
    std::fs::remove_dir_all(house.config.data.join("workspaces").join(chat.id.to_string())).unwrap();
    scripted.release("gone", "gate");
    let turn = over(&house.engine, chat.id, sent.id).await;
    assert_eq!((turn.state, turn.error.unwrap().code.as_str()), (TurnState::Completed, "workspace_unreadable"));
    let answer = house.answer(chat.id, sent.id).await;
    assert_eq!((changes(&answer).records.len(), changes(&answer).refused.len()), (0, 1));
    let plan = record::get(&house.engine, &house.actor, house.plan.id).await.unwrap();
    assert_eq!(plan.version, 1);
    // and the next turn works on a new one
    scripted.script(
        Script::new("gone", [Step::call("b", "Edit", edit("Downlaod", "download")), Step::say("Now.")]).strict(),
    );
    let (_, answer) = house.ask(chat.id, "again").await;
    assert_eq!(changes(&answer).records[0].version, 2);
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn what_was_written_before_a_failure_is_kept_and_told(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let steps = [Step::call("a", "Edit", edit("Downlaod", "download")), Step::status(400, &[])];
    scripted.script(Script::new("fails", steps).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "fails")).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let (turn, answer) = house.ask(chat.id, "go").await;
    assert_eq!(turn.state, TurnState::Failed);
    assert_eq!(changes(&answer).records[0].version, 2);
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn rights_are_those_of_the_moment_of_writing(pool: PgPool) {
    let scripted = Scripted::start().await.unwrap();
    let steps = [Step::call("a", "Edit", edit("Downlaod", "download")), Step::new().text("Changed.").hold("gate")];
    scripted.script(Script::new("rights", steps).strict());
    let house = House::new(&pool, model(&scripted, ProviderKind::Anthropic, "rights")).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let sent = house.send(chat.id, "go").await.turn.unwrap();
    shown(&house.engine, chat.id, "Changed.").await;
    // an organisation keeps an owner, so another one comes first
    crate::house::sql(
        &house,
        "insert into people (id, organisation_id, email, name, role, created_at)
         select gen_random_uuid(), id, 'second@acme.test', 'Second', 'owner', now() from organisations",
    )
    .await;
    crate::house::sql(&house, "update people set role = 'viewer' where email = 'sam@acme.test'").await;
    scripted.release("rights", "gate");
    over(&house.engine, chat.id, sent.id).await;
    let answer = house.answer(chat.id, sent.id).await;
    assert_eq!((changes(&answer).records.len(), changes(&answer).refused.len()), (0, 1));
    assert!(changes(&answer).refused[0].reason.contains("plans.manage"), "{:?}", changes(&answer).refused);
    house.engine.shutdown().await;
}
