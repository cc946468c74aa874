use sqlx::postgres::PgPool;
use uuid::Uuid;
use wire::chat::{NewChat, SendMessage};
use wire::page::Paging;
use wire::record::{Record, RecordKind, SaveRecord};
use wire::version::{DecideProposal, Decision, EditSource, ProposalKind, ProposalState};

use super::{body, plan, saved, ten};
use crate::Error;
use crate::record::{
    AgentHand, Amended, Content, Hand, Proposed, amend, decide, get, proposals, propose, version, versions,
};
use crate::testing::{Acme, rows};

/// An agent in a turn of the member's.
async fn agent(acme: &Acme, record: &Record) -> AgentHand {
    let chat = NewChat { record_id: Some(record.id), ..NewChat::default() };
    let chat = crate::chat::create(&acme.engine, &acme.member, acme.project.id, chat).await.unwrap();
    let text = "Please improve  the\nplan.".to_owned();
    let send = SendMessage { client_id: "one".into(), text, ..SendMessage::default() };
    let turn = crate::chat::send(&acme.engine, &acme.member, chat.id, send).await.unwrap().turn.unwrap();
    AgentHand { agent_id: turn.agent_id, turn_id: turn.id, chat_id: chat.id }
}

async fn proposed(acme: &Acme, record: &Record, kind: ProposalKind, text: &str, hand: AgentHand) -> Uuid {
    let id = acme.engine.id();
    let content =
        Content { title: record.title.clone(), status: record.status.clone(), severity: None, body: text.to_owned() };
    let new = Proposed { id, record_id: record.id, project_id: record.project_id, base_version: 1, kind, content };
    let mut tx = acme.engine.begin().await.unwrap();
    propose(&mut tx, &acme.member, new, hand).await.unwrap();
    tx.commit().await.unwrap();
    id
}

const fn accept(body: Option<String>) -> DecideProposal {
    DecideProposal { decision: Decision::Accept, body, base_version: None }
}

const REFUSE: DecideProposal = DecideProposal { decision: Decision::Refuse, body: None, base_version: None };

#[sqlx::test(migrations = "./migrations")]
async fn an_agents_change_is_a_version_of_its_own_hand(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let hand = agent(&acme, &plan).await;
    let mut tx = acme.engine.begin().await.unwrap();
    let change = Box::new(|base: &Content| Content { body: base.body.replace("line 3", "line three"), ..base.clone() });
    let done = amend(&mut tx, &acme.member, plan.id, 1, change, Hand::Agent(hand)).await.unwrap();
    let Amended::Written { record, merged: false, added: 1, removed: 1 } = done else { panic!("{done:?}") };
    tx.commit().await.unwrap();
    assert_eq!(record.version, 2);
    let of = |actor| version(&acme.engine, actor, plan.id, 2);
    let made = of(&acme.member).await.unwrap();
    assert_eq!(
        (made.edit_source, made.author.id, made.turn_id),
        (EditSource::Ai, acme.member.person_id, Some(hand.turn_id))
    );
    assert_eq!((made.agent.unwrap().name.as_str(), made.chat_id), ("Planner", Some(hand.chat_id)));
    assert_eq!(made.cause.as_deref(), Some("Please improve the plan."));
    // the message is the member's: others see the version, and only those who may read any chat what was said
    assert_eq!(of(&acme.viewer).await.unwrap().cause, None);
    assert_eq!(of(&acme.lead).await.unwrap().cause.as_deref(), Some("Please improve the plan."));
    let audited = format!(
        "select from audit where action = 'record.saved' and agent_id = '{}' and turn_id = '{}' and person_id = '{}' and edit_source = 'ai'",
        hand.agent_id, hand.turn_id, acme.member.person_id
    );
    assert_eq!(rows(&acme.engine, &audited).await, 1);
}

#[sqlx::test(migrations = "./migrations")]
async fn an_accepted_proposal_is_written_on_what_is_there_now(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let hand = agent(&acme, &plan).await;
    let id = proposed(&acme, &plan, ProposalKind::Proposed, &ten().replace("line 9", "NINE"), hand).await;
    saved(&acme.engine, &acme.lead, &plan, body(1, &ten().replace("line 2", "TWO"))).await;
    let open = proposals(&acme.engine, &acme.viewer, plan.id).await.unwrap();
    assert_eq!(
        (open.len(), open[0].state, open[0].hunks.len(), open[0].merged_text.as_deref()),
        (1, ProposalState::Open, 1, None)
    );
    let done = decide(&acme.engine, &acme.lead, id, accept(None)).await.unwrap();
    assert_eq!((done.proposal.state, done.proposal.hunks.len(), done.record.version), (ProposalState::Accepted, 0, 3));
    assert_eq!(done.record.body, ten().replace("line 2", "TWO").replace("line 9", "NINE"));
    let made = version(&acme.engine, &acme.member, plan.id, 3).await.unwrap();
    assert_eq!(
        (made.edit_source, made.turn_id, made.author.id),
        (EditSource::Ai, Some(hand.turn_id), acme.lead.person_id)
    );
    for again in [accept(None), REFUSE] {
        let refusal = decide(&acme.engine, &acme.lead, id, again).await;
        assert!(matches!(refusal, Err(Error::Conflict { code: "decided", .. })), "{refusal:?}");
    }
    assert_eq!(get(&acme.engine, &acme.lead, plan.id).await.unwrap().version, 3);
    for kind in ["created", "accepted"] {
        let noticed = format!(
            "select from notices where topic = 'proposal' and kind = '{kind}' and subject_id = '{id}' and record_id = '{}'",
            plan.id
        );
        assert_eq!(rows(&acme.engine, &noticed).await, 1, "{kind}");
        assert_eq!(
            rows(&acme.engine, &format!("select from audit where action = 'proposal.{kind}' and subject_id = '{id}'"))
                .await,
            1
        );
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn a_conflict_shows_marks_and_is_decided_by_a_person(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let hand = agent(&acme, &plan).await;
    saved(&acme.engine, &acme.lead, &plan, body(1, &ten().replace("line 5", "person").replace("line 1\n", "ONE\n")))
        .await;
    let theirs = ten().replace("line 5", "agent");
    let first = proposed(&acme, &plan, ProposalKind::Conflict, &theirs, hand).await;
    let second = proposed(&acme, &plan, ProposalKind::Conflict, &theirs, hand).await;
    let third = proposed(&acme, &plan, ProposalKind::Conflict, &theirs, hand).await;
    let open = proposals(&acme.engine, &acme.member, plan.id).await.unwrap();
    let marked = open[0].merged_text.clone().unwrap();
    assert_eq!((open.len(), open[0].body.as_str()), (3, theirs.as_str()));
    assert!(marked.contains("<<<<<<< current\nperson\n=======\nagent\n>>>>>>> yours\n"), "{marked}");
    // unfinished
    let refusal = decide(&acme.engine, &acme.member, first, accept(Some(marked))).await;
    assert!(matches!(refusal, Err(Error::Invalid { code: "conflict_marks", .. })));
    // the agent's side where both changed the same, and the person's everywhere else
    let done = decide(&acme.engine, &acme.member, first, accept(None)).await.unwrap();
    assert_eq!(done.record.body, ten().replace("line 5", "agent").replace("line 1\n", "ONE\n"));
    // a text of the person's is the person's
    let done = decide(&acme.engine, &acme.member, second, accept(Some("both\0\n".into()))).await.unwrap();
    assert_eq!((done.record.body.as_str(), done.record.version), ("both\u{fffd}\n", 4));
    assert_eq!(version(&acme.engine, &acme.member, plan.id, 4).await.unwrap().edit_source, EditSource::Human);
    let done = decide(&acme.engine, &acme.member, third, REFUSE).await.unwrap();
    assert_eq!((done.proposal.state, done.record.version), (ProposalState::Refused, 4));
    let states: Vec<ProposalState> =
        proposals(&acme.engine, &acme.member, plan.id).await.unwrap().iter().map(|proposal| proposal.state).collect();
    assert_eq!(states, [ProposalState::Refused, ProposalState::Accepted, ProposalState::Accepted]);
}

#[sqlx::test(migrations = "./migrations")]
async fn of_two_who_decide_at_once_one_does(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let hand = agent(&acme, &plan).await;
    let id = proposed(&acme, &plan, ProposalKind::Proposed, "new\n", hand).await;
    let tries = (0..6).map(|n| {
        let decision = if n % 2 == 0 { accept(None) } else { REFUSE };
        decide(&acme.engine, &acme.member, id, decision)
    });
    let done = futures::future::join_all(tries).await;
    assert_eq!(done.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(
        rows(&acme.engine, &format!("select from audit where subject_id = '{id}' and action <> 'proposal.created'"))
            .await,
        1
    );
}

#[sqlx::test(migrations = "./migrations")]
async fn a_status_that_is_no_step_any_more_stays_as_it_is(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let hand = agent(&acme, &plan).await;
    let id = acme.engine.id();
    let content = Content { title: "Agent's title".into(), status: "ready".into(), severity: None, body: ten() };
    let new = Proposed {
        id,
        record_id: plan.id,
        project_id: plan.project_id,
        base_version: 1,
        kind: ProposalKind::Proposed,
        content,
    };
    let mut tx = acme.engine.begin().await.unwrap();
    propose(&mut tx, &acme.member, new, hand).await.unwrap();
    tx.commit().await.unwrap();
    for (base_version, status) in [(1, "ready"), (2, "in progress"), (3, "in review")] {
        let to = SaveRecord { base_version, title: None, status: Some(status.into()), body: None, severity: None };
        saved(&acme.engine, &acme.lead, &plan, to).await;
    }
    let done = decide(&acme.engine, &acme.member, id, accept(None)).await.unwrap();
    assert_eq!((done.record.title.as_str(), done.record.status.as_str()), ("Agent's title", "in review"));
}

#[sqlx::test(migrations = "./migrations")]
async fn two_agents_and_a_person_lose_no_line(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let hand = agent(&acme, &plan).await;
    for (n, hand) in [(2, Hand::Agent(hand)), (5, Hand::Person), (8, Hand::Agent(hand))] {
        let mut tx = acme.engine.begin().await.unwrap();
        let change = Box::new(move |base: &Content| Content {
            body: base.body.replace(&format!("line {n}\n"), &format!("changed {n}\n")),
            ..base.clone()
        });
        let done = amend(&mut tx, &acme.member, plan.id, 1, change, hand).await.unwrap();
        assert!(matches!(done, Amended::Written { .. }), "{done:?}");
        tx.commit().await.unwrap();
    }
    let sources: Vec<EditSource> = versions(&acme.engine, &acme.member, plan.id, Paging::default())
        .await
        .unwrap()
        .items
        .iter()
        .map(|version| version.edit_source)
        .collect();
    assert_eq!(sources, [EditSource::Ai, EditSource::Human, EditSource::Ai, EditSource::Human]);
    let now = get(&acme.engine, &acme.member, plan.id).await.unwrap().body;
    assert!([2, 5, 8].iter().all(|n| now.contains(&format!("changed {n}\n"))), "{now}");
}

#[sqlx::test(migrations = "./migrations")]
async fn a_transaction_that_is_given_up_leaves_nothing(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let before = rows(&acme.engine, "select from audit").await;
    {
        let mut tx = acme.engine.begin().await.unwrap();
        let change = Box::new(|base: &Content| Content { body: "gone\n".into(), ..base.clone() });
        amend(&mut tx, &acme.member, plan.id, 1, change, Hand::Person).await.unwrap();
    }
    assert_eq!(get(&acme.engine, &acme.member, plan.id).await.unwrap(), plan);
    assert_eq!(rows(&acme.engine, "select from audit").await, before);
    assert_eq!(acme.record(RecordKind::Initiative, "Another", None, "").await.version, 1);
}

#[sqlx::test(migrations = "./migrations")]
async fn a_persons_text_for_a_proposal_overwrites_nobody(pool: PgPool) {
    let (acme, plan) = plan(pool).await;
    let hand = agent(&acme, &plan).await;
    let id = proposed(&acme, &plan, ProposalKind::Proposed, &ten().replace("line 9", "NINE"), hand).await;
    // while the person edits, somebody saves
    saved(&acme.engine, &acme.lead, &plan, body(1, &ten().replace("line 2", "TWO"))).await;
    let mine = |text: &str, base_version| DecideProposal {
        decision: Decision::Accept,
        body: Some(text.to_owned()),
        base_version: Some(base_version),
    };
    let clash = decide(&acme.engine, &acme.member, id, mine(&ten().replace("line 2", "ZWEI"), 1)).await;
    assert!(matches!(clash, Err(Error::Conflict { code: "record_moved_on", .. })), "{clash:?}");
    let unknown = decide(&acme.engine, &acme.member, id, mine("x", 7)).await;
    assert!(matches!(unknown, Err(Error::Invalid { code: "base_version", .. })), "{unknown:?}");
    let done = decide(&acme.engine, &acme.member, id, mine(&ten().replace("line 9", "neun"), 1)).await.unwrap();
    assert_eq!(done.record.body, ten().replace("line 2", "TWO").replace("line 9", "neun"));
}
