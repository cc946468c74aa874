//! What is written and not sent yet: kept per chat and thread, so that nothing typed is lost.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

use crate::state::{chats::Chats, conversation::Conversation};
use crate::ui::dom;

/// Where the draft of what the box writes to is kept.
#[must_use]
pub fn key(chats: Chats) -> Option<String> {
    if let Some(current) = chats.current() {
        return Some(key_of(&current));
    }
    chats.subject().map(|subject| format!("confab.draft.new.{}", subject.record_id))
}

fn key_of(conversation: &Conversation) -> String {
    let thread = match (conversation.fresh_thread().get(), conversation.thread().get()) {
        (true, _) => "new".to_owned(),
        (false, Some(thread)) => thread.to_string(),
        (false, None) => "main".to_owned(),
    };
    format!("confab.draft.{}.{thread}", conversation.id())
}

#[must_use]
pub fn read(key: &str) -> String {
    dom::storage().and_then(|storage| storage.get_item(key).ok().flatten()).unwrap_or_default()
}

pub fn keep(key: &str, text: &str) {
    let Some(storage) = dom::storage() else { return };
    let _ = if text.trim().is_empty() { storage.remove_item(key) } else { storage.set_item(key, text) };
}

/// Puts a text into the box, behind what stands there, as if it had been typed.
pub fn give_back(text: &str) {
    let Some(field) =
        document().get_element_by_id("message").and_then(|field| field.dyn_into::<HtmlTextAreaElement>().ok())
    else {
        return;
    };
    let before = field.value();
    let joined = if before.trim().is_empty() { text.to_owned() } else { format!("{}\n{text}", before.trim_end()) };
    field.set_value(&joined);
    let _ = field.focus();
    if let Ok(event) = web_sys::Event::new("input") {
        let _ = field.dispatch_event(&event);
    }
}
