use futures::TryStreamExt as _;
use sqlx::postgres::PgPool;
use time::Duration;
use uuid::Uuid;
use wire::audit::{AuditFilter, AuditRow};
use wire::chat::{NewChat, SendMessage};
use wire::page::Paging;
use wire::record::RecordKind;
use wire::version::EditSource;

use super::{export, list};
use crate::Error;
use crate::record::{AgentHand, Content, Hand, amend};
use crate::store::audit::Entry;
use crate::testing::{Acme, rows, sql};

async fn all(acme: &Acme, filter: AuditFilter) -> Vec<AuditRow> {
    list(&acme.engine, &acme.admin, filter, Paging { limit: Some(200), ..Paging::default() }).await.unwrap().items
}

#[sqlx::test(migrations = "./migrations")]
async fn the_filter_for_ai_finds_exactly_what_agents_did(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan("one\n").await;
    let chat = NewChat { record_id: Some(plan.id), ..NewChat::default() };
    let chat = crate::chat::create(&acme.engine, &acme.member, acme.project.id, chat).await.unwrap();
    let send = SendMessage { client_id: "one".into(), text: "Go".into(), ..SendMessage::default() };
    let turn = crate::chat::send(&acme.engine, &acme.member, chat.id, send).await.unwrap().turn.unwrap();
    let agent = Hand::Agent(AgentHand { agent_id: turn.agent_id, turn_id: turn.id, chat_id: chat.id });
    for (n, hand) in [(1, agent), (2, Hand::Person), (3, agent)] {
        let mut tx = acme.engine.begin().await.unwrap();
        let change = Box::new(move |base: &Content| Content { body: format!("{n}\n"), ..base.clone() });
        amend(&mut tx, &acme.member, plan.id, n, change, hand).await.unwrap();
        tx.commit().await.unwrap();
    }
    let ai = all(&acme, AuditFilter { ai: Some(true), ..AuditFilter::default() }).await;
    let versions: Vec<_> = ai.iter().map(|row| (row.before_version, row.after_version)).collect();
    assert_eq!(versions, [(Some(3), Some(4)), (Some(1), Some(2))]);
    for row in &ai {
        assert_eq!((row.agent.as_ref().unwrap().name.as_str(), row.turn_id), ("Planner", Some(turn.id)));
        assert_eq!((row.actor.as_ref().unwrap().id, row.edit_source), (acme.member.person_id, Some(EditSource::Ai)));
        assert_eq!(
            (row.subject.name.as_str(), row.subject.href.as_deref()),
            ("CSV download button", Some("/p/reporting/plans/csv-download-button"))
        );
    }
    let rest = all(&acme, AuditFilter { ai: Some(false), ..AuditFilter::default() }).await;
    assert!(rest.iter().all(|row| row.agent.is_none()));
    assert_eq!(rest.len() + ai.len(), rows(&acme.engine, "select from audit").await);
}

#[sqlx::test(migrations = "./migrations")]
async fn each_filter_finds_its_rows(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let start = acme.engine.now();
    let plan = acme.plan("one\n").await;
    acme.clock.advance(Duration::HOUR);
    let save = wire::record::SaveRecord {
        base_version: 1,
        title: None,
        status: None,
        body: Some("two\n".into()),
        severity: None,
    };
    crate::record::save(&acme.engine, &acme.lead, plan.id, save).await.unwrap();
    let none = AuditFilter::default;
    for (filter, found) in [
        (AuditFilter { person: Some(acme.lead.person_id), ..none() }, 1),
        (AuditFilter { person: Some(Uuid::nil()), ..none() }, 0),
        (AuditFilter { subject: Some(plan.id), ..none() }, 2),
        (AuditFilter { action: Some("record".into()), ..none() }, 3),
        (AuditFilter { action: Some(" record.saved ".into()), ..none() }, 1),
        (AuditFilter { action: Some("rec".into()), ..none() }, 0),
        (AuditFilter { action: Some("%".into()), ..none() }, 0),
        (AuditFilter { action: Some("a\0".into()), ..none() }, 0),
        (AuditFilter { action: Some(String::new()), ..none() }, 4),
        (AuditFilter { since: Some(start + Duration::HOUR), ..none() }, 1),
        (AuditFilter { until: Some(start + Duration::HOUR), ..none() }, 3),
        (AuditFilter { since: Some(start + Duration::HOUR), until: Some(start), ..none() }, 0),
    ] {
        let shown = format!("{filter:?}");
        assert_eq!(all(&acme, filter).await.len(), found, "{shown}");
    }
    let project = all(&acme, AuditFilter { subject: Some(acme.project.id), ..none() }).await.remove(0);
    assert_eq!((project.subject.name.as_str(), project.subject.href.as_deref()), ("Reporting", Some("/p/reporting")));
}

#[sqlx::test(migrations = "./migrations")]
async fn pages_and_the_export_hold_every_row_once(pool: PgPool) {
    let acme = Acme::on(pool).await;
    {
        let mut tx = acme.engine.begin().await.unwrap();
        for _ in 0..1_200 {
            tx.audit(&Entry::by(&acme.member, "test.done", "project", acme.project.id)).await.unwrap();
        }
        tx.commit().await.unwrap();
    }
    let filter = || AuditFilter { action: Some("test".into()), ..AuditFilter::default() };
    let stream = export(&acme.engine, &acme.admin, filter()).await.unwrap();
    let exported: Vec<i64> = stream.map_ok(|row| row.id).try_collect().await.unwrap();
    assert_eq!(exported.len(), 1_200);
    assert!(exported.is_sorted_by(|a, b| a > b));
    let mut paged = Vec::new();
    let mut paging = Paging { limit: Some(1_000), ..Paging::default() };
    loop {
        let page = list(&acme.engine, &acme.admin, filter(), paging).await.unwrap();
        assert!(page.items.len() <= 200);
        paged.extend(page.items.iter().map(|row| row.id));
        let Some(before) = page.before else { break };
        paging = Paging { limit: Some(1_000), before: Some(before), after: None };
    }
    assert_eq!(paged, exported);
    // and back towards the newest
    let page =
        list(&acme.engine, &acme.admin, filter(), Paging { limit: Some(10), ..Paging::default() }).await.unwrap();
    let older =
        list(&acme.engine, &acme.admin, filter(), Paging { limit: Some(10), before: page.before.clone(), after: None })
            .await
            .unwrap();
    let back = list(&acme.engine, &acme.admin, filter(), Paging { limit: Some(10), before: None, after: older.after })
        .await
        .unwrap();
    assert_eq!(back.items, page.items);
    let wrong =
        list(&acme.engine, &acme.admin, filter(), Paging { before: Some("?".into()), ..Paging::default() }).await;
    assert!(matches!(wrong, Err(Error::Invalid { code: "cursor", .. })));
}

#[sqlx::test(migrations = "./migrations")]
async fn rows_are_only_ever_added(pool: PgPool) {
    let acme = Acme::on(pool).await;
    acme.record(RecordKind::Initiative, "Exports", None, "").await;
    let before = rows(&acme.engine, "select from audit").await;
    for text in
        ["update audit set action = 'x'", "delete from audit", "truncate audit", "truncate organisations cascade"]
    {
        assert!(sql(&acme.engine, text).await.is_err(), "{text}");
    }
    assert_eq!(rows(&acme.engine, "select from audit where action <> 'x'").await, before);
}
