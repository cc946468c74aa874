use leptos::prelude::*;

use super::{crumbs::Crumbs, person::PersonMenu};
use crate::{
    chat::OpenChat,
    state::theme::Theme,
    ui::{Icon, IconButton, IconName},
};

/// The bar at the top: where one is, and what can be done from everywhere.
#[component]
pub fn TopBar(
    /// The side bar of a narrow page is open.
    menu: RwSignal<bool>,
    /// The jump palette is open.
    jump: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <header class="top">
            // a link, so that it works before the page reacts
            <a
                class="iconbtn burger"
                href="#side"
                role="button"
                aria-label="Menu"
                aria-controls="side"
                aria-expanded=move || menu.get().to_string()
                on:click=move |event| {
                    event.prevent_default();
                    menu.update(|menu| *menu = !*menu);
                }
            >
                <Icon name=IconName::Menu />
            </a>
            <a class="mark" href="/" aria-label="Confab, to the projects">
                <i></i>
                <span>"Confab"</span>
            </a>
            <Crumbs />
            <span class="grow"></span>
            <button
                type="button"
                class="find"
                aria-haspopup="dialog"
                aria-label="Jump to record or chat"
                aria-keyshortcuts="Control+K"
                on:click=move |_| jump.set(true)
            >
                <Icon name=IconName::Search />
                <span>"Jump to record or chat"</span>
                <span class="kbd">"Ctrl K"</span>
            </button>
            <IconButton label="Switch theme" icon=IconName::Moon on:click=|_| Theme::other().choose() />
            <OpenChat />
            <PersonMenu />
        </header>
    }
}
