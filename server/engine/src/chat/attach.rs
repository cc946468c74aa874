use std::collections::VecDeque;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, Interval, MissedTickBehavior};
use uuid::Uuid;
use wire::chat::ReadModel;
use wire::event::{Custom, Event, Mode};
use wire::message::{Message, Part, SenderKind};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;
use crate::feed::{Follow, Frame};
use crate::store::event;

const HEARTBEAT: Duration = Duration::from_secs(10);

/// The log of a chat as one client reads it. It holds no connection while it waits.
pub struct ChatLog {
    engine: Engine,
    actor: Actor,
    chat_id: Uuid,
    follow: Option<Follow>,
    ready: VecDeque<Frame>,
    beats: Interval,
}

/// Attaches a client to a chat's log. Its cursor gets one of three answers: *replay*, exactly what came after it and then what comes;
/// *snapshot*, where it has none, or one that is too old or ahead of the log; *closed*, where the chat has ended, with what is left.
///
/// # Errors
/// When the chat is not the actor's to read.
pub async fn chat_log(engine: &Engine, actor: &Actor, chat_id: Uuid, after: Option<i64>) -> Result<ChatLog> {
    let mut connection = engine.pool().acquire().await?;
    let row = super::readable(&mut connection, actor, chat_id).await?;
    // followed before it is read, so that nothing falls between
    let known = after.filter(|after| *after >= row.pruned_seq && *after <= row.last_seq);
    let mut ready = VecDeque::new();
    let follow = if row.chat.ended_at.is_some() && crate::store::turn::alive(&mut connection, chat_id).await?.is_empty()
    {
        ready.push_back(told(Custom::Attached { mode: Mode::Closed, seq: row.last_seq }));
        match known {
            Some(after) => ready.extend(rest(&mut connection, chat_id, after, row.last_seq).await?),
            None => ready.extend(snapshot(&super::open::view(&mut connection, chat_id, None).await?)),
        }
        None
    } else if let Some(after) = known {
        let follow = engine.feed().follow(chat_id, after);
        ready.push_back(told(Custom::Attached { mode: Mode::Replay, seq: row.last_seq }));
        Some(follow)
    } else {
        let view = super::open::view(&mut connection, chat_id, None).await?;
        let follow = engine.feed().follow(chat_id, view.seq);
        ready.push_back(told(Custom::Attached { mode: Mode::Snapshot, seq: view.seq }));
        ready.extend(snapshot(&view));
        Some(follow)
    };
    drop(connection);
    let mut beats = tokio::time::interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    Ok(ChatLog { engine: engine.clone(), actor: actor.clone(), chat_id, follow, ready, beats })
}

impl ChatLog {
    /// The next frame; nothing when the log is closed, the node shuts down or the person may not read the chat any more. Dropping the
    /// future loses nothing.
    pub async fn next(&mut self) -> Option<Frame> {
        if let Some(frame) = self.ready.pop_front() {
            return Some(frame);
        }
        let follow = self.follow.as_mut()?;
        tokio::select! {
            biased;
            () = self.engine.stopping().cancelled() => None,
            frame = follow.next() => match frame {
                Ok(frame) => Some(frame),
                // the database does not answer: the client comes back with its cursor
                Err(error) => {
                    tracing::warn!(%error, chat_id = %self.chat_id, "a chat's log could not be read");
                    None
                }
            },
            _ = self.beats.tick() => self.still_readable().await.then(|| told(Custom::Heartbeat)),
        }
    }

    /// Access is looked at again while the stream is open.
    async fn still_readable(&self) -> bool {
        let actor =
            crate::person::actor_of_person(&self.engine, self.actor.person_id, self.actor.address.as_deref()).await;
        let Ok(Some(actor)) = actor else { return false };
        let Ok(mut connection) = self.engine.pool().acquire().await else { return false };
        super::readable(&mut connection, &actor, self.chat_id).await.is_ok()
    }
}

async fn rest(
    connection: &mut sqlx::postgres::PgConnection,
    chat_id: Uuid,
    mut after: i64,
    last: i64,
) -> Result<Vec<Frame>> {
    let mut frames = Vec::new();
    while after < last {
        let some = event::after(connection, chat_id, after, 1_000).await?;
        let Some(seq) = some.last().and_then(|frame| frame.seq) else { break };
        after = seq;
        frames.extend(some);
    }
    Ok(frames)
}

fn told(custom: Custom) -> Frame {
    frame(&custom.into())
}

fn frame(event: &Event) -> Frame {
    Frame { seq: None, turn_id: None, json: event::text(event).into() }
}

/// The view as AG-UI clients read it, and as ours do.
fn snapshot(view: &ReadModel) -> [Frame; 2] {
    let messages: Vec<_> = view.messages.iter().flat_map(ag_ui_messages).collect();
    [
        frame(&Event::MessagesSnapshot { messages: json!(messages) }),
        frame(&Event::StateSnapshot { snapshot: serde_json::to_value(view).unwrap_or_default() }),
    ]
}

/// A message in AG-UI's own shape: an agent's tool results are messages of their own there.
fn ag_ui_messages(message: &Message) -> Vec<serde_json::Value> {
    if message.sender.kind == SenderKind::Person {
        return vec![json!({"id": message.id, "role": "user", "content": message.text()})];
    }
    let calls: Vec<_> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::ToolCall(call) => Some(json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.input.to_string()}})),
            _ => None,
        })
        .collect();
    let mut shown = json!({"id": message.id, "role": "assistant", "content": message.text()});
    if !calls.is_empty() {
        shown["toolCalls"] = json!(calls);
    }
    let results = message.parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) => call.output.as_ref().map(|output| json!({"id": format!("{}-{}", message.id, call.id), "role": "tool", "toolCallId": call.id, "content": output})),
        _ => None,
    });
    std::iter::once(shown).chain(results).collect()
}
