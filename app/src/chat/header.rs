use leptos::{prelude::*, task::spawn_local};

use super::{name::Name, others::Others};
use crate::api;
use crate::state::{Toasts, chats::Chats, drawer::DrawerState};
use crate::ui::{Icon, IconButton, IconName, Menu, MenuItem, dom};

/// The drawer's head: which chat it is, the record's other ones, and what can be done with it.
#[component]
pub fn Header() -> impl IntoView {
    let drawer = expect_context::<DrawerState>();
    let chats = expect_context::<Chats>();
    view! {
        <header class="drawer-head">
            {move || match chats.current() {
                Some(conversation) => view! { <Name conversation /> }.into_any(),
                None => view! { <h2 class="chat-name">"New chat"</h2> }.into_any(),
            }}
            <Others />
            <span class="grow"></span>
            <Show when=move || chats.current().is_some()>
                <IconButton label="New chat" icon=IconName::Plus on:click=move |_| chats.start_new() />
                <More />
            </Show>
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

/// What is done seldom.
#[component]
fn More() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let toasts = expect_context::<Toasts>();
    let ended = move || chats.current().is_some_and(|current| current.chat().read().ended_at.is_some());
    let end = move |and_new: bool| {
        let Some(current) = chats.current_now() else { return };
        spawn_local(async move {
            match api::chat::end(current.id()).await {
                Ok(chat) => {
                    current.set_chat(chat);
                    chats.refresh_lines();
                    if and_new {
                        chats.start_new();
                    } else {
                        toasts.say("The chat is ended. Its words stay.");
                    }
                }
                Err(refusal) => toasts.fail(refusal.detail()),
            }
        });
    };
    let copy = move |_| {
        let location = window().location();
        if let (Some(current), Ok(origin), Ok(path)) = (chats.current_now(), location.origin(), location.pathname()) {
            // the promise is the browser's; where it refuses, the address bar holds the same
            drop(window().navigator().clipboard().write_text(&format!("{origin}{path}?chat={}", current.id())));
            toasts.say("The link is copied.");
        }
    };
    view! {
        <Menu label="More" class="iconbtn" end=true face=ViewFn::from(|| view! { <Icon name=IconName::More /> })>
            <MenuItem on:click=copy>"Copy link"</MenuItem>
            <Show when=ended fallback=move || view! {
                <MenuItem on:click=move |_| end(false)>"End chat"</MenuItem>
                <MenuItem on:click=move |_| end(true)>"End and start new"</MenuItem>
            }>
                <MenuItem on:click=move |_| restore(chats, toasts)>"Restore chat"</MenuItem>
            </Show>
        </Menu>
    }
}

/// Makes an ended chat one that goes on.
pub fn restore(chats: Chats, toasts: Toasts) {
    let Some(current) = chats.current_now() else { return };
    spawn_local(async move {
        match api::chat::restore(current.id()).await {
            Ok(chat) => {
                current.set_chat(chat);
                chats.follow();
                chats.refresh_lines();
                dom::focus("#message");
            }
            Err(refusal) => toasts.fail(refusal.detail()),
        }
    });
}

/// Closes the drawer; the focus goes to the button that opens it.
pub fn close(drawer: DrawerState) {
    drawer.set_open(false);
    request_animation_frame(|| dom::focus("#open-chat"));
}
