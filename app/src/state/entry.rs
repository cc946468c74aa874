use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use leptos::prelude::*;
use uuid::Uuid;
use wire::message::{Changes, Message, MessageState, Part, ToolCall};

use super::growing::Growing;

/// What a part of a message is, and by which name events know it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PartKey {
    Text(String),
    Reasoning(String),
    Tool(String),
    Changes,
}

/// One message on the screen, with a signal for each thing of it that changes by itself.
#[derive(Clone)]
pub struct Entry(Arc<Inner>);

struct Inner {
    id: Uuid,
    /// The message without its parts.
    head: ArcRwSignal<Arc<Message>>,
    parts: ArcRwSignal<Vec<PartKey>>,
    texts: Mutex<HashMap<String, Growing>>,
    calls: Mutex<HashMap<String, ArcRwSignal<Arc<ToolCall>>>>,
    changes: ArcRwSignal<Option<Arc<Changes>>>,
}

impl Entry {
    #[must_use]
    pub fn new(message: &Message) -> Entry {
        let entry = Entry(Arc::new(Inner {
            id: message.id,
            head: ArcRwSignal::new(Arc::new(head(message))),
            parts: ArcRwSignal::new(Vec::new()),
            texts: Mutex::default(),
            calls: Mutex::default(),
            changes: ArcRwSignal::new(None),
        }));
        entry.update(message);
        entry
    }

    #[must_use]
    pub fn id(&self) -> Uuid {
        self.0.id
    }

    #[must_use]
    pub fn head(&self) -> ArcRwSignal<Arc<Message>> {
        self.0.head.clone()
    }

    #[must_use]
    pub fn parts(&self) -> ArcRwSignal<Vec<PartKey>> {
        self.0.parts.clone()
    }

    #[must_use]
    pub fn changes(&self) -> ArcRwSignal<Option<Arc<Changes>>> {
        self.0.changes.clone()
    }

    #[must_use]
    pub fn text(&self, id: &str) -> Option<Growing> {
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    #[must_use]
    pub fn call(&self, id: &str) -> Option<ArcRwSignal<Arc<ToolCall>>> {
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Brings the entry to what the message is now, touching only what differs.
    pub fn update(&self, message: &Message) {
        let whole = message.state != MessageState::Streaming;
        let mut keys = Vec::with_capacity(message.parts.len());
        let mut changes = None;
        for part in &message.parts {
            match part {
                Part::Text { id, text } => {
                    self.grow(id, text, whole);
                    keys.push(PartKey::Text(id.clone()));
                }
                Part::Reasoning { id, text } => {
                    self.grow(id, text, whole);
                    keys.push(PartKey::Reasoning(id.clone()));
                }
                Part::ToolCall(call) => {
                    self.update_call(call);
                    keys.push(PartKey::Tool(call.id.clone()));
                }
                Part::Changes(made) => {
                    changes = Some(Arc::new(made.clone()));
                    keys.push(PartKey::Changes);
                }
            }
        }
        set_if_changed(&self.0.changes, changes);
        set_if_changed(&self.0.head, Arc::new(head(message)));
        // last: who draws a part finds what it is
        set_if_changed(&self.0.parts, keys);
    }

    /// A text or reasoning part is now this.
    pub fn grow(&self, id: &str, text: &str, whole: bool) {
        let mut texts = self.0.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = texts.get(id).cloned() else {
            texts.insert(id.to_owned(), Growing::new(text, whole));
            return;
        };
        drop(texts);
        known.update(text, whole);
    }

    fn update_call(&self, call: &ToolCall) {
        let mut calls = self.0.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = calls.get(&call.id).cloned() else {
            calls.insert(call.id.clone(), ArcRwSignal::new(Arc::new(call.clone())));
            return;
        };
        drop(calls);
        if **known.read_untracked() != *call {
            known.set(Arc::new(call.clone()));
        }
    }
}

fn head(message: &Message) -> Message {
    Message {
        id: message.id,
        chat_id: message.chat_id,
        thread_id: message.thread_id,
        turn_id: message.turn_id,
        client_id: message.client_id.clone(),
        sender: message.sender.clone(),
        class: message.class,
        subclass: message.subclass.clone(),
        format: message.format.clone(),
        state: message.state,
        parts: Vec::new(),
        attachments: message.attachments.clone(),
        created_at: message.created_at,
        edited_at: message.edited_at,
    }
}

/// Sets a signal only where its value is another.
pub(super) fn set_if_changed<T: PartialEq + Send + Sync + 'static>(signal: &ArcRwSignal<T>, value: T) {
    if *signal.read_untracked() != value {
        signal.set(value);
    }
}
