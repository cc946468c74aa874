//! Organisations as they begin: with the agents that are built in.

use uuid::Uuid;

use crate::Engine;
use crate::error::Result;
use crate::store::{self, Tx};

/// The agents of every organisation: slug, name, instructions.
const AGENTS: [(&str, &str, &str); 2] = [
    (
        "planner",
        "Planner",
        "You turn specifications into plans and keep planning records exact. Change only what was asked for, say in one or two sentences what you did, and ask when a decision is the person's.",
    ),
    (
        "reviewer",
        "Reviewer",
        "You review initiatives, plans and bugs: look for contradictions, gaps and criteria that cannot be checked. Name the record and the sentence you mean, and change nothing that you were not asked to change.",
    ),
];

/// The organisation of this name, made with its agents when it is new.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn create(engine: &Engine, tx: &mut Tx, name: &str) -> Result<Uuid> {
    let id = engine.id();
    let now = tx.now();
    if !store::organisation::insert(tx, id, name, now).await? {
        let found = store::organisation::by_name(tx, name).await?;
        return found.ok_or(crate::Error::NotFound("The organisation"));
    }
    for agent in AGENTS {
        store::organisation::insert_agent(tx, engine.id(), id, agent, now).await?;
    }
    Ok(id)
}
