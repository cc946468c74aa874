use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_query_map};
use uuid::Uuid;
use wasm_bindgen::JsCast;

use super::{
    banners::Banners, composer::Composer, edge::Edge, empty::NewChat, header::Header, threads::Threads,
    transcript::Transcript,
};
use crate::api;
use crate::live::{Heard, Live};
use crate::request_cookies;
use crate::state::chats::{Chats, Loading};
use crate::state::conversation::Conversation;
use crate::state::drawer::{DrawerState, Kept};
use crate::state::place::RecordAt;
use crate::ui::{Button, Skeleton, dom};

/// Makes the drawer's state known to everything below the shell. Called once, by the application.
pub fn provide_drawer() {
    let kept = SharedValue::new(|| Kept::of_cookies(&request_cookies())).into_inner();
    let location = use_location();
    let query = use_query_map();
    let place = Memo::new(move |_| location.pathname.with(|path| RecordAt::parse(path)));
    let asked = Memo::new(move |_| query.with(|query| query.get("chat").and_then(|chat| chat.parse::<Uuid>().ok())));
    let chats = Chats::provide();
    let open = kept.open || asked.read_untracked().is_some();
    let drawer = DrawerState::new(Kept { open, ..kept }, place, asked, move || chats.current().is_some());
    provide_context(drawer);
    // in the browser only, after the first render
    Effect::new(move |_| drawer.attach());
}

/// The drawer at the right edge, beside the page.
#[component]
pub fn Drawer() -> impl IntoView {
    let drawer = expect_context::<DrawerState>();
    let chats = expect_context::<Chats>();
    let shown = Memo::new(move |_| drawer.shown());

    // the first view comes with the first HTML; later ones are asked for as the person goes on
    let first = Resource::new_blocking(
        || (),
        move |()| {
            let wanted = untrack(|| drawer.shown().then(|| (drawer.place(), drawer.asked())));
            async move {
                match wanted {
                    Some((place, chat)) => Some(api::chat::drawer(place, chat).await),
                    None => None,
                }
            }
        },
    );

    Effect::new(move |before: Option<(bool, Option<RecordAt>, Option<Uuid>)>| {
        let now = (shown.get(), drawer.place(), drawer.asked());
        // what the server drew is there already
        let Some(before) = before else { return now };
        let (was_shown, _, was_asked) = &before;
        if !drawer.is_open_now() && now.2.is_some() && now.2 != *was_asked {
            // a link into a chat
            drawer.set_open(true);
        } else if now.0 && !was_shown {
            chats.turn_to(now.1.clone(), now.2.filter(|_| now.2 != *was_asked));
        } else if now.0 && before != now {
            chats.turn_to(now.1.clone(), now.2);
        } else if *was_shown && !drawer.is_open_now() {
            chats.leave();
        }
        now
    });
    listen(chats, drawer);

    let on_key = move |event: web_sys::KeyboardEvent| {
        if event.key() != "Escape" || dom::is_composing(&event) || event.default_prevented() {
            return;
        }
        let typed = dom::closest(&event, "textarea, input").is_some_and(|field| {
            js_sys::Reflect::get(&field, &"value".into())
                .ok()
                .and_then(|value| value.as_string())
                .is_some_and(|text| !text.is_empty())
        });
        if typed {
            // a text that is being written is no layer to close
            return;
        }
        event.prevent_default();
        if drawer.is_full_now() {
            drawer.set_full(false);
        } else {
            super::header::close(drawer);
        }
    };

    view! {
        <aside
            id="chat"
            class="drawer"
            class:full=move || drawer.full()
            aria-label="Chat"
            hidden=move || !shown.get()
            on:keydown=on_key
        >
            <Edge />
            <Suspense fallback=|| view! { <Skeleton /> }>
                {move || Suspend::new(async move {
                    match first.await {
                        Some(Ok(drawn)) => chats.apply(untrack(|| drawer.place()), drawn),
                        Some(Err(refusal)) => chats.fail(refusal.detail()),
                        None => {}
                    }
                    view! { <Show when=move || shown.get()><Inside /></Show> }
                })}
            </Suspense>
        </aside>
    }
}

/// Keeps the list behind the chip fresh, and follows links into chats that the router would take for the present page.
fn listen(chats: Chats, drawer: DrawerState) {
    if let Some(live) = use_context::<Live>() {
        live.on(move |heard| match heard {
            Heard::Notice(notice) if chats.concerns(notice.record_id, notice.chat_id) => {
                chats.hear_of(notice.chat_id);
                chats.refresh_lines();
            }
            Heard::Reset => chats.refresh_lines(),
            Heard::Notice(_) => {}
        });
    }
    Effect::new(move |_| {
        let clicked = window_event_listener(leptos::ev::click, move |event| {
            let Some(link) = dom::closest(&event, "a[href*='chat=']") else { return };
            let Ok(link) = link.dyn_into::<web_sys::HtmlAnchorElement>() else { return };
            let chat = link
                .search()
                .trim_start_matches('?')
                .split('&')
                .find_map(|pair| pair.strip_prefix("chat=")?.parse().ok());
            if link.pathname() == window().location().pathname().unwrap_or_default()
                && let Some(chat) = chat
            {
                drawer.set_open(true);
                chats.choose(chat);
            }
        });
        on_cleanup(move || clicked.remove());
    });
}

/// What an open drawer holds.
#[component]
fn Inside() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let state = Memo::new(move |_| (chats.current(), chats.loading()));
    // in the browser only: what is on show is followed, and kept in the address
    Effect::new(move |_| {
        if state.read().1 == Loading::Ready {
            chats.follow();
            chats.remember();
        }
    });
    let body = move || match state.get() {
        (_, Loading::Failed(why)) => view! {
            <div class="drawer-failed" role="alert">
                <p>{why}</p>
                <Button on:click=move |_| chats.retry()>"Try again"</Button>
            </div>
        }
        .into_any(),
        (_, Loading::Idle | Loading::Loading) => view! { <div class="drawer-wait"><Skeleton /></div> }.into_any(),
        (Some(conversation), Loading::Ready) => view! { <Open conversation /> }.into_any(),
        (None, Loading::Ready) => view! { <NewChat /> }.into_any(),
    };
    view! {
        <Header />
        <div class="drawer-body">{body}</div>
        <Composer />
    }
}

/// An open chat: what to know first, its threads, and the words of the open one.
#[component]
fn Open(conversation: Conversation) -> impl IntoView {
    let (banners, threads) = (conversation.clone(), conversation.clone());
    view! {
        <Banners conversation=banners />
        <Threads conversation=threads />
        <Transcript conversation />
    }
}
