//! Small questions to the browser. None of them may be asked in a first render.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, Storage};

/// The element around the event's target that fits the selector.
#[must_use]
pub fn closest(event: &Event, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok().flatten()
}

/// Whether the key belongs to an input method that is still composing. Safari ends the composition before the key event, so
/// there only the key code tells.
#[must_use]
pub fn is_composing(event: &KeyboardEvent) -> bool {
    event.is_composing() || event.key_code() == 229
}

/// Puts the focus on the first element of the page that fits the selector.
pub fn focus(selector: &str) {
    if let Some(element) = document().query_selector(selector).ok().flatten()
        && let Ok(element) = element.dyn_into::<HtmlElement>()
    {
        let _ = element.focus();
    }
}

/// The browser's store for this site, where there is one.
#[must_use]
pub fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Loads an address anew, so that nothing of the page before stays.
pub fn load(address: &str) {
    let _ = window().location().set_href(address);
}
