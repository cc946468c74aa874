//! The live end of a chat's log: one `EventSource`, folded in its callback.
//!
//! A connection that says nothing for three heartbeats is given up and made anew from the last number; a server that refuses it is
//! asked why. What arrives after the conversation is gone is dropped.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use leptos::{leptos_dom::helpers::IntervalHandle, prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{EventSource, MessageEvent};
use wire::chat::ReadModel;
use wire::event::{Custom, Event, Mode};

use super::conversation::{Conversation, Link, WeakConversation};
use crate::api;

/// Three heartbeats of 10 s, and a little for the network.
const SILENCE: f64 = 32_000.0;
const CHECK: Duration = Duration::from_secs(4);

/// Keeps the connection up while it lives; dropping it closes the connection.
pub struct LogStream(Rc<Shared>);

struct Shared {
    conversation: WeakConversation,
    source: RefCell<Option<Connection>>,
    heard: Cell<f64>,
    failures: Cell<u32>,
    watch: Cell<Option<IntervalHandle>>,
    ended: Cell<bool>,
    /// The log is whole: when the server ends the stream, nothing more will come.
    whole: Cell<bool>,
    online: RefCell<Option<WindowListenerHandle>>,
}

/// The closures live as long as the source that calls them.
struct Connection {
    source: EventSource,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.source.set_onmessage(None);
        self.source.set_onerror(None);
        self.source.close();
    }
}

impl Drop for LogStream {
    fn drop(&mut self) {
        self.0.end();
        self.0.source.borrow_mut().take();
    }
}

impl LogStream {
    /// Follows the conversation's log from the newest event that it holds.
    #[must_use]
    pub fn follow(conversation: &Conversation) -> LogStream {
        let shared = Rc::new(Shared {
            conversation: conversation.downgrade(),
            source: RefCell::new(None),
            heard: Cell::new(now()),
            failures: Cell::new(0),
            watch: Cell::new(None),
            ended: Cell::new(false),
            whole: Cell::new(false),
            online: RefCell::new(None),
        });
        let weak = Rc::downgrade(&shared);
        let watch = set_interval_with_handle(
            move || {
                if let Some(shared) = weak.upgrade() {
                    shared.check();
                }
            },
            CHECK,
        );
        shared.watch.set(watch.ok());
        let weak = Rc::downgrade(&shared);
        let online = window_event_listener(leptos::ev::online, move |_| {
            if let Some(shared) = weak.upgrade() {
                shared.connect();
            }
        });
        *shared.online.borrow_mut() = Some(online);
        shared.connect();
        LogStream(shared)
    }
}

impl LogStream {
    /// Whether nothing more will come: the chat has ended, or is not there any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.ended.get()
    }
}

impl Shared {
    fn end(&self) {
        self.ended.set(true);
        if let Some(watch) = self.watch.take() {
            watch.clear();
        }
        if let Some(online) = self.online.borrow_mut().take() {
            online.remove();
        }
    }

    /// Opens a connection from the newest number; one that stands is given up.
    fn connect(self: &Rc<Self>) {
        let Some(conversation) = self.conversation.upgrade() else { return self.end() };
        if self.ended.get() {
            return;
        }
        self.heard.set(now());
        let address = format!("/api/v1/chats/{}/events?after={}", conversation.id(), conversation.seq());
        let Ok(source) = EventSource::new(&address) else { return };
        let weak = Rc::downgrade(self);
        let message = Closure::new(move |event: MessageEvent| {
            if let Some(shared) = weak.upgrade() {
                shared.message(&event);
            }
        });
        let weak = Rc::downgrade(self);
        let error = Closure::new(move |_| {
            if let Some(shared) = weak.upgrade() {
                shared.error();
            }
        });
        source.set_onmessage(Some(message.as_ref().unchecked_ref()));
        source.set_onerror(Some(error.as_ref().unchecked_ref()));
        let new = Connection { source, _message: message, _error: error };
        let old = self.source.replace(Some(new));
        // not while one of its own closures runs
        set_timeout(move || drop(old), Duration::ZERO);
    }

    fn message(self: &Rc<Self>, message: &MessageEvent) {
        let Some(conversation) = self.conversation.upgrade() else { return };
        if self.ended.get() {
            return;
        }
        self.heard.set(now());
        self.failures.set(0);
        let Some(data) = message.data().as_string() else { return };
        // what is not known here is passed over: the server may be newer than the page
        let Ok(event) = serde_json::from_str::<Event>(&data) else { return };
        match &event {
            Event::Custom { name, value } => match Custom::parse(name, value) {
                Some(Custom::Heartbeat) => conversation.set_link(Link::Live),
                Some(Custom::Attached { mode: Mode::Replay | Mode::Snapshot, .. }) => conversation.set_link(Link::Live),
                Some(Custom::Attached { mode: Mode::Closed, .. }) => {
                    self.whole.set(true);
                    conversation.set_link(Link::Live);
                }
                _ => self.numbered(&conversation, message, event),
            },
            Event::StateSnapshot { snapshot } => match serde_json::from_value::<ReadModel>(snapshot.clone()) {
                Ok(model) if model.thread_id == conversation.thread().get_untracked() => {
                    conversation.replace_model(model)
                }
                _ => self.read_anew(),
            },
            _ => self.numbered(&conversation, message, event),
        }
    }

    fn numbered(&self, conversation: &Conversation, message: &MessageEvent, event: Event) {
        if let Ok(seq) = message.last_event_id().parse() {
            conversation.take(seq, event);
        }
    }

    fn error(self: &Rc<Self>) {
        let Some(conversation) = self.conversation.upgrade() else { return };
        if self.ended.get() {
            return;
        }
        if self.whole.get() {
            self.end();
            return self.give_up();
        }
        conversation.set_link(Link::Reconnecting);
        let closed = self
            .source
            .borrow()
            .as_ref()
            .is_none_or(|connection| connection.source.ready_state() == EventSource::CLOSED);
        if closed {
            // refused rather than cut: ask why, after a while that grows
            let failures = self.failures.get();
            self.failures.set(failures + 1);
            let weak = Rc::downgrade(self);
            let wait = Duration::from_millis(500 * 2_u64.pow(failures.min(4)));
            set_timeout(
                move || {
                    if let Some(shared) = weak.upgrade() {
                        shared.read_anew();
                    }
                },
                wait,
            );
        }
    }

    /// Reads the chat as it is and follows it from there.
    fn read_anew(self: &Rc<Self>) {
        let Some(conversation) = self.conversation.upgrade() else { return };
        if self.ended.get() {
            return;
        }
        let weak = Rc::downgrade(self);
        let thread = conversation.thread().get_untracked();
        let id = conversation.id();
        drop(conversation);
        spawn_local(async move {
            let answer = api::chat::open(id, Some(thread)).await;
            let Some(shared) = weak.upgrade() else { return };
            let Some(conversation) = shared.conversation.upgrade() else { return };
            if shared.ended.get() {
                return;
            }
            match answer {
                Ok(opened) => {
                    conversation.replace(opened);
                    shared.connect();
                }
                Err(error) if matches!(error.0.status, 401 | 403 | 404 | 410) => {
                    shared.end();
                    conversation.set_link(Link::Closed(error.detail()));
                    shared.give_up();
                }
                Err(_) => shared.error(),
            }
        });
    }

    fn give_up(&self) {
        let old = self.source.take();
        set_timeout(move || drop(old), Duration::ZERO);
    }

    fn check(self: &Rc<Self>) {
        if self.conversation.upgrade().is_none() {
            return self.end();
        }
        if now() - self.heard.get() > SILENCE {
            if let Some(conversation) = self.conversation.upgrade() {
                conversation.set_link(Link::Reconnecting);
            }
            self.connect();
        }
    }
}

fn now() -> f64 {
    js_sys::Date::now()
}
