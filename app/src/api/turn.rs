//! Turns: stopped while they run, withdrawn while they wait.

use leptos::{prelude::*, server_fn::codec::Json};
use uuid::Uuid;
use wire::turn::Turn;

use super::error::Refusal;

#[server(prefix = "/fn", endpoint = "turn/stop", input = Json)]
pub async fn stop(turn: Uuid) -> Result<Turn, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::turn::stop(&engine, &actor, turn).await?)
}

/// Takes a queued turn back; its message's text comes back with it.
#[server(prefix = "/fn", endpoint = "turn/withdraw", input = Json)]
pub async fn withdraw(turn: Uuid) -> Result<String, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::turn::withdraw(&engine, &actor, turn).await?.text)
}
