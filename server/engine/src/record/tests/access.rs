//! Every command on records, projects and the audit log: as each role, and as somebody of another organisation.

use sqlx::postgres::PgPool;
use uuid::Uuid;
use wire::access::Scope;
use wire::audit::AuditFilter;
use wire::page::Paging;
use wire::record::{NewProject, NewRecord, Record, RecordFilter, RecordKind};
use wire::version::{DecideProposal, Decision, ProposalKind, Restore, Revert};

use super::body;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::record::{self, Content};
use crate::store::proposal::NewProposalRow;
use crate::testing::{Acme, person, rows};
use crate::{audit, project, store};

/// Records that every command has something to do with.
struct Ground {
    project_id: Uuid,
    project_slug: String,
    initiative: Record,
    plan: Record,
    proposal_id: Uuid,
}

async fn ground(acme: &Acme) -> Ground {
    let initiative = acme.record(RecordKind::Initiative, "Ground", None, "").await;
    let plan = acme.record(RecordKind::Plan, "Ground", Some(&initiative), "one\n").await;
    let proposal_id = acme.engine.id();
    let content = Content { title: "Ground".into(), status: "draft".into(), severity: None, body: "proposed\n".into() };
    let mut tx = acme.engine.begin().await.unwrap();
    let row = NewProposalRow {
        id: proposal_id,
        record_id: plan.id,
        person_id: acme.member.person_id,
        agent: None,
        base_version: 1,
        kind: ProposalKind::Proposed,
        content: &content,
    };
    let now = tx.now();
    store::proposal::insert(&mut tx, &row, now).await.unwrap();
    tx.commit().await.unwrap();
    Ground { project_id: acme.project.id, project_slug: acme.project.slug.clone(), initiative, plan, proposal_id }
}

/// Every command with an id of the ground in it, and the scope that it needs.
async fn all(acme: &Acme, actor: &Actor, ground: &Ground) -> Vec<(&'static str, Scope, Result<()>)> {
    let engine = &acme.engine;
    let new =
        |kind, parent_id| NewRecord { kind, title: "New".into(), body: None, status: None, parent_id, severity: None };
    let (plan, initiative) = (ground.plan.id, ground.initiative.id);
    let (read, plans) = (Scope::RecordsRead, Scope::PlansManage);
    let mut done = Vec::new();
    let filter = RecordFilter::default;
    let paging = Paging::default;
    done.push(("project get", read, project::get(engine, actor, ground.project_id).await.map(drop)));
    done.push(("project by slug", read, project::by_slug(engine, actor, &ground.project_slug).await.map(drop)));
    done.push(("overview", read, project::overview(engine, actor, &ground.project_slug).await.map(drop)));
    done.push(("list", read, record::list(engine, actor, ground.project_id, filter(), paging()).await.map(drop)));
    done.push(("get", read, record::get(engine, actor, plan).await.map(drop)));
    let page = record::page(engine, actor, &ground.project_slug, RecordKind::Plan, &ground.plan.slug).await;
    done.push(("page", read, page.map(drop)));
    done.push(("versions", read, record::versions(engine, actor, plan, paging()).await.map(drop)));
    done.push(("version", read, record::version(engine, actor, plan, 1).await.map(drop)));
    done.push(("diff", read, record::diff(engine, actor, plan, 1, None).await.map(drop)));
    done.push(("proposals", read, record::proposals(engine, actor, plan).await.map(drop)));
    let create = record::create(engine, actor, ground.project_id, new(RecordKind::Initiative, None)).await;
    done.push(("create initiative", Scope::InitiativesManage, create.map(drop)));
    let create = record::create(engine, actor, ground.project_id, new(RecordKind::Plan, Some(initiative))).await;
    done.push(("create plan", plans, create.map(drop)));
    let create = record::create(engine, actor, ground.project_id, new(RecordKind::Bug, Some(plan))).await;
    done.push(("create bug", Scope::BugsManage, create.map(drop)));
    let newest = record::get(engine, &acme.owner, plan).await.unwrap().version;
    done.push(("save", plans, record::save(engine, actor, plan, body(newest, "saved\n")).await.map(drop)));
    done.push(("restore", plans, record::restore(engine, actor, plan, Restore { version: 1 }).await.map(drop)));
    let undo = Revert { version: 1, hunks: None };
    done.push(("revert", plans, record::revert(engine, actor, plan, undo).await.map(drop)));
    let refuse = DecideProposal { decision: Decision::Refuse, body: None, base_version: None };
    done.push(("decide", plans, record::decide(engine, actor, ground.proposal_id, refuse).await.map(drop)));
    done
}

#[sqlx::test(migrations = "./migrations")]
async fn each_role_may_do_what_its_scopes_say(pool: PgPool) {
    let acme = Acme::on(pool).await;
    for actor in acme.people() {
        let ground = ground(&acme).await;
        let mut done = all(&acme, actor, &ground).await;
        done.push(("jump", Scope::RecordsRead, record::jump(&acme.engine, actor, "ground").await.map(drop)));
        done.push(("projects", Scope::RecordsRead, project::list(&acme.engine, actor).await.map(drop)));
        done.push(("people", Scope::RecordsRead, crate::person::people(&acme.engine, actor).await.map(drop)));
        let new = NewProject { name: "Another".into(), description: None };
        done.push(("new project", Scope::InitiativesManage, project::create(&acme.engine, actor, new).await.map(drop)));
        let log = audit::list(&acme.engine, actor, AuditFilter::default(), Paging::default()).await.map(drop);
        done.push(("audit", Scope::MembersManage, log));
        let export = audit::export(&acme.engine, actor, AuditFilter::default()).await.map(drop);
        done.push(("export", Scope::MembersManage, export));
        for (what, scope, outcome) in done {
            if actor.role.scopes().contains(&scope) {
                assert!(outcome.is_ok(), "{what} as {:?}: {outcome:?}", actor.role);
            } else {
                assert!(
                    matches!(outcome, Err(Error::Forbidden(missing)) if missing == scope),
                    "{what} as {:?}: {outcome:?}",
                    actor.role
                );
            }
        }
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn what_is_another_organisations_is_not_found(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let ground = ground(&acme).await;
    let stranger = acme.stranger().await;
    let own =
        project::create(&acme.engine, &stranger, NewProject { name: "Own".into(), description: None }).await.unwrap();
    let counted = ["records", "versions", "proposals", "projects", "notices", "audit"]
        .map(|table| format!("select from {table}"));
    let count = || async {
        let mut counts = Vec::new();
        for text in &counted {
            counts.push(rows(&acme.engine, text).await);
        }
        counts
    };
    // a viewer of theirs must not learn more than their owner does
    let viewer = person(&acme.engine, "Elsewhere", wire::access::Role::Viewer).await;
    let before = count().await;
    for actor in [&stranger, &viewer] {
        for (what, _, outcome) in all(&acme, actor, &ground).await {
            assert!(matches!(outcome, Err(Error::NotFound(_))), "{what}: {outcome:?}");
        }
    }
    // ids of others inside a body and inside a filter
    let new = NewRecord {
        kind: RecordKind::Plan,
        title: "New".into(),
        body: None,
        status: None,
        parent_id: Some(ground.initiative.id),
        severity: None,
    };
    let under_theirs = record::create(&acme.engine, &stranger, own.id, new.clone()).await;
    assert!(matches!(under_theirs, Err(Error::NotFound(_))), "{under_theirs:?}");
    let into_theirs = record::create(&acme.engine, &stranger, ground.project_id, new).await;
    assert!(matches!(into_theirs, Err(Error::NotFound(_))), "{into_theirs:?}");
    let filter = RecordFilter { parent: Some(ground.initiative.id), ..RecordFilter::default() };
    let listed = record::list(&acme.engine, &stranger, own.id, filter, Paging::default()).await;
    assert!(matches!(listed, Err(Error::NotFound(_))), "{listed:?}");
    // lists hold their own only
    assert_eq!(project::list(&acme.engine, &stranger).await.unwrap(), [own]);
    assert_eq!(record::jump(&acme.engine, &stranger, "ground").await.unwrap(), []);
    let people = crate::person::people(&acme.engine, &stranger).await.unwrap();
    assert_eq!(people.len(), 2);
    let log = audit::list(&acme.engine, &stranger, AuditFilter::default(), Paging::default()).await.unwrap();
    assert!(log.items.iter().all(|row| row.action == "project.created"), "{log:?}");
    let filter = AuditFilter { subject: Some(ground.plan.id), ..AuditFilter::default() };
    assert_eq!(audit::list(&acme.engine, &stranger, filter, Paging::default()).await.unwrap().items, []);
    assert_eq!(count().await, before);
}

#[sqlx::test(migrations = "./migrations")]
async fn ids_that_are_nobodys_are_not_found(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let mut ground = ground(&acme).await;
    let real = ground.plan.id;
    ground.project_id = Uuid::max();
    ground.project_slug = "nowhere".into();
    ground.proposal_id = Uuid::nil();
    for (what, _, outcome) in all(&acme, &acme.owner, &ground).await {
        let of_project = matches!(what, "project get" | "project by slug" | "overview" | "list" | "page" | "decide")
            || what.starts_with("create");
        assert_eq!(matches!(outcome, Err(Error::NotFound(_))), of_project, "{what}: {outcome:?}");
    }
    assert!(record::get(&acme.engine, &acme.owner, real).await.is_ok());
    assert!(matches!(record::get(&acme.engine, &acme.owner, Uuid::nil()).await, Err(Error::NotFound(_))));
}
