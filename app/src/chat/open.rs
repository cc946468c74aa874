use leptos::prelude::*;

/// The button of the top bar that opens and closes the drawer.
#[component]
pub fn OpenChat() -> impl IntoView {}
