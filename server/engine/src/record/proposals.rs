use uuid::Uuid;
use wire::record::Decided;
use wire::version::{DecideProposal, Proposal};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// The proposals on a record, open ones first, each against the record as it is now.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such record.
pub async fn proposals(engine: &Engine, actor: &Actor, id: Uuid) -> Result<Vec<Proposal>> {
    let _ = (engine, actor, id);
    todo!()
}

/// Accepts or refuses a proposal.
///
/// # Errors
/// When the actor may not manage the record's kind, there is no such proposal, or it was decided before.
pub async fn decide(engine: &Engine, actor: &Actor, proposal_id: Uuid, decision: DecideProposal) -> Result<Decided> {
    let _ = (engine, actor, proposal_id, decision);
    todo!()
}
