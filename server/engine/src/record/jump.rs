use wire::access::Scope;
use wire::record::JumpHit;

use super::search::Search;
use crate::Engine;
use crate::access::{Actor, Target, may};
use crate::error::Result;
use crate::store;

/// Lines that the palette shows.
const SHOWN: i64 = 20;

/// What the palette offers for some words: projects, records and the actor's own chats, at most 20. Without words: what changed last.
///
/// # Errors
/// When the actor may not read records.
pub async fn jump(engine: &Engine, actor: &Actor, q: &str) -> Result<Vec<JumpHit>> {
    may(actor, Scope::RecordsRead, Target::Organisation { id: actor.organisation_id, what: "The organisation" })?;
    let search = Search::read(q);
    let (typed, prefix) = match &search {
        None => ("", None),
        Some(Search { prefix: None, .. }) => return Ok(Vec::new()),
        Some(Search { typed, prefix, .. }) => (typed.as_str(), prefix.as_deref()),
    };
    let mut connection = engine.pool().acquire().await?;
    store::record::jump(&mut connection, (actor.organisation_id, actor.person_id), typed, prefix, SHOWN).await
}
