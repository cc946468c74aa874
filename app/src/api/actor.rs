//! Who asks, and whom: from what the server's session layer and its page handler put beside the request.

use engine::{
    Engine,
    access::{Actor, SignedIn},
};
use http::request::Parts;
use leptos::prelude::use_context;

use super::error::Refusal;

/// The engine, which the server provides to pages and server functions alike.
pub fn engine() -> Result<Engine, Refusal> {
    use_context::<Engine>()
        .ok_or_else(|| Refusal::new(503, "unavailable", "The server is starting. Try again in a moment."))
}

/// The person who is signed in, where there is one.
pub fn signed_in() -> Option<Actor> {
    let parts = use_context::<Parts>()?;
    parts.extensions.get::<SignedIn>().and_then(|SignedIn(actor)| actor.clone())
}

/// The person who is signed in, or the refusal that asks to.
pub fn actor() -> Result<Actor, Refusal> {
    signed_in()
        .ok_or_else(|| Refusal::new(401, "unauthorised", "You are not signed in, or your session has ended.").told())
}

/// Whether the answer is for a browser to show, and not for this application to read.
pub fn wants_html() -> bool {
    use_context::<Parts>()
        .and_then(|parts| parts.headers.get(http::header::ACCEPT).cloned())
        .is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/html")))
}
