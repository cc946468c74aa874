//! How the drawer stands in this tab: open or not, how wide, full screen or not.
//!
//! The width is a preference of the person's and lives in `localStorage`. Open and full screen are written to a cookie, so that the
//! server renders the first page as the tab left it; a tab writes it whenever it is the one being looked at, so that a reload
//! brings back its own state and not another tab's.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wasm_bindgen::{JsCast, JsValue};

use super::place::RecordAt;
use crate::chat::width;
use crate::ui::dom;

/// The key of the preferred width, in px.
pub const WIDTH_KEY: &str = "confab.drawer.width";
/// The cookie that tells the server how the drawer stands.
pub const COOKIE: &str = "confab_drawer";

#[derive(Clone, Copy)]
pub struct DrawerState {
    place: Memo<Option<RecordAt>>,
    asked: Memo<Option<Uuid>>,
    possible: Signal<bool>,
    open: RwSignal<bool>,
    full: RwSignal<bool>,
    preference: RwSignal<f64>,
    /// Width while the edge is dragged; the preference only changes at the end.
    dragged: RwSignal<Option<f64>>,
    /// Width of the viewport; nothing before the browser has told.
    viewport: RwSignal<Option<f64>>,
}

/// What the cookie holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub open: bool,
    pub full: bool,
}

impl Kept {
    #[must_use]
    pub fn parse(cookie: &str) -> Kept {
        let mut marks = cookie.chars();
        Kept { open: marks.next() == Some('o'), full: marks.next() == Some('f') }
    }

    /// What a request's cookies say.
    #[must_use]
    pub fn of_cookies(cookies: &str) -> Kept {
        let mut pairs = cookies.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        pairs.find(|(name, _)| *name == COOKIE).map_or_else(Kept::default, |(_, value)| Kept::parse(value))
    }

    #[must_use]
    pub const fn text(self) -> &'static str {
        match (self.open, self.full) {
            (true, true) => "of",
            (true, false) => "o-",
            (false, true) => "-f",
            (false, false) => "--",
        }
    }
}

impl DrawerState {
    #[must_use]
    pub fn new(
        kept: Kept,
        place: Memo<Option<RecordAt>>,
        asked: Memo<Option<Uuid>>,
        held: impl Fn() -> bool + Send + Sync + 'static,
    ) -> DrawerState {
        // on a page without a record there is a drawer only where a chat was opened before
        let possible = Signal::derive(move || place.read().is_some() || asked.get().is_some() || held());
        DrawerState {
            place,
            asked,
            possible,
            open: RwSignal::new(kept.open),
            full: RwSignal::new(kept.full),
            preference: RwSignal::new(width::DEFAULT),
            dragged: RwSignal::new(None),
            viewport: RwSignal::new(None),
        }
    }

    /// The record that the page shows.
    #[must_use]
    pub fn place(self) -> Option<RecordAt> {
        self.place.get()
    }

    /// The chat that the address asks for.
    #[must_use]
    pub fn asked(self) -> Option<Uuid> {
        self.asked.get()
    }

    /// Whether there is anything here to chat about.
    #[must_use]
    pub fn possible(self) -> bool {
        self.possible.get()
    }

    /// Whether the drawer is there to be seen.
    #[must_use]
    pub fn shown(self) -> bool {
        self.open.get() && self.possible.get()
    }

    #[must_use]
    pub fn is_open_now(self) -> bool {
        self.open.get_untracked()
    }

    #[must_use]
    pub fn full(self) -> bool {
        self.full.get()
    }

    pub fn set_open(self, open: bool) {
        if self.open.get_untracked() != open {
            self.open.set(open);
            self.remember();
        }
    }

    pub fn set_full(self, full: bool) {
        self.full.set(full);
        self.remember();
    }

    #[must_use]
    pub fn is_full_now(self) -> bool {
        self.full.get_untracked()
    }

    /// The width on show.
    #[must_use]
    pub fn width(self) -> f64 {
        let preference = self.dragged.get().unwrap_or_else(|| self.preference.get());
        width::shown(preference, self.viewport.get().unwrap_or(f64::MAX))
    }

    #[must_use]
    pub fn width_now(self) -> f64 {
        untrack(|| self.width())
    }

    /// The most that the viewport gives.
    #[must_use]
    pub fn most(self) -> Option<f64> {
        self.viewport.get().map(width::most)
    }

    /// The edge is being dragged: shown, not yet kept.
    pub fn drag(self, wanted: f64) {
        let viewport = self.viewport.get_untracked().unwrap_or(f64::MAX);
        let shown = width::shown(wanted, viewport);
        self.dragged.set(Some(shown));
        paint(shown);
    }

    /// The drag is over: what is shown is what the person prefers.
    pub fn drop(self) {
        if let Some(width) = self.dragged.get_untracked() {
            self.dragged.set(None);
            self.prefer(width);
        }
    }

    /// A person chose a width.
    pub fn prefer(self, width: f64) {
        self.preference.set(width);
        paint(width);
        if let Some(storage) = dom::storage() {
            let _ = storage.set_item(WIDTH_KEY, &format!("{width}"));
        }
    }

    #[must_use]
    pub fn viewport_now(self) -> f64 {
        self.viewport.get_untracked().unwrap_or(width::DEFAULT)
    }

    /// Takes over what the browser knows: the stored width, put right where it is damaged, and the viewport, now and when it changes.
    pub fn attach(self) {
        let stored = dom::storage().and_then(|storage| storage.get_item(WIDTH_KEY).ok().flatten());
        match stored.as_deref().map(width::parse) {
            Some(Some(width)) => self.preference.set(width),
            Some(None) => self.prefer(width::DEFAULT),
            None => {}
        }
        paint(self.preference.get_untracked());
        let measure = move || {
            let viewport = window().inner_width().ok().and_then(|width| width.as_f64());
            let _ = self.viewport.try_set(viewport);
        };
        measure();
        let resized = window_event_listener(leptos::ev::resize, move |_| measure());
        let leaving = window_event_listener(leptos::ev::beforeunload, move |_| self.remember());
        let focused = window_event_listener(leptos::ev::focus, move |_| self.remember());
        on_cleanup(move || {
            resized.remove();
            leaving.remove();
            focused.remove();
        });
    }

    fn remember(self) {
        let (Some(open), Some(full)) = (self.open.try_get_untracked(), self.full.try_get_untracked()) else { return };
        let cookie = format!("{COOKIE}={}; path=/; max-age=31536000; samesite=lax", Kept { open, full }.text());
        let _ = js_sys::Reflect::set(&document(), &JsValue::from_str("cookie"), &JsValue::from_str(&cookie));
    }
}

/// Gives the width to the style sheet, which clamps it to the viewport.
fn paint(width: f64) {
    if let Some(root) = document().document_element().and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = root.style().set_property("--drawer-preference", &format!("{width}px"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_says_what_was_kept() {
        for open in [true, false] {
            for full in [true, false] {
                let kept = Kept { open, full };
                assert_eq!(Kept::parse(kept.text()), kept);
            }
        }
        assert_eq!(Kept::parse(""), Kept::default());
        assert_eq!(Kept::parse("nonsense"), Kept::default());
        assert_eq!(Kept::of_cookies("a=b; confab_drawer=of; c=d"), Kept { open: true, full: true });
        assert_eq!(Kept::of_cookies("xconfab_drawer=of"), Kept::default());
    }
}
