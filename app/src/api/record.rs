use leptos::{prelude::*, server_fn::codec::Json};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wire::{
    record::{JumpHit, NewRecord, Record, RecordKind, RecordPage, SaveConflict, SaveRecord, Saved},
    version::{Decision, Proposal, Version, VersionDiff},
};

use super::error::Refusal;

/// How a save or a revert ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::large_enum_variant, reason = "the large variant is the usual one, and few are alive at a time")
)]
pub enum SaveAnswer {
    Saved(Saved),
    /// Nothing was written: both sides touched the same lines.
    Conflict(Box<SaveConflict>),
}

#[cfg(feature = "ssr")]
impl From<engine::record::SaveOutcome> for SaveAnswer {
    fn from(outcome: engine::record::SaveOutcome) -> SaveAnswer {
        match outcome {
            engine::record::SaveOutcome::Saved(saved) => SaveAnswer::Saved(saved),
            engine::record::SaveOutcome::Conflict(conflict) => SaveAnswer::Conflict(conflict),
        }
    }
}

/// All that a record's page shows, in one answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordDetail {
    pub page: RecordPage,
    /// The newest versions, without their bodies.
    pub history: wire::page::Page<Version>,
    /// The agent's changes that wait for a person.
    pub proposals: Vec<Proposal>,
}

#[server(prefix = "/fn", endpoint = "record/detail", input = Json)]
pub async fn detail(project: String, kind: RecordKind, slug: String) -> Result<RecordDetail, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let page = engine::record::page(&engine, &actor, &project, kind, &slug).await?;
    let history = history(page.record.id, None).await?;
    let mut proposals = engine::record::proposals(&engine, &actor, page.record.id).await?;
    proposals.retain(|proposal| proposal.state == wire::version::ProposalState::Open);
    Ok(RecordDetail { page, history, proposals })
}

#[server(prefix = "/fn", endpoint = "record/create", input = Json)]
pub async fn create(project_id: Uuid, new: NewRecord) -> Result<Record, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::record::create(&engine, &actor, project_id, new).await?)
}

#[server(prefix = "/fn", endpoint = "record/save", input = Json)]
pub async fn save(id: Uuid, save: SaveRecord) -> Result<SaveAnswer, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::record::save(&engine, &actor, id, save).await?.into())
}

/// A page of the history, newest first. Bodies are left out: the list does not show them.
#[server(prefix = "/fn", endpoint = "record/history", input = Json)]
pub async fn history(id: Uuid, before: Option<String>) -> Result<wire::page::Page<Version>, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let paging = wire::page::Paging { limit: Some(20), before, after: None };
    let mut page = engine::record::versions(&engine, &actor, id, paging).await?;
    for version in &mut page.items {
        version.body = String::new();
    }
    Ok(page)
}

/// What changed between two versions; against the one before where `from` is absent.
#[server(prefix = "/fn", endpoint = "record/diff", input = Json)]
pub async fn diff(id: Uuid, to: i32, from: Option<i32>) -> Result<VersionDiff, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::record::diff(&engine, &actor, id, to, from).await?)
}

#[server(prefix = "/fn", endpoint = "record/restore", input = Json)]
pub async fn restore(id: Uuid, version: i32) -> Result<Saved, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::record::restore(&engine, &actor, id, wire::version::Restore { version }).await?)
}

/// Takes back what one version changed: all of it, or the hunks with these numbers.
#[server(prefix = "/fn", endpoint = "record/revert", input = Json)]
pub async fn revert(id: Uuid, version: i32, hunks: Option<Vec<usize>>) -> Result<SaveAnswer, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::record::revert(&engine, &actor, id, wire::version::Revert { version, hunks }).await?.into())
}

#[server(prefix = "/fn", endpoint = "record/decide", input = Json)]
pub async fn decide(proposal_id: Uuid, decision: Decision, body: Option<String>) -> Result<Record, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let decision = wire::version::DecideProposal { decision, body, base_version: None };
    let decided = engine::record::decide(&engine, &actor, proposal_id, decision).await?;
    Ok(decided.record)
}

/// Records, projects and chats whose names hold the words.
#[server(prefix = "/fn", endpoint = "record/jump", input = Json)]
pub async fn jump(q: String) -> Result<Vec<JumpHit>, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::record::jump(&engine, &actor, &q).await?)
}
