use leptos::prelude::*;

use crate::state::drawer::DrawerState;
use crate::ui::{Icon, IconName, dom};

/// The button of the top bar that opens the drawer, and leads to its box where it is open.
#[component]
pub fn OpenChat() -> impl IntoView {
    let drawer = expect_context::<DrawerState>();
    let open = move |_| {
        drawer.set_open(true);
        request_animation_frame(|| dom::focus("#message"));
    };
    view! {
        <button
            id="open-chat"
            type="button"
            class="iconbtn"
            hidden=move || !drawer.possible()
            class:on=move || drawer.shown()
            aria-label="Open chat"
            title="Open chat"
            aria-expanded=move || drawer.shown().to_string()
            aria-controls="chat"
            on:click=open
        >
            <Icon name=IconName::Chat />
        </button>
    }
}
