use leptos::{html, prelude::*, task::spawn_local};
use uuid::Uuid;
use wire::chat::SendMessage;
use wire::turn::{Turn, TurnState};

use super::{
    draft,
    header::restore,
    send_key::{Meaning, meaning},
};
use crate::api;
use crate::state::{
    Toasts,
    chats::{Chats, Loading},
    conversation::Conversation,
};
use crate::ui::{Button, Look, dom};

const NO_SCRIPT: &str = "<p class=\"muted\">Reading works as it is; sending needs JavaScript and WebAssembly.</p>";

/// Where the person writes, or why not.
#[component]
pub fn Composer() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let toasts = expect_context::<Toasts>();
    let ended = Memo::new(move |_| chats.current().is_some_and(|current| current.chat().read().ended_at.is_some()));
    let owner = Memo::new(move |_| {
        chats.current().filter(|current| !current.is_own()).map(|current| current.chat().read().owner.name.clone())
    });
    move || match (owner.get(), ended.get()) {
        (Some(owner), _) => view! {
            <div class="composer closed">
                <p>"This is a chat of " <bdi>{owner}</bdi> ". Only its owner writes in it."</p>
            </div>
        }
        .into_any(),
        (None, true) => view! {
            <div class="composer closed">
                <p>"This chat is ended. Its words stay; nothing more is said in it."</p>
                <Button on:click=move |_| restore(chats, toasts)>"Restore"</Button>
                <Button look=Look::Primary on:click=move |_| chats.start_new()>"Start another"</Button>
            </div>
        }
        .into_any(),
        (None, false) => view! { <Box_ /> }.into_any(),
    }
}

/// The box, its buttons, and the queue that a stop holds.
#[component]
fn Box_() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let field = NodeRef::<html::Textarea>::new();
    let has_text = RwSignal::new(false);
    let key = Memo::new(move |_| draft::key(chats));

    let typed = move || {
        let Some(field) = field.get_untracked() else { return };
        let text = field.value();
        if let Some(key) = key.get_untracked() {
            draft::keep(&key, &text);
        }
        has_text.set(!text.trim().is_empty());
        fit(&field);
    };
    Effect::new(move |before: Option<Option<String>>| {
        let now = key.get();
        let Some(field) = field.get() else { return before.flatten() };
        if before.as_ref() == Some(&now) {
            return now;
        }
        let standing = field.value();
        let nowhere = before.as_ref().is_none_or(Option::is_none);
        if chats.was_carried() || (nowhere && !standing.is_empty()) {
            // a new chat has become a stored one, or somebody typed before the page or the drawer came to life
            if let Some(key) = before.flatten() {
                draft::keep(&key, "");
            }
            typed();
        } else if let Some(key) = &now {
            field.set_value(&draft::read(key));
            has_text.set(!field.value().trim().is_empty());
            fit(&field);
        }
        now
    });

    let send = move || {
        let Some(field) = field.get_untracked() else { return };
        let text = field.value();
        if text.trim().is_empty() || !chats.is_ready_now() {
            return;
        }
        field.set_value("");
        typed();
        let _ = field.focus();
        chats.send(message(text, chats.current_now().as_ref()));
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        if meaning(&event.key(), event.shift_key(), event.is_composing(), event.key_code()) == Meaning::Send {
            event.prevent_default();
            send();
        }
    };
    let can_send = move || has_text.get() && chats.loading() == Loading::Ready;
    view! {
        <div class="composer">
            <Held />
            <form
                class="composer-box"
                on:submit=move |event| {
                    event.prevent_default();
                    send();
                }
            >
                <textarea
                    id="message"
                    rows="2"
                    aria-label="Message"
                    placeholder="What should change?"
                    dir="auto"
                    enterkeyhint="send"
                    node_ref=field
                    on:keydown=on_key
                    on:input=move |_| typed()
                ></textarea>
                <div class="composer-tools">
                    <NewThread />
                    <span class="grow"></span>
                    <Stop />
                    <button type="submit" class="btn primary" disabled=move || !can_send()>
                        "Send"
                    </button>
                </div>
            </form>
            // set as a whole: a browser with scripts reads what is inside as text
            <noscript inner_html=NO_SCRIPT></noscript>
        </div>
    }
}

fn message(text: String, into: Option<&Conversation>) -> SendMessage {
    #[expect(clippy::disallowed_methods, reason = "the browser makes this id: it tells a retry from a new message")]
    let client_id = Uuid::new_v4().to_string();
    let fresh = into.is_some_and(|into| into.fresh_thread().get_untracked());
    SendMessage {
        client_id,
        text,
        thread_id: into.filter(|_| !fresh).and_then(|into| into.thread().get_untracked()),
        new_thread: fresh.then_some(true),
        ..SendMessage::default()
    }
}

/// As high as its text, up to the eight lines that the style sheet allows.
fn fit(field: &web_sys::HtmlTextAreaElement) {
    let style = web_sys::HtmlElement::style(field);
    let _ = style.set_property("height", "auto");
    let _ = style.set_property("height", &format!("{}px", field.scroll_height()));
}

/// Stops the turn that runs. When the button goes, the focus that it had goes to the box.
#[component]
fn Stop() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let toasts = expect_context::<Toasts>();
    let stopping = RwSignal::new(None::<Uuid>);
    let focused = StoredValue::new(false);
    let running = Memo::new(move |_| {
        let turn = chats.current()?.turn().get()?;
        matches!(turn.state, TurnState::Running | TurnState::Paused).then_some(turn.id)
    });
    Effect::new(move |was: Option<bool>| {
        let is = running.get().is_some();
        if was == Some(true) && !is && focused.try_update_value(std::mem::take) == Some(true) {
            dom::focus("#message");
        }
        is
    });
    let stop = move |_| {
        let Some(turn) = running.get_untracked() else { return };
        stopping.set(Some(turn));
        spawn_local(async move {
            if let Err(refusal) = api::turn::stop(turn).await {
                let _ = stopping.try_set(None);
                toasts.fail(refusal.detail());
            }
        });
    };
    view! {
        <Show when=move || running.get().is_some()>
            <button
                type="button"
                class="btn ghost"
                aria-disabled=move || (stopping.get() == running.get()).then_some("true")
                on:focus=move |_| focused.set_value(true)
                on:blur=move |_| focused.set_value(false)
                on:click=stop
            >
                "Stop"
            </button>
        </Show>
    }
}

/// Messages that wait behind a stop.
#[component]
fn Held() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let toasts = expect_context::<Toasts>();
    let count = Memo::new(move |_| {
        let Some(current) = chats.current() else { return 0 };
        let waiting = |turns: &Vec<Turn>| turns.iter().filter(|turn| turn.state == TurnState::Queued).count();
        if current.held().get() { current.queued().with(waiting) } else { 0 }
    });
    let release = move |_| {
        let Some(current) = chats.current_now() else { return };
        spawn_local(async move {
            if let Err(refusal) = api::chat::release(current.id()).await {
                toasts.fail(refusal.detail());
            }
        });
    };
    move || {
        let words = match count.get() {
            0 => return ().into_any(),
            1 => "1 message waits behind the stop.".to_owned(),
            count => format!("{count} messages wait behind the stop."),
        };
        view! {
            <p class="held">
                <span>{words}</span>
                <Button look=Look::Plain on:click=release>"Send now"</Button>
            </p>
        }
        .into_any()
    }
}

/// Begins another thread of the chat; it is stored with its first message.
#[component]
fn NewThread() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let possible = move || chats.current().is_some_and(|current| !current.fresh_thread().get());
    let begin = move |_| {
        if let Some(current) = chats.current_now() {
            current.fresh_thread().set(true);
            dom::focus("#message");
        }
    };
    view! {
        <Show when=possible>
            <Button look=Look::Plain on:click=begin>"New thread"</Button>
        </Show>
    }
}
