//! Which chat the drawer holds, and how it came to.
//!
//! The address decides: `?chat=` names the chat, and a tab whose drawer is open keeps it there. Without it, it is the chat that
//! this tab last had on the record, or the record's latest open one.

use leptos::{prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use uuid::Uuid;
use wire::chat::{ChatLine, NewChat, SendMessage};

use super::conversation::Conversation;
use super::log_stream::LogStream;
use super::outbox::{Outgoing, Sending};
use super::place::RecordAt;
use super::toasts::Toasts;
use crate::api::{
    self,
    chat::{Drawn, Opened, Subject},
};
use crate::ui::dom;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loading {
    /// Nothing was asked for.
    Idle,
    Loading,
    Ready,
    /// The sentence says why; asking again may help.
    Failed(String),
}

#[derive(Clone, Copy)]
pub struct Chats {
    place: RwSignal<Option<RecordAt>>,
    subject: RwSignal<Option<Subject>>,
    current: RwSignal<Option<Conversation>>,
    lines: RwSignal<Vec<ChatLine>>,
    loading: RwSignal<Loading>,
    /// Why the chat that was asked for is not there.
    missing: RwSignal<Option<String>>,
    /// Messages of a chat that is not stored yet.
    starting: RwSignal<Vec<Outgoing>>,
    /// The chat that a first send made and whose message did not arrive.
    begun: StoredValue<Option<Uuid>>,
    /// A new chat has just become a stored one: what stands in the box goes with it.
    carried: StoredValue<bool>,
    /// Each request's number: an answer that a later one overtook is dropped.
    asked: StoredValue<u64>,
    /// Wishes for a fresh list that are not answered yet.
    wishes: StoredValue<u32>,
    stream: StoredValue<Option<SendWrapper<LogStream>>>,
}

impl Chats {
    /// Makes the drawer's chats known to everything below. Called once, by the application.
    pub fn provide() -> Chats {
        let chats = Chats {
            place: RwSignal::new(None),
            subject: RwSignal::new(None),
            current: RwSignal::new(None),
            lines: RwSignal::new(Vec::new()),
            loading: RwSignal::new(Loading::Idle),
            missing: RwSignal::new(None),
            starting: RwSignal::new(Vec::new()),
            begun: StoredValue::new(None),
            carried: StoredValue::new(false),
            asked: StoredValue::new(0),
            wishes: StoredValue::new(0),
            stream: StoredValue::new(None),
        };
        provide_context(chats);
        chats
    }

    #[must_use]
    pub fn current(self) -> Option<Conversation> {
        self.current.get()
    }

    #[must_use]
    pub fn current_now(self) -> Option<Conversation> {
        self.current.get_untracked()
    }

    #[must_use]
    pub fn subject(self) -> Option<Subject> {
        self.subject.get()
    }

    #[must_use]
    pub fn subject_now(self) -> Option<Subject> {
        self.subject.get_untracked()
    }

    #[must_use]
    pub fn lines(self) -> Vec<ChatLine> {
        self.lines.get()
    }

    #[must_use]
    pub fn loading(self) -> Loading {
        self.loading.get()
    }

    #[must_use]
    pub fn missing(self) -> Option<String> {
        self.missing.get()
    }

    #[must_use]
    pub fn starting(self) -> RwSignal<Vec<Outgoing>> {
        self.starting
    }

    /// The other open chats of the record.
    #[must_use]
    pub fn others(self) -> Vec<ChatLine> {
        let current = self.current.get().map(|current| current.id());
        self.lines.with(|lines| lines.iter().filter(|line| Some(line.chat.id) != current).cloned().collect())
    }

    /// Takes over what the server drew, or what it answered.
    pub fn apply(self, place: Option<RecordAt>, drawn: Drawn) {
        if place.is_some() {
            self.place.set(place);
        }
        if drawn.subject.is_some() {
            self.subject.set(drawn.subject);
        }
        self.lines.set(drawn.lines);
        self.missing.set(drawn.missing);
        match (drawn.opened, self.current.get_untracked()) {
            (Some(opened), Some(current)) if opened.model.chat.id == current.id() => current.replace(opened),
            (Some(opened), _) => self.hold(Some(Conversation::new(opened))),
            (None, _) => self.hold(None),
        }
        self.loading.set(Loading::Ready);
    }

    /// What was asked for could not be read.
    pub fn fail(self, why: String) {
        self.loading.set(Loading::Failed(why));
    }

    fn hold(self, conversation: Option<Conversation>) {
        self.stream.set_value(None);
        self.current.set(conversation);
    }

    /// Follows the log of the chat that is held, where it is not followed yet. In the browser only.
    pub fn follow(self) {
        let Some(current) = self.current.get_untracked() else { return };
        self.stream.update_value(|stream| {
            // an ended chat's log is over; a restored one's goes on
            let over = stream.as_ref().is_none_or(|stream| stream.is_over());
            if over && (stream.is_none() || current.chat().read_untracked().ended_at.is_none()) {
                *stream = Some(SendWrapper::new(LogStream::follow(&current)));
            }
        });
    }

    /// Lets the chat go: the drawer is closed.
    pub fn leave(self) {
        self.asked.update_value(|asked| *asked += 1);
        self.hold(None);
        self.loading.set(Loading::Idle);
        mirror(None);
    }

    /// The page is now `place`, and its address asks for `chat`.
    pub fn turn_to(self, place: Option<RecordAt>, chat: Option<Uuid>) {
        let held = self.current.get_untracked().map(|current| current.id());
        let known = *self.loading.read_untracked() == Loading::Ready;
        let same_place = place.is_none() || place == self.place.get_untracked();
        if known && same_place && (chat.is_none() || chat == held) {
            // pages without a record keep the chat that is open
            return mirror(held);
        }
        let chat = chat.or_else(|| place.as_ref().and_then(remembered));
        if place.is_none() && chat.is_none() {
            return;
        }
        self.load(place, chat);
    }

    /// Opens one of the person's chats in place of the present one.
    pub fn choose(self, chat: Uuid) {
        self.load(self.place.get_untracked(), Some(chat));
    }

    /// An empty chat: it is stored with its first message.
    pub fn start_new(self) {
        self.asked.update_value(|asked| *asked += 1);
        self.hold(None);
        self.missing.set(None);
        self.loading.set(Loading::Ready);
        self.starting.set(Vec::new());
        self.begun.set_value(None);
        mirror(None);
        dom::focus("#message");
    }

    /// Whether a new chat has become a stored one since this was last asked.
    pub fn was_carried(self) -> bool {
        self.carried.try_update_value(std::mem::take).unwrap_or(false)
    }

    /// Whether a message can be sent now.
    #[must_use]
    pub fn is_ready_now(self) -> bool {
        let starting = self.starting.read_untracked().iter().any(|outgoing| outgoing.state == Sending::OnItsWay);
        *self.loading.read_untracked() == Loading::Ready && !starting
    }

    /// Asks again for what could not be read.
    pub fn retry(self) {
        self.load(self.place.get_untracked(), self.current.get_untracked().map(|current| current.id()));
    }

    fn load(self, place: Option<RecordAt>, chat: Option<Uuid>) {
        let asked = self.next();
        let held = self.current.get_untracked().map(|current| current.id());
        if held.is_none() || held != chat {
            self.loading.set(Loading::Loading);
        }
        if place.is_some() {
            self.place.set(place.clone());
        }
        self.starting.set(Vec::new());
        self.begun.set_value(None);
        spawn_local(async move {
            let answer = api::chat::drawer(place.clone(), chat).await;
            if self.asked.try_get_value() != Some(asked) {
                return;
            }
            match answer {
                Ok(drawn) => {
                    self.apply(place, drawn);
                }
                Err(error) => self.loading.set(Loading::Failed(error.detail())),
            }
        });
    }

    fn next(self) -> u64 {
        self.asked.update_value(|asked| *asked += 1);
        self.asked.get_value()
    }

    /// Keeps in the address, and for this tab's way back, which chat is open.
    pub fn remember(self) {
        let chat = self.current.get_untracked().map(|current| current.id());
        let place = self.place.get_untracked();
        if let (Some(place), Some(chat)) = (&place, chat)
            && let Some(storage) = window().session_storage().ok().flatten()
        {
            let _ = storage.set_item(&key(place), &chat.to_string());
        }
        mirror(chat);
    }

    /// Reads the list behind the chip anew. While it is being read the next wish waits, and several that wait are one.
    pub fn refresh_lines(self) {
        let wishes = self.wishes.try_update_value(|wishes| {
            *wishes += 1;
            *wishes
        });
        if wishes == Some(1) {
            spawn_local(async move { self.read_lines().await });
        }
    }

    async fn read_lines(self) {
        while let Some(wishes) = self.wishes.try_get_value() {
            if let Some((project, record)) = self.about()
                && let Ok(lines) = api::chat::lines(project, record).await
            {
                let _ = self.lines.try_set(lines);
            }
            let left = self.wishes.try_update_value(|now| {
                // one more round for all that was wished meanwhile
                *now = u32::from(*now > wishes);
                *now
            });
            if left != Some(1) {
                return;
            }
        }
    }

    /// Something about the chat that is held was said to every tab: where its log is over, the chat is read anew.
    pub fn hear_of(self, chat: Option<Uuid>) {
        let Some(current) = self.current.get_untracked().filter(|current| Some(current.id()) == chat) else { return };
        if !self.stream.with_value(|stream| stream.as_ref().is_some_and(|stream| stream.is_over())) {
            return;
        }
        let thread = current.thread().get_untracked();
        spawn_local(async move {
            if let Ok(opened) = api::chat::open(current.id(), Some(thread)).await {
                current.replace(opened);
                self.follow();
            }
        });
    }

    /// Project and record whose chats are listed.
    fn about(self) -> Option<(Uuid, Uuid)> {
        let subject = self.subject.get_untracked().map(|subject| (subject.project_id, subject.record_id));
        subject.or_else(|| {
            let chat = self.current.get_untracked()?.chat().get_untracked();
            Some((chat.project_id, chat.record_id?))
        })
    }

    /// Whether a notice about this record or chat concerns what the drawer lists.
    #[must_use]
    pub fn concerns(self, record: Option<Uuid>, chat: Option<Uuid>) -> bool {
        let about = self.about().map(|(_, record)| record);
        (record.is_some() && record == about)
            || chat.is_some_and(|chat| self.lines.read_untracked().iter().any(|line| line.chat.id == chat))
    }

    /// Sends a message into the open chat, or into a new one that it makes.
    pub fn send(self, message: SendMessage) {
        let outgoing = Outgoing { client_id: message.client_id.clone(), message, state: Sending::OnItsWay };
        match self.current.get_untracked() {
            Some(current) => {
                current.outbox().update(|outbox| outbox.push(outgoing.clone()));
                self.deliver(current, outgoing.message);
            }
            None => {
                self.starting.update(|starting| starting.push(outgoing.clone()));
                self.begin(outgoing.message);
            }
        }
    }

    /// Sends a message again that failed; the same one, so that it is stored once whatever happened to it.
    pub fn send_again(self, client_id: &str) {
        let again = |outbox: &mut Vec<Outgoing>| {
            let found = outbox.iter_mut().find(|outgoing| outgoing.client_id == client_id)?;
            found.state = Sending::OnItsWay;
            Some(found.message.clone())
        };
        match self.current.get_untracked() {
            Some(current) => {
                if let Some(message) = current.outbox().try_update(again).flatten() {
                    self.deliver(current, message);
                }
            }
            None => {
                if let Some(message) = self.starting.try_update(again).flatten() {
                    self.begin(message);
                }
            }
        }
    }

    /// Forgets a message that failed.
    pub fn discard(self, client_id: &str) {
        let forget = |outbox: &mut Vec<Outgoing>| outbox.retain(|outgoing| outgoing.client_id != client_id);
        match self.current.get_untracked() {
            Some(current) => current.outbox().update(forget),
            None => self.starting.update(forget),
        }
    }

    fn deliver(self, current: Conversation, message: SendMessage) {
        spawn_local(async move {
            let client_id = message.client_id.clone();
            let new_thread = message.new_thread == Some(true);
            let answer = api::chat::post(current.id(), message).await;
            let stored = answer.is_ok();
            let state = match answer {
                Ok(sent) => {
                    if let Some(turn) = sent.turn {
                        current.note_turn(turn);
                    }
                    if new_thread {
                        self.open_thread(&current, sent.message.thread_id);
                    }
                    Sending::Stored
                }
                Err(error) => Sending::Failed(error.detail()),
            };
            current.outbox().update(|outbox| {
                if let Some(outgoing) = outbox.iter_mut().find(|outgoing| outgoing.client_id == client_id) {
                    outgoing.state = state;
                }
            });
            if stored {
                current.forget_arrived();
            }
        });
    }

    fn begin(self, message: SendMessage) {
        let asked = self.next();
        let client_id = message.client_id.clone();
        let Some(subject) = self.subject.get_untracked() else {
            return self.fail_start(&client_id, "Open the page of a record to begin a chat about it.".to_owned());
        };
        spawn_local(async move {
            let answer = self.begin_with(&subject, message).await;
            if self.asked.try_get_value() != Some(asked) {
                return;
            }
            match answer {
                Ok(opened) => {
                    self.begun.set_value(None);
                    self.carried.set_value(true);
                    self.hold(Some(Conversation::new(opened)));
                    self.starting.set(Vec::new());
                    self.loading.set(Loading::Ready);
                    self.refresh_lines();
                }
                Err(sentence) => self.fail_start(&client_id, sentence),
            }
        });
    }

    fn fail_start(self, client_id: &str, sentence: String) {
        self.starting.update(|starting| {
            if let Some(outgoing) = starting.iter_mut().find(|outgoing| outgoing.client_id == client_id) {
                outgoing.state = Sending::Failed(sentence);
            }
        });
    }

    async fn begin_with(self, subject: &Subject, message: SendMessage) -> Result<Opened, String> {
        let chat = match self.begun.try_get_value().flatten() {
            Some(chat) => chat,
            None => {
                let new = NewChat { record_id: Some(subject.record_id), ..NewChat::default() };
                let chat = api::chat::create(subject.project_id, new).await.map_err(|error| error.detail())?;
                self.begun.try_update_value(|begun| *begun = Some(chat.id));
                chat.id
            }
        };
        api::chat::post(chat, message).await.map_err(|error| error.detail())?;
        api::chat::open(chat, None).await.map_err(|error| error.detail())
    }

    /// Makes another thread of the chat the open one.
    pub fn open_thread(self, current: &Conversation, thread: Option<Uuid>) {
        let current = current.clone();
        let toasts = use_context::<Toasts>();
        spawn_local(async move {
            match api::chat::open(current.id(), Some(thread)).await {
                Ok(opened) => current.replace(opened),
                Err(refusal) => {
                    if let Some(toasts) = toasts {
                        toasts.fail(refusal.detail());
                    }
                }
            }
        });
    }
}

fn key(place: &RecordAt) -> String {
    format!("confab.chat.{}/{}/{}", place.project, place.kind.folder(), place.slug)
}

/// The chat that this tab last had open on the page.
fn remembered(place: &RecordAt) -> Option<Uuid> {
    let storage = window().session_storage().ok().flatten()?;
    storage.get_item(&key(place)).ok().flatten()?.parse().ok()
}

/// Puts the open chat into the address, without a step in the history.
fn mirror(chat: Option<Uuid>) {
    let location = window().location();
    let (Ok(path), Ok(search), Ok(hash)) = (location.pathname(), location.search(), location.hash()) else { return };
    let mut pairs: Vec<String> = search
        .trim_start_matches('?')
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("chat="))
        .map(str::to_owned)
        .collect();
    if let Some(chat) = chat {
        pairs.push(format!("chat={chat}"));
    }
    let search = if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };
    if let Ok(history) = window().history() {
        let state = history.state().unwrap_or_default();
        let _ = history.replace_state_with_url(&state, "", Some(&format!("{path}{search}{hash}")));
    }
}
