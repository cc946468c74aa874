use std::time::Duration;

use leptos::prelude::*;

use crate::ui::Tone;

/// One short notice at the edge of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    pub id: u64,
    pub tone: Tone,
    pub text: String,
    /// Where it leads, with the link's words.
    pub link: Option<(String, String)>,
}

/// The notices that are shown now.
#[derive(Clone, Copy)]
pub struct Toasts {
    list: RwSignal<Vec<Toast>>,
    next: StoredValue<u64>,
}

impl Toasts {
    /// Makes the list known to everything below. Called once, by the application.
    pub fn provide() -> Toasts {
        let toasts = Toasts { list: RwSignal::new(Vec::new()), next: StoredValue::new(0) };
        provide_context(toasts);
        toasts
    }

    #[must_use]
    pub fn list(self) -> Signal<Vec<Toast>> {
        self.list.into()
    }

    pub fn say(self, text: impl Into<String>) {
        self.push(Tone::Quiet, text.into(), None);
    }

    /// Says what went wrong; stays longer.
    pub fn fail(self, text: impl Into<String>) {
        self.push(Tone::Bad, text.into(), None);
    }

    /// Says something with a place to go to.
    pub fn say_with_link(self, text: impl Into<String>, href: impl Into<String>, words: impl Into<String>) {
        self.push(Tone::Quiet, text.into(), Some((href.into(), words.into())));
    }

    pub fn dismiss(self, id: u64) {
        self.list.try_update(|list| list.retain(|toast| toast.id != id));
    }

    fn push(self, tone: Tone, text: String, link: Option<(String, String)>) {
        let Some(id) = self.next.try_update_value(|next| {
            *next += 1;
            *next
        }) else {
            return;
        };
        let stay = Duration::from_secs(if tone == Tone::Bad || link.is_some() { 12 } else { 6 });
        self.list.try_update(|list| list.push(Toast { id, tone, text, link }));
        set_timeout(move || self.dismiss(id), stay);
    }
}
