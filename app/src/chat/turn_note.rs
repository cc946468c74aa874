use leptos::{prelude::*, task::spawn_local};
use uuid::Uuid;
use wire::turn::{Turn, TurnState};

use super::{caption::said, draft};
use crate::api;
use crate::state::{Toasts, conversation::Conversation};
use crate::ui::{Button, Look};

/// Beneath a message: how the turn stands that it caused, until the agent's own message says so.
#[component]
pub fn TurnNote(message: Uuid, conversation: Conversation) -> impl IntoView {
    let turn = conversation.caused_by(message);
    let answered = conversation.answered();
    let held = conversation.held();
    let shown = Memo::new(move |_| turn.get().filter(|turn| !answered.read().contains(&turn.id)));
    move || {
        shown.get().map(|turn| {
            let waits = turn.state == TurnState::Queued;
            let held = held.clone();
            let error = turn.error.clone();
            view! {
                <div class="turn-note">
                    <span>{turn.agent_name.clone()}</span>
                    {said(&turn)}
                    {move || (waits && held.get()).then_some("held by the stop")}
                    {waits.then(|| view! { <Withdraw turn=(*turn).clone() /> })}
                </div>
                {error.map(|error| view! { <p class="turn-error">{error.detail}</p> })}
            }
        })
    }
}

/// Takes a message back that waits; its text goes back to the box.
#[component]
fn Withdraw(turn: Turn) -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    let withdraw = move |_| {
        spawn_local(async move {
            match api::turn::withdraw(turn.id).await {
                Ok(text) => draft::give_back(&text),
                Err(refusal) => toasts.fail(refusal.detail()),
            }
        });
    };
    view! { <Button look=Look::Plain on:click=withdraw>"Withdraw"</Button> }
}
