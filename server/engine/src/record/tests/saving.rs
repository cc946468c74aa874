use sqlx::postgres::PgPool;
use wire::page::Paging;
use wire::record::{NewRecord, RecordKind, SaveRecord};
use wire::version::EditSource;

use super::{body, conflict, plan, saved, ten};
use crate::Error;
use crate::record::{create, get, save, versions};
use crate::testing::{Acme, rows};

fn named(kind: RecordKind, title: &str) -> NewRecord {
    NewRecord { kind, title: title.to_owned(), body: None, status: None, parent_id: None, severity: None }
}

#[sqlx::test(migrations = "./migrations")]
async fn a_new_record_has_its_first_version(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    assert_eq!((plan.version, plan.status.as_str(), plan.slug.as_str()), (1, "draft", "csv-download-button"));
    assert_eq!(plan.owner.id, acme.member.person_id);
    assert_eq!(get(&acme.engine, &acme.viewer, plan.id).await.unwrap(), plan);
    let all = versions(&acme.engine, &acme.viewer, plan.id, Paging::default()).await.unwrap().items;
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].edit_source, all[0].added, all[0].removed), (EditSource::Human, 20, 0));
    let audited = format!(
        "select from audit where action = 'record.created' and subject_id = '{}' and person_id = '{}' and before_version is null and after_version = 1 and address = '192.0.2.7'",
        plan.id, acme.member.person_id
    );
    assert_eq!(rows(&acme.engine, &audited).await, 1);
    let noticed = format!(
        "select from notices where topic = 'record' and kind = 'created' and record_id = '{}' and project_id = '{}'",
        plan.id, plan.project_id
    );
    assert_eq!(rows(&acme.engine, &noticed).await, 1);
}

#[sqlx::test(migrations = "./migrations")]
async fn a_save_appends_a_version_with_its_audit_row_and_notice(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let change = SaveRecord { title: Some(" Better ".into()), status: Some("ready".into()), ..body(1, "one\n") };
    let done = saved(&acme.engine, &acme.lead, &plan, change).await;
    assert!(!done.merged);
    let record = &done.record;
    assert_eq!(
        (record.version, record.title.as_str(), record.status.as_str(), record.body.as_str()),
        (2, "Better", "ready", "one\n")
    );
    // the address of a page stays when the title changes
    assert_eq!(record.slug, plan.slug);
    assert_eq!(get(&acme.engine, &acme.viewer, plan.id).await.unwrap(), done.record);
    let newest = versions(&acme.engine, &acme.viewer, plan.id, Paging::default()).await.unwrap().items.remove(0);
    assert_eq!((newest.version, newest.added, newest.removed, newest.author.id), (2, 1, 20, acme.lead.person_id));
    let audited = format!(
        "select from audit where action = 'record.saved' and subject_id = '{}' and before_version = 1 and after_version = 2 and edit_source = 'human' and agent_id is null",
        plan.id
    );
    assert_eq!(rows(&acme.engine, &audited).await, 1);
    assert_eq!(
        rows(&acme.engine, &format!("select from notices where kind = 'saved' and record_id = '{}'", plan.id)).await,
        1
    );
}

#[sqlx::test(migrations = "./migrations")]
async fn an_unchanged_save_makes_no_version(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    for change in [
        body(1, &ten()),
        SaveRecord { base_version: 1, title: None, status: None, body: None, severity: None },
        SaveRecord {
            base_version: 1,
            title: Some(plan.title.clone()),
            status: Some("draft".into()),
            body: None,
            severity: None,
        },
    ] {
        let done = saved(&acme.engine, &acme.member, &plan, change).await;
        assert_eq!((done.record, done.merged), (plan.clone(), false));
    }
    assert_eq!(rows(&acme.engine, &format!("select from versions where record_id = '{}'", plan.id)).await, 1);
    assert_eq!(rows(&acme.engine, "select from audit where action = 'record.saved'").await, 0);
}

#[sqlx::test(migrations = "./migrations")]
async fn what_others_saved_meanwhile_is_merged_in(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    saved(&acme.engine, &acme.lead, &plan, body(1, &ten().replace("line 2", "LINE 2"))).await;
    let mine = SaveRecord { title: Some("Mine".into()), ..body(1, &ten().replace("line 9", "LINE 9")) };
    let done = saved(&acme.engine, &acme.member, &plan, mine.clone()).await;
    assert!(done.merged);
    assert_eq!((done.record.version, done.record.title.as_str()), (3, "Mine"));
    assert_eq!(done.record.body, ten().replace("line 2", "LINE 2").replace("line 9", "LINE 9"));
    // a client that did not hear the answer sends the same again: all of it is there
    let again = saved(&acme.engine, &acme.member, &plan, mine).await;
    assert_eq!((again.record.version, again.merged), (3, false));
}

#[sqlx::test(migrations = "./migrations")]
async fn a_conflict_shows_all_sides_and_writes_nothing(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let theirs = ten().replace("line 5", "THEIRS");
    let mine = ten().replace("line 5", "MINE");
    saved(&acme.engine, &acme.lead, &plan, body(1, &theirs)).await;
    let found = conflict(&acme.engine, &acme.member, &plan, body(1, &mine)).await;
    assert_eq!((&found.base.body, &found.current.body, &found.yours.body), (&ten(), &theirs, &mine));
    assert_eq!(found.current_version, 2);
    assert!(
        found.merged_text.contains("<<<<<<< current\nTHEIRS\n=======\nMINE\n>>>>>>> yours\n"),
        "{}",
        found.merged_text
    );
    assert_eq!(get(&acme.engine, &acme.member, plan.id).await.unwrap().version, 2);
    // marks that were left in are no finished merge
    let unfinished = save(&acme.engine, &acme.member, plan.id, body(2, &found.merged_text)).await;
    assert!(matches!(unfinished, Err(Error::Invalid { code: "conflict_marks", .. })));
    let finished = saved(&acme.engine, &acme.member, &plan, body(2, &ten().replace("line 5", "BOTH"))).await;
    assert_eq!(finished.record.version, 3);
}

#[sqlx::test(migrations = "./migrations")]
async fn two_different_statuses_are_a_conflict(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let initiative = acme.record(RecordKind::Initiative, "Exports", None, "").await;
    let to = |base_version, status: &str| SaveRecord {
        base_version,
        title: None,
        status: Some(status.into()),
        body: None,
        severity: None,
    };
    saved(&acme.engine, &acme.lead, &initiative, to(1, "active")).await;
    saved(&acme.engine, &acme.lead, &initiative, to(2, "done")).await;
    let found = conflict(&acme.engine, &acme.member, &initiative, to(2, "archived")).await;
    assert_eq!(
        (found.base.status.as_str(), found.current.status.as_str(), found.yours.status.as_str()),
        ("active", "done", "archived")
    );
}

#[sqlx::test(migrations = "./migrations")]
async fn twenty_saves_at_once_leave_no_gap_and_lose_no_line(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let lines: String = (0..20).map(|n| format!("line {n}.\n\n\n")).collect();
    let plan = acme.plan(&lines).await;
    let all = (0..20).map(|n| {
        let change = body(1, &lines.replace(&format!("line {n}.\n"), &format!("line {n} is done.\n")));
        save(&acme.engine, &acme.member, plan.id, change)
    });
    for outcome in futures::future::join_all(all).await {
        assert!(matches!(outcome, Ok(crate::record::SaveOutcome::Saved(_))), "{outcome:?}");
    }
    let now = get(&acme.engine, &acme.member, plan.id).await.unwrap();
    assert_eq!(now.version, 21);
    for n in 0..20 {
        assert!(now.body.contains(&format!("line {n} is done.\n")), "line {n} is lost: {}", now.body);
    }
    let numbers: Vec<i32> = versions(&acme.engine, &acme.member, plan.id, Paging::default())
        .await
        .unwrap()
        .items
        .iter()
        .map(|version| version.version)
        .collect();
    assert_eq!(numbers, (1..=21).rev().collect::<Vec<_>>());
}

#[sqlx::test(migrations = "./migrations")]
async fn what_cannot_be_saved_is_refused_with_its_code(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let code = |change: SaveRecord| async {
        let refusal = save(&acme.engine, &acme.member, plan.id, change).await.unwrap_err();
        assert!((400..500).contains(&refusal.status()), "{refusal:?}");
        refusal.code()
    };
    let as_is = SaveRecord { base_version: 1, title: None, status: None, body: None, severity: None };
    for base_version in [0, -1, 2, i32::MAX, i32::MIN] {
        assert_eq!(code(SaveRecord { base_version, ..as_is.clone() }).await, "base_version");
    }
    assert_eq!(code(SaveRecord { title: Some(" ".into()), ..as_is.clone() }).await, "title");
    assert_eq!(code(SaveRecord { title: Some("x".repeat(201)), ..as_is.clone() }).await, "title");
    assert_eq!(code(SaveRecord { status: Some("finished".into()), ..as_is.clone() }).await, "status");
    assert_eq!(code(SaveRecord { status: Some("in review".into()), ..as_is.clone() }).await, "status_step");
    assert_eq!(code(SaveRecord { severity: Some("low".into()), ..as_is.clone() }).await, "severity");
    assert_eq!(code(SaveRecord { body: Some("x".repeat(1024 * 1024 + 1)), ..as_is }).await, "too_large");
    assert_eq!(get(&acme.engine, &acme.member, plan.id).await.unwrap(), plan);
}

#[sqlx::test(migrations = "./migrations")]
async fn parents_are_of_the_right_kind_and_of_the_same_project(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let other = crate::project::create(
        &acme.engine,
        &acme.owner,
        wire::record::NewProject { name: "Other".into(), description: None },
    )
    .await
    .unwrap();
    let elsewhere = create(&acme.engine, &acme.member, other.id, named(RecordKind::Initiative, "There")).await.unwrap();
    for (kind, parent_id, code) in [
        (RecordKind::Initiative, Some(plan.id), "parent"),
        (RecordKind::Plan, None, "parent"),
        (RecordKind::Plan, Some(plan.id), "parent"),
        (RecordKind::Plan, Some(elsewhere.id), "parent"),
        (RecordKind::Bug, plan.parent_id, "parent"),
        (RecordKind::Bug, None, "parent"),
        (RecordKind::Bug, Some(acme.engine.id()), "not_found"),
    ] {
        let new = NewRecord { parent_id, ..named(kind, "New") };
        let refusal = create(&acme.engine, &acme.member, acme.project.id, new).await.unwrap_err();
        assert_eq!(refusal.code(), code, "{kind:?} under {parent_id:?}");
    }
    let bug = NewRecord { parent_id: Some(plan.id), ..named(RecordKind::Bug, "Umlauts") };
    let bug = create(&acme.engine, &acme.member, acme.project.id, bug).await.unwrap();
    assert_eq!((bug.severity.as_deref(), bug.status.as_str()), (Some("medium"), "open"));
    let worse =
        SaveRecord { base_version: 1, title: None, status: None, body: None, severity: Some("critical".into()) };
    let done = saved(&acme.engine, &acme.member, &bug, worse).await;
    assert_eq!((done.record.version, done.record.severity.as_deref()), (2, Some("critical")));
    let newest = versions(&acme.engine, &acme.member, bug.id, Paging::default()).await.unwrap().items.remove(0);
    assert_eq!(newest.severity.as_deref(), Some("critical"));
}

#[sqlx::test(migrations = "./migrations")]
async fn any_title_gets_an_address_of_its_own(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let make = |title: &str| {
        let new = named(RecordKind::Initiative, title);
        let acme = &acme;
        async move { create(&acme.engine, &acme.member, acme.project.id, new).await }
    };
    for (title, slug) in [
        ("İstanbul ışık", "istanbul-isik"),
        ("中文", "initiative"),
        ("🇺🇸", "initiative-2"),
        ("👨‍👩‍👧‍👦 family", "family"),
        ("कि", "initiative-3"),
        ("Größe", "grosse"),
        ("a\0b", "a-b"),
    ] {
        let made = make(title).await.unwrap();
        assert_eq!(made.slug, slug, "{title}");
        assert_eq!(made.title, title.replace('\0', "\u{fffd}"));
        let page = crate::record::page(&acme.engine, &acme.viewer, "reporting", RecordKind::Initiative, slug).await;
        assert_eq!(page.unwrap().record.id, made.id);
    }
    // many at once with one title: each is made
    let made = futures::future::join_all((0..12).map(|_| make("The same"))).await;
    let mut slugs: Vec<String> = made.into_iter().map(|made| made.unwrap().slug).collect();
    slugs.sort();
    slugs.dedup();
    assert_eq!(slugs.len(), 12, "{slugs:?}");
    let title = acme.record(RecordKind::Initiative, &"👍🏽".repeat(100), None, "").await.title;
    assert_eq!(title.chars().count(), 200);
}

#[sqlx::test(migrations = "./migrations")]
async fn nul_is_shown_and_stored_as_a_mark(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let done = saved(&acme.engine, &acme.member, &plan, body(1, "a\0b\u{fffe}\u{202e}\r\n")).await;
    assert_eq!(done.record.body, "a\u{fffd}b\u{fffe}\u{202e}\r\n");
    assert_eq!(get(&acme.engine, &acme.member, plan.id).await.unwrap().body, done.record.body);
    // the same text once more is the same text
    let again = saved(&acme.engine, &acme.member, &plan, body(2, "a\0b\u{fffe}\u{202e}\r\n")).await;
    assert_eq!(again.record.version, 2);
}

#[sqlx::test(migrations = "./migrations")]
async fn no_text_is_too_much_for_the_search(pool: PgPool) {
    let acme = Acme::on(pool).await;
    // words of rare letters with hyphens, all different: the most that an index can be asked to hold
    let letter = |n: u32| char::from_u32(0x2_0000 + n % 40_000).unwrap();
    let words = (0..47_000).map(|n| format!("{}{}-{} ", letter(n), letter(n * 7), letter(n * 13)));
    let text: String = words.collect();
    assert!(text.len() <= 1024 * 1024 && text.chars().count() > 200_000);
    let made = acme.record(RecordKind::Initiative, "Rare", None, &text).await;
    assert_eq!(made.body, text);
    // 1 MiB on one line, and in a million lines
    acme.record(RecordKind::Initiative, "Long", None, &"x".repeat(1024 * 1024)).await;
    let lines = acme.record(RecordKind::Initiative, "Lines", None, &"\n".repeat(1024 * 1024)).await;
    let done = saved(&acme.engine, &acme.member, &lines, body(1, &"a\n".repeat(512 * 1024))).await;
    assert_eq!(done.record.version, 2);
}
