use leptos::{html, prelude::*, task::spawn_local};

use super::{entry::EntryView, outgoing::OutgoingView, scroll::Follow, status::Status};
use crate::api;
use crate::state::{
    conversation::{Conversation, Older},
    outbox::Outgoing,
};
use crate::ui::{Button, Look};

/// The words of the open thread.
#[component]
pub fn Transcript(conversation: Conversation) -> impl IntoView {
    let scroller = NodeRef::<html::Div>::new();
    let content = NodeRef::<html::Div>::new();
    let follow = Follow::new(scroller, content);
    let order = conversation.order();
    let count = {
        let order = order.clone();
        Signal::derive(move || order.read().len())
    };
    follow.watch(count);

    let older = conversation.older();
    let load = {
        let conversation = conversation.clone();
        move || load_older(&conversation, follow)
    };
    follow.on_top(load.clone());

    let outbox = conversation.outbox();
    let entries = conversation.clone();
    let waiting = conversation.clone();
    let status = conversation.clone();
    let fresh = conversation.fresh_thread();
    view! {
        <div
            id="transcript"
            class="transcript"
            role="log"
            aria-label="Conversation"
            aria-live="off"
            tabindex="0"
            node_ref=scroller
            on:scroll=move |_| follow.scrolled()
        >
            <div class="transcript-inside" node_ref=content>
                {move || match older.get() {
                    Older::None => ().into_any(),
                    state => {
                        let load = load.clone();
                        view! {
                            <div class="older">
                                <Button look=Look::Plain disabled=state == Older::Loading on:click=move |_| load()>
                                    {match state {
                                        Older::Loading => "Loading earlier messages…",
                                        Older::Failed => "Earlier messages could not be read. Try again",
                                        _ => "Earlier messages",
                                    }}
                                </Button>
                            </div>
                        }
                        .into_any()
                    }
                }}
                <For
                    each=move || if fresh.get() { Vec::new() } else { order.get() }
                    key=|id| *id
                    children=move |id| {
                        let conversation = entries.clone();
                        entries.entry(id).map(|entry| view! { <EntryView entry conversation /> })
                    }
                />
                <For each=move || outbox.get() key=Outgoing::key let:outgoing>
                    <OutgoingView outgoing />
                </For>
            </div>
        </div>
        <ToEnd conversation=waiting follow />
        <Status conversation=status />
    }
}

/// Leads to what came while the reader was elsewhere in the text.
#[component]
fn ToEnd(conversation: Conversation, follow: Follow) -> impl IntoView {
    let turn = conversation.turn();
    let words = move || match follow.unseen() {
        0 if turn.read().as_ref().is_some_and(|turn| turn.started_at.is_some()) => Some("To the end".to_owned()),
        0 => None,
        count => Some(format!("{count} new")),
    };
    view! {
        {move || {
            let words = words().filter(|_| !follow.at_end());
            words
                .map(|words| {
                    view! {
                        <button type="button" class="to-end" on:click=move |_| follow.to_end()>
                            {words}
                        </button>
                    }
                })
        }}
    }
}

fn load_older(conversation: &Conversation, follow: Follow) {
    let older = conversation.older().get_untracked();
    let Some(first) = conversation.first().filter(|_| matches!(older, Older::Some | Older::Failed)) else { return };
    conversation.set_older(Older::Loading);
    let (weak, chat, thread) = (conversation.downgrade(), conversation.id(), conversation.thread().get_untracked());
    spawn_local(async move {
        let answer = api::chat::older(chat, thread, first).await;
        let Some(conversation) = weak.upgrade() else { return };
        match answer {
            Ok(page) => {
                follow.keep_place();
                conversation.prepend(page.messages, page.turns, page.more);
            }
            Err(_) => conversation.set_older(Older::Failed),
        }
    });
}
