use engine::{audit, record};
use sqlx::PgPool;
use wire::message::{MessageState, Part, ToolState};
use wire::record::{RecordFilter, RecordKind};
use wire::turn::TurnState;

use crate::house::{House, calls, demo, input};

const TYPO: &str = r#"Fix the typo on the third acceptance criterion. "Downlaod" should be "download.""#;

#[sqlx::test(migrations = false)]
async fn a_typo_is_fixed_and_the_plan_has_a_second_version(pool: PgPool) {
    let house = House::new(&pool, demo()).await;
    let chat = house.chat(Some(house.plan.id)).await;
    let start = house.view(chat.id).await;

    let (turn, answer) = house.ask(chat.id, TYPO).await;

    assert_eq!(turn.state, TurnState::Completed);
    assert_eq!((turn.runtime.as_str(), turn.model.as_str()), ("demo", "confab-demo-1"));
    assert_eq!((turn.iterations, turn.tool_calls, turn.error.clone()), (3, 2, None));
    assert_eq!(turn.usage.cost_usd, None);
    assert!(turn.started_at.is_some() && turn.first_token_at.is_some() && turn.ended_at.is_some());
    assert_eq!(answer.state, MessageState::Settled);
    let made = calls(&answer);
    assert_eq!(made.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["Grep", "Edit"]);
    assert!(made.iter().all(|call| call.state == ToolState::Success && call.ended_at.is_some()));
    assert_eq!((made[1].label.as_str(), input(made[1], "new")), ("plans/csv-download-button.md", "download"));
    assert_eq!(made[1].diff.as_ref().map(|diff| (diff.added, diff.removed)), Some((1, 1)));
    assert_eq!(answer.text(), "I changed “Downlaod” to “download” in `plans/csv-download-button.md`.");
    let Some(Part::Changes(changes)) = answer.parts.last() else { panic!("no changes in {:?}", answer.parts) };
    assert_eq!((changes.records.len(), changes.refused.len(), changes.conflicts.len()), (1, 0, 0));
    assert_eq!((changes.records[0].record_id, changes.records[0].version), (house.plan.id, 2));

    let plan = record::get(&house.engine, &house.actor, house.plan.id).await.unwrap();
    assert_eq!(plan.version, 2);
    assert_eq!(plan.body, house.plan.body.replace("Downlaod", "download"));
    let versions = record::versions(&house.engine, &house.actor, house.plan.id, Default::default()).await.unwrap();
    assert_eq!(versions.items[0].turn_id, Some(turn.id));
    let rows = audit::list(&house.engine, &house.actor, Default::default(), Default::default()).await.unwrap();
    let done: Vec<&str> =
        rows.items.iter().filter(|row| row.turn_id == Some(turn.id)).map(|row| row.action.as_str()).collect();
    assert!(done.contains(&"turn.completed") && done.contains(&"record.saved"), "{done:?}");
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn three_plans_are_drafted_under_the_initiative(pool: PgPool) {
    let house = House::new(&pool, demo()).await;
    let chat = house.chat(Some(house.initiative.id)).await;
    let start = house.view(chat.id).await;

    let (turn, answer) = house
        .ask(
            chat.id,
            "Draft three plans for this initiative based on the spec. One for the server endpoint, one for the download button, one for \
             verification against five customer fixtures.",
        )
        .await;

    assert_eq!(turn.state, TurnState::Completed);
    let names: Vec<&str> = calls(&answer).iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["Read", "Glob", "Write", "Write", "Write"]);
    let filter = RecordFilter { kind: Some(RecordKind::Plan), ..RecordFilter::default() };
    let plans =
        record::list(&house.engine, &house.actor, house.project_id, filter, Default::default()).await.unwrap().items;
    let mut titles: Vec<&str> = plans.iter().map(|plan| plan.title.as_str()).collect();
    titles.sort_unstable();
    assert_eq!(
        titles,
        ["CSV download button", "Download button", "Server endpoint", "Verification against five customer fixtures"]
    );
    assert!(plans.iter().all(|plan| plan.parent_id == Some(house.initiative.id)));
    house.check_log(chat.id, start).await;
    house.engine.shutdown().await;
}

#[sqlx::test(migrations = false)]
async fn what_the_demo_cannot_do_it_says(pool: PgPool) {
    let house = House::new(&pool, demo()).await;
    let chat = house.chat(None).await;
    let (turn, answer) = house.ask(chat.id, "Write me a poem.").await;
    assert_eq!(turn.state, TurnState::Completed);
    assert!(answer.text().contains("I am the demo runtime, not a model"), "{}", answer.text());
    let (_, answer) = house.ask(chat.id, "todo: look; write").await;
    assert_eq!(calls(&answer)[0].name, "TodoWrite");
    assert_eq!(answer.text(), "The list has 2 steps.");
    let (_, answer) = house.ask(chat.id, "list").await;
    assert!(answer.text().contains("plans/csv-download-button.md"), "{}", answer.text());
    house.engine.shutdown().await;
}
