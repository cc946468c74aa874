use leptos::prelude::*;

use crate::{
    chat::OpenChat,
    state::theme::Theme,
    ui::{IconButton, IconName},
};

/// The bar at the top: where one is, and what can be done from everywhere.
#[component]
pub fn TopBar() -> impl IntoView {
    view! {
        <header class="top">
            <a class="mark" href="/">
                <i></i>
                "Confab"
            </a>
            <span class="grow"></span>
            <IconButton label="Switch theme" icon=IconName::Moon on:click=|_| Theme::other().choose() />
            <OpenChat />
        </header>
    }
}
