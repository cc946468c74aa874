use uuid::Uuid;
use wire::access::Scope;
use wire::turn::Turn;

use crate::Engine;
use crate::access::{Actor, may};
use crate::error::{Error, Result};
use crate::store::turn::{self, TurnRow};

/// The turn with its usage and error.
///
/// # Errors
/// When it is not there or not the actor's to see.
pub async fn get(engine: &Engine, actor: &Actor, turn_id: Uuid) -> Result<Turn> {
    let row = {
        let mut connection = engine.pool().acquire().await?;
        turn::get(&mut connection, turn_id).await?
    };
    Ok(seen(actor, row)?.turn)
}

/// The turn if the actor may read it; else it is not there.
pub(super) fn seen(actor: &Actor, row: Option<TurnRow>) -> Result<TurnRow> {
    let row = row.ok_or(Error::NotFound("The turn"))?;
    match may(actor, Scope::ConversationsReadAny, row.target()) {
        Err(Error::NotFound(_)) => Err(Error::NotFound("The turn")),
        Err(error) => Err(error),
        Ok(()) => Ok(row),
    }
}

/// The turn if the actor may steer it: its chat's owner, who may use such chats.
pub(super) fn owned(actor: &Actor, row: Option<TurnRow>) -> Result<TurnRow> {
    let row = seen(actor, row)?;
    may(actor, if row.ask { Scope::AskUse } else { Scope::ChatUse }, row.target())?;
    Ok(row)
}
