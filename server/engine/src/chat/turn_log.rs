use uuid::Uuid;

use super::attach::{ChatLog, chat_log};
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::feed::Frame;
use crate::store::{event, turn};

/// One turn's part of its chat's log; it ends with the turn.
pub struct TurnLog {
    log: ChatLog,
    turn_id: Uuid,
    /// Whether the turn's run has begun in what was read: only then is there something to show.
    begun: bool,
    over: bool,
}

/// From the turn's `RUN_STARTED`, or from after a cursor, to its `RUN_FINISHED` or `RUN_ERROR`.
///
/// # Errors
/// When the turn's chat is not the actor's to read, or the log of the turn is no longer kept.
pub async fn turn_log(engine: &Engine, actor: &Actor, turn_id: Uuid, after: Option<i64>) -> Result<TurnLog> {
    let (chat_id, begins) = {
        let mut connection = engine.pool().acquire().await?;
        let turn = turn::get(&mut connection, turn_id).await?.ok_or(Error::NotFound("The turn"))?.turn;
        let row =
            super::readable(&mut connection, actor, turn.chat_id).await.map_err(|_| Error::NotFound("The turn"))?;
        let begins = event::run_started(&mut connection, turn_id).await?;
        if turn.state.is_over() && begins.is_none() {
            return Err(Error::gone(
                "turn_log",
                "The events of this turn are no longer kept, or it never ran. Read the chat's messages.",
            ));
        }
        (turn.chat_id, begins.unwrap_or(row.last_seq + 1) - 1)
    };
    let from = after.unwrap_or(0).max(begins);
    let log = chat_log(engine, actor, chat_id, Some(from)).await?;
    Ok(TurnLog { log, turn_id, begun: after.is_some_and(|after| after > begins), over: false })
}

impl TurnLog {
    /// The next frame; nothing after the turn's end.
    pub async fn next(&mut self) -> Option<Frame> {
        while !self.over {
            let frame = self.log.next().await?;
            if frame.seq.is_none() {
                return Some(frame);
            }
            if frame.turn_id != Some(self.turn_id) {
                if withdrawn(&frame, self.turn_id) {
                    return None;
                }
                continue;
            }
            let kind = kind(&frame.json);
            self.begun |= kind == "RUN_STARTED";
            self.over = matches!(kind, "RUN_FINISHED" | "RUN_ERROR");
            if self.begun || self.over {
                return Some(frame);
            }
        }
        None
    }
}

/// The event's type: it is the first field of what [`event::text`] writes.
fn kind(json: &str) -> &str {
    json.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split('"').next()).unwrap_or_default()
}

/// A turn that is withdrawn never runs.
fn withdrawn(frame: &Frame, turn_id: Uuid) -> bool {
    frame.json.starts_with(r#"{"type":"CUSTOM","name":"withdrawn""#) && frame.json.contains(&turn_id.to_string())
}
