use sqlx::postgres::PgPool;
use wire::page::Paging;
use wire::record::SaveRecord;
use wire::version::{EditSource, Restore, Revert};

use super::{body, plan, saved, ten};
use crate::record::{SaveOutcome, diff, get, restore, revert, version, versions};
use crate::testing::sql;
use crate::{Error, access::Actor, testing::Acme};

async fn reverted(acme: &Acme, actor: &Actor, id: uuid::Uuid, version: i32, hunks: Option<Vec<usize>>) -> SaveOutcome {
    revert(&acme.engine, actor, id, Revert { version, hunks }).await.unwrap()
}

fn record_of(outcome: SaveOutcome) -> wire::record::Record {
    match outcome {
        SaveOutcome::Saved(saved) => saved.record,
        SaveOutcome::Conflict(conflict) => panic!("a conflict: {conflict:?}"),
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn any_version_can_be_restored_and_history_only_grows(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let second = SaveRecord { title: Some("Second".into()), status: Some("ready".into()), ..body(1, "two\n") };
    saved(&acme.engine, &acme.member, &plan, second).await;
    saved(&acme.engine, &acme.member, &plan, SaveRecord { status: Some("in progress".into()), ..body(2, "three\n") })
        .await;
    let done = restore(&acme.engine, &acme.lead, plan.id, Restore { version: 1 }).await.unwrap();
    // from a status that has no step back to this one
    assert_eq!(
        (done.record.version, done.record.title.as_str(), done.record.status.as_str()),
        (4, plan.title.as_str(), "draft")
    );
    assert_eq!(done.record.body, ten());
    let newest = version(&acme.engine, &acme.viewer, plan.id, 4).await.unwrap();
    assert_eq!((newest.edit_source, newest.author.id), (EditSource::Restore, acme.lead.person_id));
    // what is there already is not written again
    let again = restore(&acme.engine, &acme.lead, plan.id, Restore { version: 1 }).await.unwrap();
    assert_eq!(again.record.version, 4);
    // a restored version can be restored from and reverted like any other
    let undone = record_of(reverted(&acme, &acme.member, plan.id, 4, None).await);
    assert_eq!((undone.version, undone.body.as_str(), undone.status.as_str()), (5, "three\n", "in progress"));
    let back = restore(&acme.engine, &acme.member, plan.id, Restore { version: 4 }).await.unwrap();
    assert_eq!((back.record.version, back.record.body), (6, ten()));
    for missing in [0, -1, 7, i32::MAX] {
        let refusal = restore(&acme.engine, &acme.member, plan.id, Restore { version: missing }).await;
        assert!(matches!(refusal, Err(Error::NotFound(_))), "{missing}");
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn one_hunk_is_taken_back_and_later_changes_stay(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let edited = ten().replace("line 1\n", "LINE 1\n").replace("line 10", "LINE 10");
    saved(&acme.engine, &acme.member, &plan, body(1, &edited)).await;
    let later = edited.replace("line 5", "LINE 5");
    saved(&acme.engine, &acme.lead, &plan, body(2, &later)).await;
    let shown = diff(&acme.engine, &acme.viewer, plan.id, 2, None).await.unwrap();
    assert_eq!((shown.from, shown.to, shown.diff.hunks.len()), (1, 2, 2));
    let undone = record_of(reverted(&acme, &acme.member, plan.id, 2, Some(vec![1])).await);
    assert_eq!(undone.version, 4);
    assert_eq!(undone.body, later.replace("LINE 10", "line 10"));
    assert_eq!(version(&acme.engine, &acme.viewer, plan.id, 4).await.unwrap().edit_source, EditSource::Restore);
    // the rest of the same version, the whole of it
    let undone = record_of(reverted(&acme, &acme.member, plan.id, 2, None).await);
    assert_eq!((undone.version, undone.body), (5, ten().replace("line 5", "LINE 5")));
    // once more: nothing of it is left to be taken back
    assert_eq!(record_of(reverted(&acme, &acme.member, plan.id, 2, None).await).version, 5);
    assert_eq!(record_of(reverted(&acme, &acme.member, plan.id, 2, Some(vec![])).await).version, 5);
    for wrong in [2, usize::MAX] {
        let refusal =
            revert(&acme.engine, &acme.member, plan.id, Revert { version: 2, hunks: Some(vec![wrong]) }).await;
        assert!(matches!(refusal, Err(Error::Invalid { code: "no_such_hunk", .. })), "{wrong}");
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn a_revert_of_lines_that_others_changed_since_is_a_conflict(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    saved(&acme.engine, &acme.member, &plan, body(1, &ten().replace("line 5", "agent"))).await;
    saved(&acme.engine, &acme.lead, &plan, body(2, &ten().replace("line 5", "agent and lead"))).await;
    let SaveOutcome::Conflict(conflict) = reverted(&acme, &acme.member, plan.id, 2, None).await else {
        panic!("no conflict")
    };
    assert!(conflict.merged_text.contains("<<<<<<< current\nagent and lead\n=======\nline 5\n>>>>>>> yours\n"));
    assert_eq!(conflict.current_version, 3);
    assert_eq!(get(&acme.engine, &acme.member, plan.id).await.unwrap().version, 3);
}

#[sqlx::test(migrations = "./migrations")]
async fn the_first_version_can_be_taken_back_to_nothing(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let undone = record_of(reverted(&acme, &acme.member, plan.id, 1, None).await);
    assert_eq!((undone.version, undone.body.as_str(), undone.title), (2, "", plan.title));
}

#[sqlx::test(migrations = "./migrations")]
async fn any_two_versions_are_compared(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    saved(
        &acme.engine,
        &acme.member,
        &plan,
        SaveRecord { title: Some("New".into()), ..body(1, &ten().replace("line 3", "line three")) },
    )
    .await;
    saved(&acme.engine, &acme.member, &plan, SaveRecord { status: Some("ready".into()), ..body(2, &ten()) }).await;
    let compare = |to, from| diff(&acme.engine, &acme.viewer, plan.id, to, from);
    let second = compare(2, None).await.unwrap();
    assert_eq!((second.diff.added, second.diff.removed), (1, 1));
    assert_eq!(second.title, Some((plan.title.clone(), "New".to_owned())));
    assert_eq!(second.status, None);
    let back = compare(1, Some(3)).await.unwrap();
    assert_eq!((back.diff.added, back.diff.removed, back.diff.hunks.len()), (0, 0, 0));
    assert_eq!(back.status, Some(("ready".to_owned(), "draft".to_owned())));
    let first = compare(1, None).await.unwrap();
    assert_eq!((first.from, first.diff.added, first.diff.removed), (0, 20, 0));
    assert_eq!(compare(3, Some(0)).await.unwrap().diff.added, 20);
    for (to, from) in [(0, None), (4, None), (1, Some(4)), (1, Some(-1)), (i32::MIN, None)] {
        assert!(matches!(compare(to, from).await, Err(Error::NotFound(_))), "{to} from {from:?}");
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn versions_come_in_pages(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    for n in 1..=6 {
        saved(&acme.engine, &acme.member, &plan, body(n, &format!("{n}\n"))).await;
    }
    let page = |before: Option<String>, after: Option<String>| {
        versions(&acme.engine, &acme.viewer, plan.id, Paging { limit: Some(3), before, after })
    };
    let numbers = |page: &wire::page::Page<wire::version::Version>| {
        page.items.iter().map(|version| version.version).collect::<Vec<_>>()
    };
    let first = page(None, None).await.unwrap();
    assert_eq!((numbers(&first), first.after.is_some()), (vec![7, 6, 5], false));
    let second = page(first.before, None).await.unwrap();
    assert_eq!(numbers(&second), [4, 3, 2]);
    let third = page(second.before, None).await.unwrap();
    assert_eq!((numbers(&third), third.before.is_some()), (vec![1], false));
    assert_eq!(numbers(&page(None, third.after).await.unwrap()), [4, 3, 2]);
    assert!(matches!(page(Some("nonsense".into()), None).await, Err(Error::Invalid { code: "cursor", .. })));
}

#[sqlx::test(migrations = "./migrations")]
async fn versions_never_change_in_the_database_either(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    for text in [
        "update versions set body = ''",
        "delete from versions",
        "truncate versions",
        &format!(
            "insert into versions (record_id, version, title, status, body, edit_source, author_id, added, removed, created_at)
             values ('{}', 3, 't', 'draft', '', 'human', '{}', 0, 0, now())",
            plan.id, acme.member.person_id
        ),
    ] {
        assert!(sql(&acme.engine, text).await.is_err(), "{text}");
    }
    assert_eq!(version(&acme.engine, &acme.viewer, plan.id, 1).await.unwrap().body, ten());
}
