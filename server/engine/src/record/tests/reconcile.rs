//! What a turn's changes become in the database: versions, proposals, new records, refusals.

use crate::access::Actor;
use crate::record::{self, AgentHand, Content};
use crate::testing::{Acme, rows, sql};
use crate::workspace::{ChangeSet, ChangedFile, CreatedFile, DeletedFile, ParentOf, RefusedPath};
use sqlx::PgPool;
use uuid::Uuid;
use wire::access::Scope;
use wire::message::Changes;
use wire::record::{Record, RecordKind, SaveRecord};
use wire::version::{EditSource, ProposalKind, ProposalState};

const BODY: &str =
    "## Acceptance criteria\n\n1. A button\n2. Left of Filter\n3. Downlaod the CSV\n\n## Notes\n\nNone.\n";

/// A turn of an agent in a chat, as far as rows that name it need one.
async fn hand(acme: &Acme) -> AgentHand {
    let hand = AgentHand { agent_id: acme.engine.id(), turn_id: acme.engine.id(), chat_id: acme.engine.id() };
    let (organisation, person, project) = (acme.member.organisation_id, acme.member.person_id, acme.project.id);
    let AgentHand { agent_id, turn_id, chat_id } = hand;
    let text = format!(
        "insert into agents (id, organisation_id, slug, name, created_at) values ('{agent_id}', '{organisation}', '{agent_id}', 'Planner', now());
         insert into chats (id, organisation_id, project_id, owner_id, name, surface, kind, created_at, active_at)
         values ('{chat_id}', '{organisation}', '{project}', '{person}', '{chat_id}', 'planning', 'chat', now(), now());
         insert into turns (id, organisation_id, chat_id, message_id, agent_id, person_id, state, cause, runtime, model, scopes, queued_at)
         values ('{turn_id}', '{organisation}', '{chat_id}', '{turn_id}', '{agent_id}', '{person}', 'running', 'person', 'demo', 'demo', '{{}}', now());"
    );
    sql(&acme.engine, &text).await.unwrap();
    hand
}

async fn apply(acme: &Acme, actor: &Actor, hand: AgentHand, set: &ChangeSet) -> Changes {
    let mut tx = acme.engine.begin().await.unwrap();
    let changes = record::reconcile(&mut tx, &acme.engine, actor, acme.project.id, hand, set).await.unwrap();
    tx.commit().await.unwrap();
    changes
}

fn changed(record: &Record, body: &str) -> ChangedFile {
    ChangedFile {
        path: format!("{}/{}.md", record.kind.folder(), record.slug),
        id: record.id,
        kind: record.kind,
        base_version: record.version,
        content: Content {
            title: record.title.clone(),
            status: record.status.clone(),
            severity: record.severity.clone(),
            body: body.to_owned(),
        },
    }
}

fn created(path: &str, kind: RecordKind, parent: Option<ParentOf>, title: &str) -> CreatedFile {
    let severity = (kind == RecordKind::Bug).then(|| "medium".to_owned());
    let content =
        Content { title: title.to_owned(), status: kind.statuses()[0].to_owned(), severity, body: "a\nb\n".to_owned() };
    CreatedFile { path: path.to_owned(), kind, parent, content }
}

fn only(file: ChangedFile) -> ChangeSet {
    ChangeSet { changed: vec![file], ..ChangeSet::default() }
}

async fn get(acme: &Acme, id: Uuid) -> Record {
    record::get(&acme.engine, &acme.member, id).await.unwrap()
}

async fn save(acme: &Acme, record: &Record, body: &str) {
    let save = SaveRecord {
        base_version: record.version,
        title: None,
        status: None,
        severity: None,
        body: Some(body.to_owned()),
    };
    let outcome = record::save(&acme.engine, &acme.lead, record.id, save).await.unwrap();
    assert!(matches!(outcome, record::SaveOutcome::Saved(_)));
}

#[sqlx::test(migrations = "./migrations")]
async fn a_fixed_typo_is_one_version_by_the_agent(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(BODY).await;
    let hand = hand(&acme).await;
    let fixed = BODY.replace("Downlaod", "download");
    let before = rows(&acme.engine, "select 1 from notices").await;
    let changes = apply(&acme, &acme.member, hand, &only(changed(&plan, &fixed))).await;

    assert_eq!(changes.records.len(), 1);
    let told = &changes.records[0];
    assert_eq!((told.record_id, told.version, told.added, told.removed), (plan.id, 2, 1, 1));
    assert_eq!((told.new, told.merged, told.slug.as_str()), (false, false, plan.slug.as_str()));
    assert!(changes.refused.is_empty() && changes.conflicts.is_empty());
    assert_eq!(get(&acme, plan.id).await.body, fixed);
    let version = record::version(&acme.engine, &acme.member, plan.id, 2).await.unwrap();
    assert_eq!(
        (version.edit_source, version.turn_id, version.chat_id),
        (EditSource::Ai, Some(hand.turn_id), Some(hand.chat_id))
    );
    assert_eq!((version.author.id, version.agent.map(|agent| agent.id)), (acme.member.person_id, Some(hand.agent_id)));
    let audited = format!(
        "select 1 from audit where subject_id = '{}' and agent_id = '{}' and turn_id = '{}' and person_id = '{}' and edit_source = 'ai' and before_version = 1 and after_version = 2",
        plan.id, hand.agent_id, hand.turn_id, acme.member.person_id
    );
    assert_eq!(rows(&acme.engine, &audited).await, 1);
    assert_eq!(rows(&acme.engine, "select 1 from notices").await, before + 1);
}

#[sqlx::test(migrations = "./migrations")]
async fn the_same_changes_again_repeat_nothing(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(BODY).await;
    let hand = hand(&acme).await;
    let set = only(changed(&plan, "new\n"));
    apply(&acme, &acme.member, hand, &set).await;
    let audited = rows(&acme.engine, "select 1 from audit").await;
    assert_eq!(apply(&acme, &acme.member, hand, &set).await, Changes::default());
    assert_eq!(get(&acme, plan.id).await.version, 2);
    assert_eq!(rows(&acme.engine, "select 1 from audit").await, audited);
}

#[sqlx::test(migrations = "./migrations")]
async fn what_does_not_commit_leaves_nothing(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(BODY).await;
    let hand = hand(&acme).await;
    let count = async || {
        let mut counts = Vec::new();
        for table in ["records", "versions", "audit", "notices", "proposals"] {
            counts.push(rows(&acme.engine, &format!("select 1 from {table}")).await);
        }
        counts
    };
    let before = count().await;
    let parent = Some(ParentOf::Record(plan.parent_id.unwrap()));
    let set = ChangeSet {
        created: vec![created("plans/new.md", RecordKind::Plan, parent, "New")],
        ..only(changed(&plan, "x\n"))
    };
    let mut tx = acme.engine.begin().await.unwrap();
    let changes = record::reconcile(&mut tx, &acme.engine, &acme.member, acme.project.id, hand, &set).await.unwrap();
    assert_eq!(changes.records.len(), 2);
    drop(tx);
    assert_eq!(count().await, before);
    assert_eq!(get(&acme, plan.id).await, plan);
}

#[sqlx::test(migrations = "./migrations")]
async fn what_a_person_saved_meanwhile_is_merged(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(BODY).await;
    let hand = hand(&acme).await;
    save(&acme, &plan, &BODY.replace("None.", "Ask Kim.")).await;
    let changes = apply(&acme, &acme.member, hand, &only(changed(&plan, &BODY.replace("Downlaod", "download")))).await;
    assert_eq!((changes.records[0].version, changes.records[0].merged), (3, true));
    assert_eq!((changes.records[0].added, changes.records[0].removed), (1, 1));
    let now = get(&acme, plan.id).await;
    assert_eq!(now.body, BODY.replace("None.", "Ask Kim.").replace("Downlaod", "download"));
}

#[sqlx::test(migrations = "./migrations")]
async fn a_conflict_waits_as_a_proposal_and_loses_nothing(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(BODY).await;
    let hand = hand(&acme).await;
    let theirs = BODY.replace("Downlaod the CSV", "Download the CSV file");
    let mine = BODY.replace("Downlaod", "download");
    save(&acme, &plan, &theirs).await;
    let changes = apply(&acme, &acme.member, hand, &only(changed(&plan, &mine))).await;
    assert!(changes.records.is_empty() && changes.refused.is_empty());
    let now = get(&acme, plan.id).await;
    assert_eq!((now.version, now.body.as_str()), (2, theirs.as_str()));
    let proposals = record::proposals(&acme.engine, &acme.member, plan.id).await.unwrap();
    assert_eq!(proposals.iter().map(|proposal| proposal.id).collect::<Vec<_>>(), changes.conflicts);
    let proposal = &proposals[0];
    assert_eq!(
        (proposal.kind, proposal.state, proposal.base_version),
        (ProposalKind::Conflict, ProposalState::Open, 1)
    );
    assert_eq!((proposal.body.as_str(), proposal.turn_id), (mine.as_str(), Some(hand.turn_id)));
    let marked = proposal.merged_text.as_ref().unwrap();
    assert!(marked.contains("3. Download the CSV file") && marked.contains("3. download the CSV"), "{marked}");
}

#[sqlx::test(migrations = "./migrations")]
async fn new_records_hang_under_each_other_and_have_free_names(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(BODY).await;
    let hand = hand(&acme).await;
    let path = format!("plans/{}.md", plan.slug);
    let set = ChangeSet {
        created: vec![
            created("initiatives/next.md", RecordKind::Initiative, None, "Next"),
            created(&path, RecordKind::Plan, Some(ParentOf::Created(0)), "Another"),
            created("bugs/slow.md", RecordKind::Bug, Some(ParentOf::Created(1)), "Slow"),
        ],
        ..ChangeSet::default()
    };
    let changes = apply(&acme, &acme.member, hand, &set).await;
    assert!(changes.refused.is_empty(), "{:?}", changes.refused);
    let ids: Vec<Uuid> = changes.records.iter().map(|record| record.record_id).collect();
    let (next, another, slow) = (get(&acme, ids[0]).await, get(&acme, ids[1]).await, get(&acme, ids[2]).await);
    assert_eq!((next.parent_id, another.parent_id, slow.parent_id), (None, Some(next.id), Some(another.id)));
    assert_ne!(another.slug, plan.slug);
    assert_eq!((slow.slug.as_str(), slow.severity.as_deref(), slow.version), ("slow", Some("medium"), 1));
    assert!(changes.records.iter().all(|record| record.new && (record.added, record.removed) == (2, 0)));
    let version = record::version(&acme.engine, &acme.member, slow.id, 1).await.unwrap();
    assert_eq!((version.edit_source, version.turn_id), (EditSource::Ai, Some(hand.turn_id)));
}

#[sqlx::test(migrations = "./migrations")]
async fn each_file_needs_the_scope_of_its_kind_at_that_moment(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(BODY).await;
    let bug = acme.record(RecordKind::Bug, "Slow", Some(&plan), "Slow.\n").await;
    let hand = hand(&acme).await;
    let mut actor = acme.member.clone();
    actor.scopes.retain(|scope| *scope != Scope::PlansManage);
    let set = ChangeSet {
        changed: vec![changed(&plan, "x\n"), changed(&bug, "Fast.\n")],
        created: vec![
            created("plans/new.md", RecordKind::Plan, Some(ParentOf::Record(plan.parent_id.unwrap())), "New"),
            created("bugs/child.md", RecordKind::Bug, Some(ParentOf::Created(0)), "Child"),
        ],
        ..ChangeSet::default()
    };
    let changes = apply(&acme, &actor, hand, &set).await;
    assert_eq!(changes.records.iter().map(|record| record.record_id).collect::<Vec<_>>(), [bug.id]);
    let mut refused: Vec<(&str, bool)> =
        changes.refused.iter().map(|file| (file.path.as_str(), file.reason.contains("plans.manage"))).collect();
    refused.sort();
    let path = format!("plans/{}.md", plan.slug);
    assert_eq!(refused, [("bugs/child.md", false), (path.as_str(), true), ("plans/new.md", true)]);
    assert_eq!(get(&acme, plan.id).await, plan);
}

#[sqlx::test(migrations = "./migrations")]
async fn another_organisations_record_is_not_found(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(BODY).await;
    let hand = hand(&acme).await;
    let stranger = acme.stranger().await;
    let mut tx = acme.engine.begin().await.unwrap();
    let set = only(changed(&plan, "x\n"));
    assert!(record::reconcile(&mut tx, &acme.engine, &stranger, acme.project.id, hand, &set).await.is_err());
    drop(tx);
    assert_eq!(get(&acme, plan.id).await, plan);
}

#[sqlx::test(migrations = "./migrations")]
async fn a_project_may_want_proposals(pool: PgPool) {
    let acme = Acme::on(pool).await;
    sql(&acme.engine, "update projects set reconcile_mode = 'propose'").await.unwrap();
    let plan = acme.plan(BODY).await;
    let hand = hand(&acme).await;
    let parent = Some(ParentOf::Record(plan.parent_id.unwrap()));
    let fixed = BODY.replace("Downlaod", "download");
    let set = ChangeSet {
        created: vec![created("plans/new.md", RecordKind::Plan, parent, "New")],
        ..only(changed(&plan, &fixed))
    };
    let before = rows(&acme.engine, "select 1 from records").await;
    let changes = apply(&acme, &acme.member, hand, &set).await;
    assert!(changes.records.is_empty());
    assert_eq!(changes.refused.len(), 1, "a new record cannot be proposed");
    assert_eq!(get(&acme, plan.id).await, plan);
    assert_eq!(rows(&acme.engine, "select 1 from records").await, before);
    let proposals = record::proposals(&acme.engine, &acme.member, plan.id).await.unwrap();
    assert_eq!((proposals.len(), proposals[0].id), (1, changes.conflicts[0]));
    assert_eq!((proposals[0].kind, proposals[0].hunks.len()), (ProposalKind::Proposed, 1));
    let decision =
        wire::version::DecideProposal { decision: wire::version::Decision::Accept, body: None, base_version: None };
    let decided = record::decide(&acme.engine, &acme.lead, proposals[0].id, decision).await.unwrap();
    assert_eq!((decided.record.version, decided.record.body), (2, fixed));
}

#[sqlx::test(migrations = "./migrations")]
async fn what_was_refused_and_deleted_is_told_once_and_in_short(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let hand = hand(&acme).await;
    let refused = |path: &str, again| RefusedPath { path: path.to_owned(), reason: "why".to_owned(), again };
    let set = ChangeSet {
        refused: vec![refused("plans/a.md", false), refused("plans/b.md", true)],
        deleted: (0..60).map(|n| DeletedFile { path: format!("plans/{n}.md"), id: Uuid::from_u128(n) }).collect(),
        ..ChangeSet::default()
    };
    let changes = apply(&acme, &acme.member, hand, &set).await;
    assert_eq!(changes.refused.len(), 1 + 50 + 1);
    assert_eq!(changes.refused[0].path, "plans/a.md");
    assert!(changes.refused.last().unwrap().reason.starts_with("10 more files were deleted"));
}

/// The text that a person's saves and an agent's edits leave must hold every line that either added.
fn numbered(marks: &[(usize, &str)]) -> String {
    (1..=20)
        .map(|line| match marks.iter().find(|(at, _)| *at == line) {
            Some((_, text)) => format!("{text}\n"),
            None => format!("line {line}\n"),
        })
        .collect()
}

#[sqlx::test(migrations = "./migrations")]
async fn two_turns_and_a_person_on_the_same_records_lose_nothing(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let one = acme.plan(&numbered(&[])).await;
    let two =
        acme.record(RecordKind::Plan, "Second", Some(&get(&acme, one.parent_id.unwrap()).await), &numbered(&[])).await;
    let (first, second) = (hand(&acme).await, hand(&acme).await);
    // each turn names the records in another order; both change both
    let set = |records: [&Record; 2], at: usize, text: &str| ChangeSet {
        changed: records.into_iter().map(|record| changed(record, &numbered(&[(at, text)]))).collect(),
        ..ChangeSet::default()
    };
    let (by_first, by_second) = (set([&one, &two], 3, "by the first"), set([&two, &one], 10, "by the second"));
    let by_person = numbered(&[(17, "by a person")]);
    let (a, b, ()) = tokio::join!(
        apply(&acme, &acme.member, first, &by_first),
        apply(&acme, &acme.lead, second, &by_second),
        save(&acme, &one, &by_person),
    );
    assert!(a.conflicts.is_empty() && b.conflicts.is_empty() && a.refused.is_empty() && b.refused.is_empty());
    let now = get(&acme, one.id).await;
    assert_eq!(now.body, numbered(&[(3, "by the first"), (10, "by the second"), (17, "by a person")]));
    assert_eq!(now.version, 4);
    let now = get(&acme, two.id).await;
    assert_eq!((now.body, now.version), (numbered(&[(3, "by the first"), (10, "by the second")]), 3));
}
