//! The open chat of the drawer: one read model, kept outside what is reactive and folded by [`wire::fold`] as events come, and
//! a signal for each thing of it that is on the screen. What an event touched is gathered and shown once a frame.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use leptos::prelude::*;
use uuid::Uuid;
use wire::chat::{Chat, ReadModel, Thread};
use wire::event::{Banner, Custom, Event, Numbered};
use wire::fold::{self, Touched};
use wire::message::{Message, SenderKind};
use wire::turn::{Pause, Turn};

use super::entry::{Entry, set_if_changed};
use super::outbox::Outgoing;
use crate::api::chat::Opened;

/// How the page is connected to the chat's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// Not asked yet: the first HTML, or a page without WebAssembly.
    Still,
    Live,
    /// Lost; a new connection is being tried.
    Reconnecting,
    /// No more will come: the sentence says why.
    Closed(String),
}

/// Messages before the first one shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Older {
    None,
    Some,
    Loading,
    /// The last try failed.
    Failed,
}

#[derive(Clone)]
pub struct Conversation(Arc<Inner>);

/// Does not keep the conversation alive: for callbacks that may outlive it.
#[derive(Clone)]
pub struct WeakConversation(Weak<Inner>);

struct Inner {
    id: Uuid,
    model: Mutex<ReadModel>,
    entries: Mutex<BTreeMap<Uuid, Entry>>,
    turns: Mutex<HashMap<Uuid, ArcRwSignal<Option<Arc<Turn>>>>>,
    /// By the message that caused it.
    caused: Mutex<HashMap<Uuid, ArcRwSignal<Option<Arc<Turn>>>>>,
    /// Turns whose agent message is there.
    answered: ArcRwSignal<HashSet<Uuid>>,
    order: ArcRwSignal<Vec<Uuid>>,
    chat: ArcRwSignal<Chat>,
    threads: ArcRwSignal<Vec<Thread>>,
    thread: ArcRwSignal<Option<Uuid>>,
    turn: ArcRwSignal<Option<Arc<Turn>>>,
    queued: ArcRwSignal<Vec<Turn>>,
    held: ArcRwSignal<bool>,
    pause: ArcRwSignal<Option<Pause>>,
    banners: ArcRwSignal<Vec<Banner>>,
    older: ArcRwSignal<Older>,
    link: ArcRwSignal<Link>,
    /// A new thread is being begun: it is stored with its first message.
    fresh_thread: ArcRwSignal<bool>,
    project: String,
    own: bool,
    outbox: ArcRwSignal<Vec<Outgoing>>,
    pending: Mutex<Pending>,
}

/// What events touched since the last frame.
#[derive(Default)]
struct Pending {
    scheduled: bool,
    order: bool,
    chat: bool,
    threads: bool,
    turns: bool,
    pause: bool,
    messages: HashSet<Uuid>,
    grown: HashSet<(Uuid, String)>,
    banners: Vec<Banner>,
    turn: Vec<Turn>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WeakConversation {
    #[must_use]
    pub fn upgrade(&self) -> Option<Conversation> {
        self.0.upgrade().map(Conversation)
    }
}

impl PartialEq for Conversation {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Conversation {
    #[must_use]
    pub fn new(opened: Opened) -> Conversation {
        let Opened { model, turns, banners, project, own } = opened;
        let conversation = Conversation(Arc::new(Inner {
            id: model.chat.id,
            entries: Mutex::default(),
            turns: Mutex::default(),
            caused: Mutex::default(),
            answered: ArcRwSignal::default(),
            order: ArcRwSignal::default(),
            chat: ArcRwSignal::new(model.chat.clone()),
            threads: ArcRwSignal::new(Vec::new()),
            thread: ArcRwSignal::new(None),
            turn: ArcRwSignal::new(None),
            queued: ArcRwSignal::new(Vec::new()),
            held: ArcRwSignal::new(false),
            pause: ArcRwSignal::new(None),
            banners: ArcRwSignal::new(banners),
            older: ArcRwSignal::new(Older::None),
            link: ArcRwSignal::new(Link::Still),
            fresh_thread: ArcRwSignal::new(false),
            project,
            own,
            outbox: ArcRwSignal::new(Vec::new()),
            pending: Mutex::default(),
            model: Mutex::new(model),
        }));
        for turn in turns {
            conversation.note_turn(turn);
        }
        conversation.show_all();
        conversation
    }

    #[must_use]
    pub fn downgrade(&self) -> WeakConversation {
        WeakConversation(Arc::downgrade(&self.0))
    }

    #[must_use]
    pub fn id(&self) -> Uuid {
        self.0.id
    }

    /// The slug of the chat's project.
    #[must_use]
    pub fn project(&self) -> &str {
        &self.0.project
    }

    /// Whether the chat is the reader's own: only its owner writes in it.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.0.own
    }

    /// Whether a new thread is being begun.
    #[must_use]
    pub fn fresh_thread(&self) -> ArcRwSignal<bool> {
        self.0.fresh_thread.clone()
    }

    #[must_use]
    pub fn order(&self) -> ArcRwSignal<Vec<Uuid>> {
        self.0.order.clone()
    }

    #[must_use]
    pub fn chat(&self) -> ArcRwSignal<Chat> {
        self.0.chat.clone()
    }

    #[must_use]
    pub fn threads(&self) -> ArcRwSignal<Vec<Thread>> {
        self.0.threads.clone()
    }

    /// The open thread.
    #[must_use]
    pub fn thread(&self) -> ArcRwSignal<Option<Uuid>> {
        self.0.thread.clone()
    }

    /// The running turn, or the first queued one.
    #[must_use]
    pub fn turn(&self) -> ArcRwSignal<Option<Arc<Turn>>> {
        self.0.turn.clone()
    }

    #[must_use]
    pub fn queued(&self) -> ArcRwSignal<Vec<Turn>> {
        self.0.queued.clone()
    }

    #[must_use]
    pub fn held(&self) -> ArcRwSignal<bool> {
        self.0.held.clone()
    }

    #[must_use]
    pub fn pause(&self) -> ArcRwSignal<Option<Pause>> {
        self.0.pause.clone()
    }

    #[must_use]
    pub fn banners(&self) -> ArcRwSignal<Vec<Banner>> {
        self.0.banners.clone()
    }

    #[must_use]
    pub fn older(&self) -> ArcRwSignal<Older> {
        self.0.older.clone()
    }

    #[must_use]
    pub fn link(&self) -> ArcRwSignal<Link> {
        self.0.link.clone()
    }

    #[must_use]
    pub fn outbox(&self) -> ArcRwSignal<Vec<Outgoing>> {
        self.0.outbox.clone()
    }

    #[must_use]
    pub fn entry(&self, id: Uuid) -> Option<Entry> {
        lock(&self.0.entries).get(&id).cloned()
    }

    /// Turns whose agent message is on the screen.
    #[must_use]
    pub fn answered(&self) -> ArcRwSignal<HashSet<Uuid>> {
        self.0.answered.clone()
    }

    /// The turn of this id, as soon as it is known.
    #[must_use]
    pub fn turn_of(&self, id: Uuid) -> ArcRwSignal<Option<Arc<Turn>>> {
        lock(&self.0.turns).entry(id).or_default().clone()
    }

    /// The turn that this message caused, as soon as it is known.
    #[must_use]
    pub fn caused_by(&self, message: Uuid) -> ArcRwSignal<Option<Arc<Turn>>> {
        lock(&self.0.caused).entry(message).or_default().clone()
    }

    /// The newest event that the view holds.
    #[must_use]
    pub fn seq(&self) -> i64 {
        lock(&self.0.model).seq
    }

    /// The first message shown: what older pages come before.
    #[must_use]
    pub fn first(&self) -> Option<Uuid> {
        lock(&self.0.model).messages.first().map(|message| message.id)
    }

    /// One event of the log. Those that the view holds already change nothing.
    pub fn take(&self, seq: i64, event: Event) {
        let numbered = Numbered { seq, event };
        let touched = fold::apply(&mut lock(&self.0.model), &numbered);
        if touched.is_empty() {
            return;
        }
        let mut pending = lock(&self.0.pending);
        if let Event::Custom { name, value } = &numbered.event
            && let Some(Custom::Turn(turn)) = Custom::parse(name, value)
        {
            pending.turn.push(*turn);
        }
        for touched in touched {
            match touched {
                Touched::Order => pending.order = true,
                Touched::Message(id) => drop(pending.messages.insert(id)),
                Touched::Grown { message_id, part_id, .. } => drop(pending.grown.insert((message_id, part_id))),
                Touched::Chat => pending.chat = true,
                Touched::Threads => pending.threads = true,
                Touched::Turns => pending.turns = true,
                Touched::Pause => pending.pause = true,
                Touched::Banner(banner) => pending.banners.push(banner),
            }
        }
        self.schedule(&mut pending);
    }

    fn schedule(&self, pending: &mut Pending) {
        if pending.scheduled {
            return;
        }
        pending.scheduled = true;
        let weak = self.downgrade();
        let flush = move || {
            if let Some(conversation) = weak.upgrade() {
                conversation.flush();
            }
        };
        if document().hidden() {
            // a page that nobody sees gets no frames
            set_timeout(flush, std::time::Duration::from_millis(100));
        } else {
            request_animation_frame(flush);
        }
    }

    fn flush(&self) {
        let pending = std::mem::take(&mut *lock(&self.0.pending));
        for turn in pending.turn {
            self.note_turn(turn);
        }
        let model = lock(&self.0.model);
        if pending.order {
            self.show_order(&model);
        }
        for id in &pending.messages {
            if let Some(message) = find(&model, *id) {
                self.show_message(message);
            }
        }
        for (id, part) in &pending.grown {
            let text = find(&model, *id).and_then(|message| {
                message.parts.iter().find(|known| known.id() == Some(part)).map(|part| (message, part))
            });
            if let (
                Some(entry),
                Some((message, wire::message::Part::Text { text, .. } | wire::message::Part::Reasoning { text, .. })),
            ) = (self.entry(*id), text)
            {
                entry.grow(part, text, message.state != wire::message::MessageState::Streaming);
            }
        }
        if pending.chat {
            set_if_changed(&self.0.chat, model.chat.clone());
        }
        if pending.threads {
            set_if_changed(&self.0.threads, model.threads.clone());
        }
        if pending.turns {
            self.show_turns(&model);
        }
        if pending.pause {
            set_if_changed(&self.0.pause, model.pause.clone());
        }
        drop(model);
        for banner in pending.banners {
            self.show_banner(banner);
        }
    }

    /// The view as it is, from a snapshot or a fresh read. What the person wrote and is not stored yet stays.
    pub fn replace(&self, opened: Opened) {
        for turn in opened.turns {
            self.note_turn(turn);
        }
        *lock(&self.0.model) = opened.model;
        set_if_changed(&self.0.fresh_thread, false);
        set_if_changed(&self.0.banners, opened.banners);
        self.show_all();
    }

    /// The view as a snapshot of the log says it.
    pub fn replace_model(&self, model: ReadModel) {
        *lock(&self.0.model) = model;
        self.show_all();
    }

    /// Puts older messages before the first one.
    pub fn prepend(&self, messages: Vec<Message>, turns: Vec<Turn>, more: bool) {
        for turn in turns {
            self.note_turn(turn);
        }
        let mut model = lock(&self.0.model);
        let known: HashSet<Uuid> = model.messages.iter().map(|message| message.id).collect();
        model.messages.extend(messages.into_iter().filter(|message| !known.contains(&message.id)));
        model.messages.sort_by_key(|message| message.id);
        self.show_order(&model);
        set_if_changed(&self.0.older, if more { Older::Some } else { Older::None });
    }

    /// The chat as a command answered it; the log tells it to everyone else.
    pub fn set_chat(&self, chat: Chat) {
        lock(&self.0.model).chat = chat.clone();
        set_if_changed(&self.0.chat, chat);
    }

    /// Forgets what is on the screen twice: stored messages that the log has shown already.
    pub fn forget_arrived(&self) {
        let model = lock(&self.0.model);
        let arrived: HashSet<&str> = model.messages.iter().filter_map(|message| message.client_id.as_deref()).collect();
        if self.0.outbox.read_untracked().iter().any(|sent| arrived.contains(sent.client_id.as_str())) {
            self.0.outbox.update(|outbox| outbox.retain(|sent| !arrived.contains(sent.client_id.as_str())));
        }
    }

    pub fn set_older(&self, older: Older) {
        set_if_changed(&self.0.older, older);
    }

    pub fn set_link(&self, link: Link) {
        set_if_changed(&self.0.link, link);
    }

    pub fn show_banner(&self, banner: Banner) {
        let mut banners = self.0.banners.get_untracked();
        banners.retain(|known| known.code != banner.code);
        // a banner without words takes back the one of its code
        if !banner.text.is_empty() {
            banners.push(banner);
        }
        set_if_changed(&self.0.banners, banners);
    }

    /// Remembers what is known of a turn.
    pub fn note_turn(&self, turn: Turn) {
        // what stood in the way of earlier turns does so no more
        if turn.state.is_over() && self.0.banners.read_untracked().iter().any(|banner| banner.is_past(turn.state)) {
            self.0.banners.update(|banners| banners.retain(|banner| !banner.is_past(turn.state)));
        }
        let turn = Some(Arc::new(turn));
        if let Some(known) = &turn {
            set_if_changed(&self.turn_of(known.id), turn.clone());
            set_if_changed(&self.caused_by(known.message_id), turn);
        }
    }

    fn show_all(&self) {
        let model = lock(&self.0.model);
        for turn in model.turn.iter().chain(&model.queued) {
            self.note_turn(turn.clone());
        }
        for message in &model.messages {
            self.show_message(message);
        }
        self.show_order(&model);
        self.show_turns(&model);
        set_if_changed(&self.0.chat, model.chat.clone());
        set_if_changed(&self.0.threads, model.threads.clone());
        set_if_changed(&self.0.thread, model.thread_id);
        set_if_changed(&self.0.pause, model.pause.clone());
        let count =
            model.threads.iter().find(|thread| thread.id == model.thread_id).map_or(0, |thread| thread.message_count);
        let more = usize::try_from(count).is_ok_and(|count| count > model.messages.len());
        set_if_changed(&self.0.older, if more { Older::Some } else { Older::None });
    }

    fn show_turns(&self, model: &ReadModel) {
        set_if_changed(&self.0.turn, model.turn.clone().map(Arc::new));
        set_if_changed(&self.0.queued, model.queued.clone());
        set_if_changed(&self.0.held, model.held);
    }

    fn show_order(&self, model: &ReadModel) {
        for message in &model.messages {
            if self.entry(message.id).is_none() {
                self.show_message(message);
            }
        }
        let order: Vec<Uuid> = model.messages.iter().map(|message| message.id).collect();
        let shown: HashSet<Uuid> = order.iter().copied().collect();
        lock(&self.0.entries).retain(|id, _| shown.contains(id));
        let arrived: HashSet<&str> = model.messages.iter().filter_map(|message| message.client_id.as_deref()).collect();
        if self.0.outbox.read_untracked().iter().any(|sent| arrived.contains(sent.client_id.as_str())) {
            self.0.outbox.update(|outbox| outbox.retain(|sent| !arrived.contains(sent.client_id.as_str())));
        }
        set_if_changed(&self.0.order, order);
    }

    fn show_message(&self, message: &Message) {
        let known = self.entry(message.id);
        match known {
            Some(entry) => entry.update(message),
            None => drop(lock(&self.0.entries).insert(message.id, Entry::new(message))),
        }
        if message.sender.kind == SenderKind::Agent
            && let Some(turn) = message.turn_id
            && !self.0.answered.read_untracked().contains(&turn)
        {
            self.0.answered.update(|answered| {
                answered.insert(turn);
            });
        }
    }
}

fn find(model: &ReadModel, id: Uuid) -> Option<&Message> {
    let place = model.messages.binary_search_by_key(&id, |message| message.id).ok()?;
    model.messages.get(place)
}
