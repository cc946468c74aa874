use sqlx::postgres::PgPool;
use wire::chat::NewChat;
use wire::page::{Page, Paging};
use wire::record::{NewProject, Record, RecordFilter, RecordKind, SaveRecord};

use super::{body, saved};
use crate::Error;
use crate::record::{jump, list, page};
use crate::testing::Acme;

#[sqlx::test(migrations = "./migrations")]
async fn a_records_page_knows_what_is_above_and_beneath(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let initiative = acme.record(RecordKind::Initiative, "Exports", None, "").await;
    let plan = acme.record(RecordKind::Plan, "Button", Some(&initiative), "").await;
    let other = acme.record(RecordKind::Plan, "Endpoint", Some(&initiative), "").await;
    let bug = acme.record(RecordKind::Bug, "Umlauts", Some(&plan), "").await;
    let shown = |kind, slug: &'static str| {
        let acme = &acme;
        async move { page(&acme.engine, &acme.viewer, "reporting", kind, slug).await.unwrap() }
    };
    let ids = |lines: &[wire::record::RecordLine]| lines.iter().map(|line| line.id).collect::<Vec<_>>();
    let top = shown(RecordKind::Initiative, "exports").await;
    assert_eq!(
        (ids(&top.ancestors), ids(&top.children), ids(&top.bugs)),
        (vec![], vec![plan.id, other.id], vec![bug.id])
    );
    let middle = shown(RecordKind::Plan, "button").await;
    assert_eq!(
        (ids(&middle.ancestors), ids(&middle.children), ids(&middle.bugs)),
        (vec![initiative.id], vec![bug.id], vec![bug.id])
    );
    let low = shown(RecordKind::Bug, "umlauts").await;
    assert_eq!((ids(&low.ancestors), low.children.len(), low.versions), (vec![initiative.id, plan.id], 0, 1));
    assert_eq!(low.project, acme.project);
    for (project, kind, slug) in [
        ("reporting", RecordKind::Plan, "umlauts"),
        ("nowhere", RecordKind::Plan, "button"),
        ("a\0", RecordKind::Plan, "button"),
        ("reporting", RecordKind::Plan, "a\0"),
    ] {
        let missing = page(&acme.engine, &acme.viewer, project, kind, slug).await;
        assert!(matches!(missing, Err(Error::NotFound(_))), "{project} {slug}");
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn the_board_counts_plans_by_status(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let first = acme.record(RecordKind::Initiative, "First", None, "").await;
    let second = acme.record(RecordKind::Initiative, "Second", None, "").await;
    let to = |status: &str| SaveRecord {
        base_version: 1,
        title: None,
        status: Some(status.into()),
        body: None,
        severity: None,
    };
    saved(&acme.engine, &acme.member, &first, to("active")).await;
    for title in ["A", "B", "C"] {
        acme.record(RecordKind::Plan, title, Some(&first), "").await;
    }
    let ready = acme.record(RecordKind::Plan, "D", Some(&first), "").await;
    saved(&acme.engine, &acme.member, &ready, to("ready")).await;
    let bug = acme.record(RecordKind::Bug, "Bug", Some(&ready), "").await;
    let overview = crate::project::overview(&acme.engine, &acme.viewer, "reporting").await.unwrap();
    let board: Vec<_> = overview.board.iter().map(|card| (card.record.id, card.plans.clone())).collect();
    let counts = vec![("draft".to_owned(), 3), ("ready".to_owned(), 1)];
    assert_eq!(board, [(second.id, vec![]), (first.id, counts)]);
    assert_eq!((overview.plans.len(), overview.bugs.len(), overview.bugs[0].id), (4, 1, bug.id));
}

#[sqlx::test(migrations = "./migrations")]
async fn lists_filter_search_and_page(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let initiative = acme.record(RecordKind::Initiative, "Exports", None, "All about spreadsheets").await;
    let mut plans = Vec::new();
    for n in 1..=5 {
        acme.clock.advance(time::Duration::MINUTE);
        plans
            .push(acme.record(RecordKind::Plan, &format!("Plan {n}"), Some(&initiative), "A button in İstanbul").await);
    }
    let all = |filter: RecordFilter, paging: Paging| list(&acme.engine, &acme.viewer, acme.project.id, filter, paging);
    let ids = |page: &Page<Record>| page.items.iter().map(|record| record.id).collect::<Vec<_>>();
    let of = |q: &str| RecordFilter { q: Some(q.to_owned()), ..RecordFilter::default() };
    for (filter, found) in [
        (RecordFilter::default(), 6),
        (RecordFilter { kind: Some(RecordKind::Plan), ..RecordFilter::default() }, 5),
        (RecordFilter { status: Some("draft".into()), ..RecordFilter::default() }, 6),
        (RecordFilter { status: Some("ready".into()), ..RecordFilter::default() }, 0),
        (RecordFilter { parent: Some(initiative.id), ..RecordFilter::default() }, 5),
        (of("spreadsheets"), 1),
        (of("SPREAD"), 1),
        (of("plan button"), 5),
        (of("\"plan 3\""), 1),
        (of("plan -button"), 0),
        (of("İstanbul"), 5),
        (of("!!! :* & |"), 0),
        (of("  "), 6),
        (of("qq\0zz"), 0),
    ] {
        let shown = format!("{filter:?}");
        assert_eq!(all(filter, Paging::default()).await.unwrap().items.len(), found, "{shown}");
    }
    let two = |before: Option<String>, after: Option<String>| {
        let filter = RecordFilter { kind: Some(RecordKind::Plan), ..RecordFilter::default() };
        all(filter, Paging { limit: Some(2), before, after })
    };
    let first = two(None, None).await.unwrap();
    assert_eq!(ids(&first), [plans[4].id, plans[3].id]);
    // a record that moves to the front meanwhile shifts nothing
    acme.clock.advance(time::Duration::MINUTE);
    saved(&acme.engine, &acme.member, &plans[4], body(1, "changed\n")).await;
    let second = two(first.before, None).await.unwrap();
    assert_eq!(ids(&second), [plans[2].id, plans[1].id]);
    let third = two(second.before.clone(), None).await.unwrap();
    assert_eq!((ids(&third), third.before), (vec![plans[0].id], None));
    let back = two(None, second.after).await.unwrap();
    assert_eq!((ids(&back), back.after), (vec![plans[4].id, plans[3].id], None));
    assert!(matches!(two(Some("%".into()), None).await, Err(Error::Invalid { code: "cursor", .. })));
    let unknown = RecordFilter { status: Some("finished".into()), ..RecordFilter::default() };
    assert!(matches!(all(unknown, Paging::default()).await, Err(Error::Invalid { code: "status", .. })));
    assert_eq!(
        all(RecordFilter::default(), Paging { limit: Some(-5), ..Paging::default() }).await.unwrap().items.len(),
        1
    );
}

#[sqlx::test(migrations = "./migrations")]
async fn the_palette_jumps_to_what_one_may_see(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let initiative = acme.record(RecordKind::Initiative, "CSV export", None, "").await;
    let plan = acme.record(RecordKind::Plan, "Download button", Some(&initiative), "as CSV").await;
    acme.record(RecordKind::Bug, "Exports of CSV have no umlauts", Some(&plan), "").await;
    let chat = |name: &str, record_id| NewChat { name: Some(name.to_owned()), record_id, ..NewChat::default() };
    let mine = crate::chat::create(&acme.engine, &acme.member, acme.project.id, chat("csv talk", Some(plan.id)))
        .await
        .unwrap();
    crate::chat::create(&acme.engine, &acme.lead, acme.project.id, chat("csv secret", None)).await.unwrap();
    let stranger = acme.stranger().await;
    let new = NewProject { name: "CSV elsewhere".into(), description: None };
    crate::project::create(&acme.engine, &stranger, new).await.unwrap();

    let hits = jump(&acme.engine, &acme.member, "csv").await.unwrap();
    let lines: Vec<(&str, &str, &str)> =
        hits.iter().map(|hit| (hit.kind.as_str(), hit.title.as_str(), hit.context.as_str())).collect();
    assert_eq!(hits.len(), 4, "{lines:?}");
    // those that begin with it, then those that have it in the title, then the others
    assert!(lines[..2].contains(&("initiative", "CSV export", "Reporting")), "{lines:?}");
    assert!(lines[..2].contains(&("chat", "csv talk", "Reporting · Download button")), "{lines:?}");
    assert_eq!(lines[2], ("bug", "Exports of CSV have no umlauts", "Reporting · Download button"));
    assert_eq!(lines[3], ("plan", "Download button", "Reporting · CSV export"));
    assert_eq!(hits[3].href, "/p/reporting/plans/download-button");
    let talk = hits.iter().find(|hit| hit.kind == "chat").unwrap();
    assert_eq!(talk.href, format!("/p/reporting/plans/download-button?chat={}", mine.id));

    let projects = jump(&acme.engine, &acme.viewer, "repo").await.unwrap();
    assert_eq!((projects.len(), projects[0].kind.as_str(), projects[0].href.as_str()), (1, "project", "/p/reporting"));
    assert_eq!(jump(&acme.engine, &acme.viewer, "umlaut csv").await.unwrap().len(), 1);
    assert_eq!(jump(&acme.engine, &acme.viewer, "?!").await.unwrap(), []);
    assert_eq!(jump(&acme.engine, &acme.viewer, "").await.unwrap().len(), 4);
    for n in 0..25 {
        acme.record(RecordKind::Initiative, &format!("Many {n}"), None, "").await;
    }
    assert_eq!(jump(&acme.engine, &acme.viewer, "many").await.unwrap().len(), 20);
}
