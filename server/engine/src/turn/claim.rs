use uuid::Uuid;
use wire::event::{Custom, Event};
use wire::message::{MessageClass, MessageState, Part, SenderKind};
use wire::turn::TurnState;

use super::worker::LEASE;
use crate::Engine;
use crate::error::Result;
use crate::store::message::NewMessage;
use crate::store::notice::NewNotice;
use crate::store::turn::{self, LockedChat, TurnRow};
use crate::store::{Tx, chat, event, message};

/// A turn that this node drives now.
pub(super) struct Claimed {
    pub row: TurnRow,
    pub place: Place,
    pub answer_id: Uuid,
    /// What is stored of the agent's message; nothing for a turn that only starts.
    pub parts: Vec<Part>,
    /// The turn's newest event.
    pub last_seq: i64,
}

/// Where a turn happens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub organisation_id: Uuid,
    pub project_id: Uuid,
    pub record_id: Option<Uuid>,
    pub owner_id: Uuid,
}

/// Starts the chat's next turn, or takes over its running one when nobody drives it any more. All under the chat's lock: two nodes
/// never start two, and who lost a turn can write nothing after this.
pub(super) async fn claim(engine: &Engine, chat_id: Uuid) -> Result<Option<Claimed>> {
    let mut tx = engine.begin().await?;
    let Some(chat) = turn::lock_chat(&mut tx, chat_id).await? else { return Ok(None) };
    let Some(row) = turn::alive(&mut tx, chat_id).await?.into_iter().next() else { return Ok(None) };
    match row.turn.state {
        TurnState::Queued if !chat.held && !chat.ended => start(engine, tx, &chat, row).await.map(Some),
        TurnState::Running if !turn::is_leased(&mut tx, row.turn.id, engine.now()).await? => {
            take_over(engine, tx, &chat, row).await
        }
        _ => Ok(None),
    }
}

async fn start(engine: &Engine, mut tx: Tx, chat: &LockedChat, mut row: TurnRow) -> Result<Claimed> {
    let now = tx.now();
    let turn_id = row.turn.id;
    let chat_id = row.turn.chat_id;
    let answer_id = chat::next_message_id(&mut tx, chat_id, now).await?;
    let answer = NewMessage {
        id: answer_id,
        chat_id,
        thread_id: row.turn.thread_id,
        turn_id: Some(turn_id),
        client_id: None,
        sender: (SenderKind::Agent, row.turn.agent_id),
        class: MessageClass::Message,
        subclass: None,
        state: MessageState::Streaming,
        parts: &[],
    };
    message::insert(&mut tx, &answer, now).await?;
    turn::start(&mut tx, turn_id, engine.node_id(), answer_id, now + LEASE, now).await?;
    row.attempt += 1;
    row.turn.state = TurnState::Running;
    row.turn.started_at = Some(now);
    row.answer_id = Some(answer_id);
    let started = [
        Custom::Turn(Box::new(row.turn.clone())).into(),
        Event::RunStarted { thread_id: chat_id, run_id: turn_id, message_id: answer_id },
    ];
    tx.notice(&notice(chat, &row, "started")).await?;
    let last_seq = tx.append(chat_id, Some((turn_id, Some(row.attempt))), &started).await?;
    tx.commit().await?;
    Ok(Claimed { row, place: Place::of(chat), answer_id, parts: Vec::new(), last_seq })
}

async fn take_over(engine: &Engine, mut tx: Tx, chat: &LockedChat, mut row: TurnRow) -> Result<Option<Claimed>> {
    let turn_id = row.turn.id;
    let Some(answer_id) = row.answer_id else { return Ok(None) };
    let lease_until = tx.now() + LEASE;
    turn::take_over(&mut tx, turn_id, engine.node_id(), lease_until).await?;
    row.attempt += 1;
    let (parts, parts_seq) = turn::parts(&mut tx, answer_id).await?;
    let later = event::of_turn_after(&mut tx, turn_id, parts_seq).await?;
    // what was streamed after the last stored step is void: that step runs again
    let void = first_part(later.iter().filter_map(|text| serde_json::from_str(text).ok()));
    let restarted: Vec<Event> = void.map(|part_id| Custom::Restarted { part_id }.into()).into_iter().collect();
    let last_seq = tx.append(row.turn.chat_id, Some((turn_id, Some(row.attempt))), &restarted).await?;
    tx.commit().await?;
    tracing::info!(turn = %turn_id, attempt = row.attempt, "a turn was taken over");
    Ok(Some(Claimed { row, place: Place::of(chat), answer_id, parts, last_seq }))
}

/// The first part that these events begin and that is not void yet.
fn first_part(events: impl Iterator<Item = Event>) -> Option<String> {
    let mut begun: Vec<String> = Vec::new();
    for event in events {
        match event {
            Event::TextMessageStart { part_id, .. }
            | Event::ReasoningMessageStart { part_id, .. }
            | Event::ToolCallStart { tool_call_id: part_id, .. } => begun.push(part_id),
            Event::Custom { name, value } => {
                if let Some(Custom::Restarted { part_id }) = Custom::parse(&name, &value) {
                    let place = begun.iter().position(|id| *id == part_id).unwrap_or(begun.len());
                    begun.truncate(place);
                }
            }
            _ => {}
        }
    }
    begun.into_iter().next()
}

impl Place {
    fn of(chat: &LockedChat) -> Place {
        Place {
            organisation_id: chat.organisation_id,
            project_id: chat.project_id,
            record_id: chat.record_id,
            owner_id: chat.owner_id,
        }
    }
}

fn notice(chat: &LockedChat, row: &TurnRow, kind: &'static str) -> NewNotice {
    Place::of(chat).notice("turn", row.turn.id, kind, row.turn.chat_id)
}

impl Place {
    /// A notice for those who may see the chat.
    pub fn notice(&self, topic: &'static str, subject_id: Uuid, kind: &'static str, chat_id: Uuid) -> NewNotice {
        NewNotice {
            organisation_id: self.organisation_id,
            owner_id: Some(self.owner_id),
            topic,
            subject_id,
            kind,
            project_id: Some(self.project_id),
            record_id: self.record_id,
            chat_id: Some(chat_id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(part_id: &str) -> Event {
        Event::TextMessageStart { message_id: Uuid::nil(), part_id: part_id.into(), role: "assistant".into() }
    }

    fn restarted(part_id: &str) -> Event {
        Custom::Restarted { part_id: part_id.into() }.into()
    }

    #[test]
    fn what_was_void_already_is_not_voided_again() {
        assert_eq!(first_part([].into_iter()), None);
        assert_eq!(first_part([text("a"), text("b")].into_iter()), Some("a".into()));
        assert_eq!(first_part([text("a"), restarted("a"), text("b")].into_iter()), Some("b".into()));
        assert_eq!(first_part([text("a"), text("b"), restarted("b"), text("c")].into_iter()), Some("a".into()));
        assert_eq!(first_part([text("a"), restarted("a")].into_iter()), None);
    }
}
