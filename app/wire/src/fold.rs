//! The one reducer: events of a chat's log become the view of the chat. The browser, the server's read model and the tests
//! all use it, so they cannot disagree.
//!
//! An event whose number the view already holds changes nothing, so applying one twice is harmless.

use serde_json::Value;
use uuid::Uuid;

use crate::chat::{LastLine, ReadModel, Thread, ThreadState};
use crate::event::{Banner, Custom, Event, Numbered};
use crate::message::{Changes, Message, MessageClass, MessageState, Part, Sender, SenderKind, ToolCall, ToolState};
use crate::turn::{Turn, TurnState};

/// What one event changed, so that a reader touches only that.
#[derive(Clone, Debug, PartialEq)]
pub enum Touched {
    /// A message is new, or gone, or in another place: the list of ids changed.
    Order,
    /// One message changed otherwise than by growing.
    Message(Uuid),
    /// A text or reasoning part grew by this much.
    Grown {
        message_id: Uuid,
        part_id: String,
        delta: String,
    },
    Chat,
    Threads,
    Turns,
    Pause,
    Banner(Banner),
}

/// Applies one event; tells what it changed.
pub fn apply(view: &mut ReadModel, numbered: &Numbered) -> Vec<Touched> {
    if numbered.seq <= view.seq {
        return Vec::new();
    }
    view.seq = numbered.seq;
    apply_event(view, &numbered.event)
}

fn apply_event(view: &mut ReadModel, event: &Event) -> Vec<Touched> {
    match event {
        Event::RunStarted { run_id, message_id, .. } => start_run(view, *run_id, *message_id),
        Event::Custom { name, value } => {
            Custom::parse(name, value).map_or_else(Vec::new, |custom| apply_custom(view, custom))
        }
        // every other event is one message's own; the one that it means is most often the last
        _ => view.messages.iter_mut().rev().find_map(|message| grow(message, event)).into_iter().collect(),
    }
}

/// Lets one message grow by events, whatever else they change: how the server shows a message that still streams.
pub fn grow_message(message: &mut Message, events: impl IntoIterator<Item = Event>) {
    for event in events {
        if let Event::Custom { name, value } = &event {
            match Custom::parse(name, value) {
                Some(Custom::Reconcile { message_id, changes }) if message_id == message.id => {
                    put_changes(message, changes)
                }
                Some(Custom::Restarted { part_id }) => {
                    restart(message, &part_id);
                }
                _ => {}
            }
        } else {
            grow(message, &event);
        }
    }
}

/// What an event does to the message that it means; nothing when it means another.
fn grow(message: &mut Message, event: &Event) -> Option<Touched> {
    match event {
        Event::TextMessageStart { message_id, part_id, .. } if *message_id == message.id => {
            add_part(message, Part::Text { id: part_id.clone(), text: String::new() })
        }
        Event::ReasoningMessageStart { message_id, part_id, .. } if *message_id == message.id => {
            add_part(message, Part::Reasoning { id: part_id.clone(), text: String::new() })
        }
        Event::TextMessageContent { message_id, part_id, delta }
        | Event::ReasoningMessageContent { message_id, part_id, delta }
            if *message_id == message.id =>
        {
            append(message, part_id, delta)
        }
        Event::ToolCallStart { tool_call_id, tool_call_name, parent_message_id }
            if *parent_message_id == message.id =>
        {
            let call = ToolCall {
                id: tool_call_id.clone(),
                name: tool_call_name.clone(),
                label: String::new(),
                input: Value::String(String::new()),
                state: ToolState::Active,
                output: None,
                truncated: false,
                diff: None,
                started_at: None,
                ended_at: None,
            };
            add_part(message, Part::ToolCall(Box::new(call)))
        }
        // ids of calls are their provider's, and only the message that streams is meant
        Event::ToolCallArgs { .. } | Event::ToolCallEnd { .. } if message.state != MessageState::Streaming => None,
        Event::ToolCallArgs { tool_call_id, delta } => change_call(message, tool_call_id, |call| {
            if let Value::String(text) = &mut call.input {
                text.push_str(delta);
            }
        }),
        Event::ToolCallEnd { tool_call_id, label, input, started_at } => change_call(message, tool_call_id, |call| {
            call.label.clone_from(label);
            call.input = input.clone();
            call.started_at = *started_at;
        }),
        Event::ToolCallResult { message_id, tool_call_id, content, state, truncated, diff, ended_at, .. }
            if *message_id == message.id =>
        {
            change_call(message, tool_call_id, |call| {
                call.output = Some(content.clone());
                call.state = *state;
                call.truncated = *truncated;
                call.diff.clone_from(diff);
                call.ended_at = *ended_at;
            })
        }
        Event::RunFinished { run_id, result, .. } | Event::RunError { run_id, result, .. }
            if message.turn_id == Some(*run_id) && message.state == MessageState::Streaming =>
        {
            message.state =
                if result.state == TurnState::Failed { MessageState::Failed } else { MessageState::Settled };
            Some(Touched::Message(message.id))
        }
        _ => None,
    }
}

fn apply_custom(view: &mut ReadModel, custom: Custom) -> Vec<Touched> {
    match custom {
        Custom::Turn(turn) => put_turn(view, *turn),
        Custom::Withdrawn { turn_id, message_id } => withdraw(view, turn_id, message_id),
        Custom::Message(message) => put_message(view, *message),
        Custom::Chat(chat) => {
            view.chat = *chat;
            vec![Touched::Chat]
        }
        Custom::Held(held) => {
            view.held = held;
            vec![Touched::Turns]
        }
        Custom::Preview { thread_id, last } => {
            if let Some(thread) = view.threads.iter_mut().find(|thread| thread.id == thread_id) {
                thread.last = Some(last);
            }
            vec![Touched::Threads]
        }
        Custom::Reconcile { message_id, changes } => message_mut(view, message_id).map_or_else(Vec::new, |message| {
            put_changes(message, changes);
            vec![Touched::Message(message_id)]
        }),
        Custom::Pause(pause) => {
            view.pause = pause.map(|pause| *pause);
            mark_threads(view);
            vec![Touched::Pause, Touched::Threads]
        }
        Custom::Banner(banner) => vec![Touched::Banner(banner)],
        Custom::Usage { turn_id, usage } => {
            if let Some(turn) = view.turn.as_mut().filter(|turn| turn.id == turn_id) {
                turn.usage = usage;
                return vec![Touched::Turns];
            }
            Vec::new()
        }
        Custom::Restarted { part_id } => {
            view.messages.iter_mut().rev().find_map(|message| restart(message, &part_id)).into_iter().collect()
        }
        Custom::Todo { .. } | Custom::Call(_) | Custom::Attached { .. } | Custom::Heartbeat => Vec::new(),
    }
}

fn start_run(view: &mut ReadModel, run_id: Uuid, message_id: Uuid) -> Vec<Touched> {
    // the turn itself was told just before, by its `turn` event
    let Some(turn) = view.turn.clone().filter(|turn| turn.id == run_id) else {
        return Vec::new();
    };
    if turn.thread_id != view.thread_id || message_mut(view, message_id).is_some() {
        return Vec::new();
    }
    let message = Message {
        id: message_id,
        chat_id: turn.chat_id,
        thread_id: turn.thread_id,
        turn_id: Some(turn.id),
        client_id: None,
        sender: Sender { kind: SenderKind::Agent, id: turn.agent_id, name: turn.agent_name.clone() },
        class: MessageClass::Message,
        subclass: None,
        format: "markdown".to_owned(),
        state: MessageState::Streaming,
        parts: Vec::new(),
        attachments: Vec::new(),
        created_at: turn.started_at.unwrap_or(turn.queued_at),
        edited_at: None,
    };
    put_message(view, message)
}

fn withdraw(view: &mut ReadModel, turn_id: Uuid, message_id: Uuid) -> Vec<Touched> {
    let thread_id = view.queued.iter().find(|turn| turn.id == turn_id).map(|turn| turn.thread_id);
    view.queued.retain(|turn| turn.id != turn_id);
    if view.turn.as_ref().is_some_and(|turn| turn.id == turn_id) {
        view.turn = None;
    }
    promote(view);
    // a message that went to several agents has a turn for each, and goes with the last of them
    let more = view.queued.iter().any(|turn| turn.message_id == message_id);
    if let Some(thread) = view.threads.iter_mut().find(|thread| Some(thread.id) == thread_id).filter(|_| !more) {
        thread.message_count -= 1;
        if thread.message_count == 0 {
            thread.last = None;
        }
    }
    view.messages.retain(|message| message.id != message_id);
    mark_threads(view);
    vec![Touched::Turns, Touched::Order, Touched::Threads]
}

fn put_turn(view: &mut ReadModel, turn: Turn) -> Vec<Touched> {
    view.queued.retain(|queued| queued.id != turn.id);
    if view.turn.as_ref().is_some_and(|current| current.id == turn.id) {
        view.turn = None;
    }
    match turn.state {
        TurnState::Queued => {
            let place =
                view.queued.iter().position(|queued| queued.message_id > turn.message_id).unwrap_or(view.queued.len());
            view.queued.insert(place, turn);
        }
        TurnState::Running | TurnState::Paused => {
            view.turn = Some(turn);
        }
        TurnState::Completed | TurnState::Failed | TurnState::Stopped | TurnState::Interrupted => {}
    }
    promote(view);
    mark_threads(view);
    vec![Touched::Turns, Touched::Threads]
}

/// Where no turn runs, the first queued one is the one to show.
fn promote(view: &mut ReadModel) {
    let running = view.turn.as_ref().is_some_and(|turn| turn.state != TurnState::Queued);
    if !running {
        view.turn = view.queued.first().cloned();
    }
}

fn mark_threads(view: &mut ReadModel) {
    let waiting = view.turn.as_ref().filter(|turn| turn.state == TurnState::Paused).map(|turn| turn.thread_id);
    for thread in &mut view.threads {
        let working = view.turn.iter().chain(&view.queued).any(|turn| turn.thread_id == thread.id);
        thread.state = match (waiting == Some(thread.id), working) {
            (true, _) => ThreadState::Waiting,
            (false, true) => ThreadState::Working,
            (false, false) => ThreadState::Idle,
        };
    }
}

fn put_message(view: &mut ReadModel, message: Message) -> Vec<Touched> {
    let mut touched = count_in_thread(view, &message);
    if message.thread_id != view.thread_id {
        return touched;
    }
    let id = message.id;
    match view.messages.binary_search_by_key(&id, |known| known.id) {
        Ok(place) => {
            view.messages[place] = message;
            touched.push(Touched::Message(id));
        }
        Err(place) => {
            view.messages.insert(place, message);
            touched.push(Touched::Order);
        }
    }
    touched
}

fn count_in_thread(view: &mut ReadModel, message: &Message) -> Vec<Touched> {
    let last = LastLine {
        sender: message.sender.name.clone(),
        text: first_line(&message.text()),
        created_at: message.created_at,
    };
    let known = view.messages.iter().any(|known| known.id == message.id);
    match view.threads.iter_mut().find(|thread| thread.id == message.thread_id) {
        Some(thread) => {
            thread.message_count += i64::from(!known);
            thread.last = Some(last);
        }
        None => view.threads.push(Thread {
            id: message.thread_id,
            name: message.thread_id.map(|_| first_line(&message.text())),
            message_count: 1,
            last: Some(last),
            unread: 0,
            state: ThreadState::Idle,
        }),
    }
    vec![Touched::Threads]
}

/// The first line of a text, at most 120 characters.
#[must_use]
pub fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().chars().take(120).collect()
}

fn message_mut(view: &mut ReadModel, id: Uuid) -> Option<&mut Message> {
    let place = view.messages.binary_search_by_key(&id, |message| message.id).ok()?;
    view.messages.get_mut(place)
}

fn add_part(message: &mut Message, part: Part) -> Option<Touched> {
    // starting a part twice is harmless: it starts anew
    match message.parts.iter_mut().find(|known| known.id() == part.id()) {
        Some(known) => *known = part,
        None => message.parts.push(part),
    }
    Some(Touched::Message(message.id))
}

fn append(message: &mut Message, part_id: &str, delta: &str) -> Option<Touched> {
    message.parts.iter_mut().rev().find_map(|part| match part {
        Part::Text { id, text } | Part::Reasoning { id, text } if id == part_id => {
            text.push_str(delta);
            Some(Touched::Grown { message_id: message.id, part_id: part_id.to_owned(), delta: delta.to_owned() })
        }
        _ => None,
    })
}

fn change_call(message: &mut Message, call_id: &str, change: impl FnOnce(&mut ToolCall)) -> Option<Touched> {
    let call = message.parts.iter_mut().rev().find_map(|part| match part {
        Part::ToolCall(call) if call.id == call_id => Some(call),
        _ => None,
    })?;
    change(call);
    Some(Touched::Message(message.id))
}

fn put_changes(message: &mut Message, changes: Changes) {
    message.parts.retain(|part| !matches!(part, Part::Changes(_)));
    message.parts.push(Part::Changes(changes));
}

/// A step runs again: the named part and all that came after it in its message are void.
fn restart(message: &mut Message, part_id: &str) -> Option<Touched> {
    let place = message.parts.iter().position(|part| part.id() == Some(part_id))?;
    message.parts.truncate(place);
    Some(Touched::Message(message.id))
}
