use std::sync::Arc;

use leptos::{html, prelude::*};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::ResizeObserver;

/// How near the end still counts as at it, in px.
const NEAR: i32 = 12;
/// How near the top older pages are asked for, in px.
const SOON: i32 = 400;

/// Keeps the end of the text in view while the reader is there, and the reader's place where not.
#[derive(Clone, Copy)]
pub struct Follow {
    scroller: NodeRef<html::Div>,
    content: NodeRef<html::Div>,
    at_end: RwSignal<bool>,
    unseen: RwSignal<usize>,
    /// Where the view stood last, to tell a person's scrolling from the text's growing.
    last_top: StoredValue<i32>,
    /// Height of the text when older messages were about to be put before it, and where the view stood.
    kept: StoredValue<Option<(i32, i32)>>,
    on_top: StoredValue<Option<Arc<dyn Fn() + Send + Sync>>>,
}

impl Follow {
    #[must_use]
    pub fn new(scroller: NodeRef<html::Div>, content: NodeRef<html::Div>) -> Follow {
        let follow = Follow {
            scroller,
            content,
            at_end: RwSignal::new(true),
            unseen: RwSignal::new(0),
            last_top: StoredValue::new(0),
            kept: StoredValue::new(None),
            on_top: StoredValue::new(None),
        };
        Effect::new(move |_| follow.observe());
        follow
    }

    /// Called when the reader comes near the top.
    pub fn on_top(self, load: impl Fn() + Send + Sync + 'static) {
        self.on_top.set_value(Some(Arc::new(load)));
    }

    /// Whether the reader is at the end.
    #[must_use]
    pub fn at_end(self) -> bool {
        self.at_end.get()
    }

    /// How many messages came while the reader was elsewhere.
    #[must_use]
    pub fn unseen(self) -> usize {
        self.unseen.get()
    }

    /// Counts what comes while the reader is elsewhere.
    pub fn watch(self, count: Signal<usize>) {
        Effect::new(move |before: Option<usize>| {
            let now = count.get();
            if let Some(before) = before
                && now > before
                && !self.at_end.get_untracked()
                && self.kept.with_value(Option::is_none)
            {
                self.unseen.update(|unseen| *unseen += now - before);
            }
            now
        });
    }

    pub fn to_end(self) {
        let _ = self.at_end.try_set(true);
        let _ = self.unseen.try_set(0);
        if let Some(scroller) = self.scroller.try_get_untracked().flatten() {
            scroller.set_scroll_top(scroller.scroll_height());
        }
    }

    /// Older messages are about to be put before the text.
    pub fn keep_place(self) {
        if let Some(scroller) = self.scroller.try_get_untracked().flatten() {
            self.kept.try_set_value(Some((scroller.scroll_height(), scroller.scroll_top())));
        }
    }

    /// The view moved.
    pub fn scrolled(self) {
        let Some(scroller) = self.scroller.try_get_untracked().flatten() else { return };
        let top = scroller.scroll_top();
        let below = scroller.scroll_height() - top - scroller.client_height();
        let up = top < self.last_top.get_value();
        self.last_top.set_value(top);
        if below <= NEAR {
            if !self.at_end.get_untracked() {
                self.at_end.set(true);
                self.unseen.set(0);
            }
        } else if up && self.at_end.get_untracked() {
            self.at_end.set(false);
        }
        if top < SOON
            && up
            && let Some(load) = self.on_top.get_value()
        {
            load();
        }
    }

    /// The text has another height now.
    fn grew(self) {
        let Some(scroller) = self.scroller.try_get_untracked().flatten() else { return };
        if let Some((height, top)) = self.kept.try_get_value().flatten() {
            self.kept.set_value(None);
            scroller.set_scroll_top(top + scroller.scroll_height() - height);
        } else if self.at_end.get_untracked() {
            scroller.set_scroll_top(scroller.scroll_height());
        }
        self.last_top.set_value(scroller.scroll_top());
    }

    fn observe(self) {
        let (Some(scroller), Some(content)) = (self.scroller.get(), self.content.get()) else { return };
        let hash = window().location().hash().unwrap_or_default();
        match hash
            .strip_prefix('#')
            .filter(|id| id.starts_with("turn-"))
            .and_then(|id| document().get_element_by_id(id))
        {
            Some(turn) => {
                self.at_end.set(false);
                turn.scroll_into_view();
            }
            None => scroller.set_scroll_top(scroller.scroll_height()),
        }
        self.last_top.set_value(scroller.scroll_top());
        let closure = Closure::<dyn Fn()>::new(move || self.grew());
        let Ok(observer) = ResizeObserver::new(closure.as_ref().unchecked_ref()) else { return };
        observer.observe(&content);
        observer.observe(&scroller);
        let held = StoredValue::new_local((observer, closure));
        on_cleanup(move || {
            held.try_with_value(|(observer, _)| observer.disconnect());
        });
    }
}
