//! The interface: rendered on the server for the first page, taken over by WebAssembly in the browser.

// deep views make deep types
#![recursion_limit = "256"]

pub mod api;
pub mod chat;
pub mod live;
pub mod page;
pub mod record;
pub mod routes;
pub mod shell;
pub mod state;
pub mod tool;
pub mod ui;

pub use shell::{App, shell};

/// Entry point of the browser.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        // what is on the page no longer reacts: say so, with a way out
        if let Some(root) = leptos::prelude::document().document_element() {
            let _ = root.set_attribute("data-broken", "");
        }
    }));
    leptos::mount::hydrate_body(App);
    // what looks at the page from outside, a browser test for one, sees that it reacts now
    if let Some(root) = leptos::prelude::document().document_element() {
        let _ = root.set_attribute("data-hydrated", "");
    }
}

/// The cookies of the request that is being answered; empty in the browser.
pub(crate) fn request_cookies() -> String {
    #[cfg(feature = "ssr")]
    if let Some(parts) = leptos::prelude::use_context::<http::request::Parts>() {
        let cookies = parts.headers.get_all(http::header::COOKIE).iter();
        return cookies.filter_map(|cookie| cookie.to_str().ok()).collect::<Vec<_>>().join("; ");
    }
    String::new()
}
