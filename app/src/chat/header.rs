use leptos::prelude::*;

use crate::state::drawer::DrawerState;
use crate::ui::{Icon, IconButton, IconName, dom};

/// The drawer's head: which chat it is, and what can be done with it.
#[component]
pub fn Header() -> impl IntoView {
    let drawer = expect_context::<DrawerState>();
    view! {
        <header class="drawer-head">
            <span class="grow"></span>
            <button
                type="button"
                class="iconbtn full-screen"
                aria-label="Full screen"
                title="Full screen"
                aria-pressed=move || drawer.full().to_string()
                on:click=move |_| drawer.set_full(!drawer.is_full_now())
            >
                <Icon name=IconName::FullScreen />
            </button>
            <IconButton label="Close chat" icon=IconName::Close on:click=move |_| close(drawer) />
        </header>
    }
}

/// Closes the drawer; the focus goes to the button that opens it.
pub fn close(drawer: DrawerState) {
    drawer.set_open(false);
    request_animation_frame(|| dom::focus("#open-chat"));
}
