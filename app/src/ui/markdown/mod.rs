//! Markdown that people and agents wrote, as HTML that can do no harm.
//!
//! The HTML lies in one element and is set as a whole, so that taking over the page never walks it. Raw HTML is text, links
//! lead only where [`link`] lets them, and no picture is fetched from another host.

mod link;
mod render;
mod stream;

use leptos::prelude::*;

use super::dom;

pub use link::{Target, target};
pub use render::{FRESH_END, FRESH_START, Rendering, escape, to_html};
pub use stream::Stream;

/// Rendered Markdown.
#[component]
pub fn Markdown(#[prop(into)] source: Signal<String>, #[prop(optional)] rendering: Rendering) -> impl IntoView {
    let html = move || source.with(|source| to_html(source, &rendering));
    view! { <div class="markdown" on:click=copy_code inner_html=html></div> }
}

/// Copies the code beside the button that was pressed; for any element that holds rendered Markdown.
pub fn copy_code(event: web_sys::MouseEvent) {
    let Some(button) = dom::closest(&event, "[data-copy]") else { return };
    let Some(code) = button.closest(".code").ok().flatten().and_then(|code| code.query_selector("code").ok().flatten())
    else {
        return;
    };
    // the promise is the browser's; where it refuses, the text can still be selected
    drop(window().navigator().clipboard().write_text(&code.text_content().unwrap_or_default()));
    button.set_text_content(Some("Copied"));
    set_timeout(move || button.set_text_content(Some("Copy")), std::time::Duration::from_secs(2));
}
