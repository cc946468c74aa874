use leptos::prelude::*;
use uuid::Uuid;
use wire::chat::{Thread, ThreadState};

use crate::state::{chats::Chats, conversation::Conversation};
use crate::ui::Time;

/// The chat's threads: exactly one is open, the others are headers. A chat with one thread shows none.
#[component]
pub fn Threads(conversation: Conversation) -> impl IntoView {
    let threads = conversation.threads();
    let open = conversation.thread();
    let fresh = conversation.fresh_thread();
    let shown = {
        let (open, fresh) = (open.clone(), fresh.clone());
        Memo::new(move |_| {
            let mut threads = threads.get();
            if threads.len() < 2 && !fresh.get() {
                threads.clear();
            }
            // the open one stands last: its words follow it
            let open = open.get();
            threads.sort_by_key(|thread| (thread.id == open, thread.last.as_ref().map(|last| last.created_at)));
            threads
        })
    };
    move || {
        let (conversation, open, fresh) = (conversation.clone(), open.clone(), fresh.clone());
        let new = fresh.clone();
        (!shown.read().is_empty() || fresh.get()).then(|| {
            view! {
                <ul class="threads plain" aria-label="Threads">
                    <For
                        each=move || shown.get()
                        key=|thread| (thread.id, thread.message_count, thread.unread, thread.state as u8)
                        children=move |thread| {
                            let (conversation, open, fresh) = (conversation.clone(), open.clone(), fresh.clone());
                            view! { <Preview thread conversation open fresh /> }
                        }
                    />
                    {move || new.get().then(|| view! {
                        <li><button type="button" class="thread" aria-expanded="true"><b>"New thread"</b></button></li>
                    })}
                </ul>
            }
        })
    }
}

/// One thread: its name, its last line, how many messages, and whether somebody works or waits in it.
#[component]
fn Preview(
    thread: Thread,
    conversation: Conversation,
    open: ArcRwSignal<Option<Uuid>>,
    fresh: ArcRwSignal<bool>,
) -> impl IntoView {
    let chats = expect_context::<Chats>();
    let id = thread.id;
    let is_open = {
        let fresh = fresh.clone();
        Memo::new(move |_| open.get() == id && !fresh.get())
    };
    let name = thread.name.unwrap_or_else(|| "Conversation".to_owned());
    let mark = match thread.state {
        ThreadState::Working => Some("working"),
        ThreadState::Waiting => Some("waiting for you"),
        ThreadState::Idle => None,
    };
    let unread = (thread.unread > 0).then(|| view! { <i class="unread" title="unread"></i> });
    let last = thread.last.clone();
    let choose = move |_| {
        if is_open.get_untracked() {
            return;
        }
        if conversation.thread().get_untracked() == id {
            fresh.set(false);
        } else {
            chats.open_thread(&conversation, id);
        }
    };
    view! {
        <li>
            <button type="button" class="thread" aria-expanded=move || is_open.get().to_string() on:click=choose>
                {unread}
                <b dir="auto">{name}</b>
                <span class="thread-last" dir="auto">
                    {last.as_ref().map(|last| format!("{}: {}", last.sender, last.text))}
                </span>
                {mark.map(|mark| view! { <span class="thread-state">{mark}</span> })}
                <span class="thread-time">
                    {last.map(|last| view! { <Time at=last.created_at /> })}
                    {format!(" · {}", thread.message_count)}
                </span>
            </button>
        </li>
    }
}
