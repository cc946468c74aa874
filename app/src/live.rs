//! The one event stream of the tab. It says that something changed, never what it says: who shows the thing asks for it.
//!
//! What is heard is handed over in the callback of the stream itself, one call a notice: a signal would keep only the last.

use std::sync::Arc;

use leptos::prelude::*;
use wire::event::Notice;

/// What the stream says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    Notice(Notice),
    /// Something may have been missed: everything that is shown is to be asked for again.
    Reset,
}

type Handler = Arc<dyn Fn(&Heard) + Send + Sync>;

/// The stream, and who listens to it.
#[derive(Clone, Copy)]
pub struct Live {
    handlers: StoredValue<Vec<(u64, Handler)>>,
    next: StoredValue<u64>,
    connected: RwSignal<bool>,
}

impl Live {
    /// Makes the stream known to everything below. Called once, by the application; [`Live::open`] opens it.
    pub fn provide() -> Live {
        let live =
            Live { handlers: StoredValue::new(Vec::new()), next: StoredValue::new(0), connected: RwSignal::new(true) };
        provide_context(live);
        live
    }

    /// Hands on what is heard, until the owner of the caller is gone.
    pub fn on(self, handler: impl Fn(&Heard) + Send + Sync + 'static) {
        let id = self.next.try_update_value(|next| {
            *next += 1;
            *next
        });
        let Some(id) = id else { return };
        self.handlers.try_update_value(|handlers| handlers.push((id, Arc::new(handler))));
        on_cleanup(move || {
            self.handlers.try_update_value(|handlers| handlers.retain(|(other, _)| *other != id));
        });
    }

    /// Whether the stream stands. True before it was first opened, so that a page does not begin with a complaint.
    #[must_use]
    pub fn connected(self) -> Signal<bool> {
        self.connected.into()
    }

    /// Opens the stream while `wanted` says so. Does nothing on the server.
    pub fn open(self, wanted: impl Fn() -> bool + 'static) {
        #[cfg(feature = "hydrate")]
        stream::keep_open(self, wanted);
        #[cfg(not(feature = "hydrate"))]
        let _ = (self, wanted);
    }

    #[cfg(feature = "hydrate")]
    fn hear(self, heard: &Heard) {
        // a handler may add or remove handlers
        for (_, handler) in self.handlers.try_get_value().unwrap_or_default() {
            handler(heard);
        }
    }
}

#[cfg(feature = "hydrate")]
mod stream {
    use std::time::Duration;

    use leptos::prelude::*;
    use wasm_bindgen::{JsCast, closure::Closure};
    use web_sys::{Event, EventSource, MessageEvent};

    use super::{Heard, Live};

    const ADDRESS: &str = "/api/v1/events";
    const LONGEST_WAIT: Duration = Duration::from_secs(30);

    /// One stream with its callbacks, which live as long as it does.
    struct Open {
        source: EventSource,
        _said: Closure<dyn Fn(MessageEvent)>,
        _reset: Closure<dyn Fn(Event)>,
        _opened: Closure<dyn Fn(Event)>,
        _failed: Closure<dyn Fn(Event)>,
    }

    impl Drop for Open {
        fn drop(&mut self) {
            self.source.set_onmessage(None);
            self.source.set_onopen(None);
            self.source.set_onerror(None);
            self.source.close();
        }
    }

    pub(super) fn keep_open(live: Live, wanted: impl Fn() -> bool + 'static) {
        let held = StoredValue::new_local(None::<Open>);
        Effect::new(move |_| {
            let open = if wanted() { start(live, held, Duration::from_secs(1)) } else { None };
            held.update_value(|held| *held = open);
        });
        on_cleanup(move || {
            held.try_update_value(|held| *held = None);
        });
    }

    /// The browser takes up a stream that breaks by itself, with the cursor. One that the server refused it gives up: that is
    /// opened again after a while.
    fn start(live: Live, held: StoredValue<Option<Open>, LocalStorage>, wait: Duration) -> Option<Open> {
        let source = EventSource::new(ADDRESS).ok()?;
        let said = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let data = event.data().as_string().unwrap_or_default();
            // notices of a newer server that this page does not know are passed over
            match serde_json::from_str(&data) {
                Ok(notice) => live.hear(&Heard::Notice(notice)),
                Err(_) if data.contains("reset") => live.hear(&Heard::Reset),
                Err(_) => {}
            }
        });
        let reset = Closure::<dyn Fn(Event)>::new(move |_| live.hear(&Heard::Reset));
        // between the page's making and the stream's beginning something may have changed
        let fresh = StoredValue::new_local(true);
        let opened = Closure::<dyn Fn(Event)>::new(move |_| {
            let _ = live.connected.try_set(true);
            if fresh.try_update_value(|fresh| std::mem::replace(fresh, false)) == Some(true) {
                live.hear(&Heard::Reset);
            }
        });
        let of_error = source.clone();
        let failed = Closure::<dyn Fn(Event)>::new(move |_| {
            let _ = live.connected.try_set(false);
            if of_error.ready_state() == EventSource::CLOSED {
                set_timeout(
                    move || {
                        let open = start(live, held, (wait * 2).min(LONGEST_WAIT));
                        drop(held.try_update_value(|held| std::mem::replace(held, open)));
                    },
                    wait,
                );
            }
        });
        source.set_onmessage(Some(said.as_ref().unchecked_ref()));
        source.set_onopen(Some(opened.as_ref().unchecked_ref()));
        source.set_onerror(Some(failed.as_ref().unchecked_ref()));
        let _ = source.add_event_listener_with_callback("notice", said.as_ref().unchecked_ref());
        let _ = source.add_event_listener_with_callback("reset", reset.as_ref().unchecked_ref());
        Some(Open { source, _said: said, _reset: reset, _opened: opened, _failed: failed })
    }
}
