use std::sync::Arc;

use leptos::prelude::*;
use wire::message::{Message, MessageState};
use wire::turn::{Turn, TurnState};

use super::elapsed::Elapsed;
use crate::state::conversation::Conversation;
use crate::ui::Time;

/// Above an agent's turn: the command if any, the agent, runtime and model, the time, and how the turn stands.
#[component]
pub fn Caption(head: ArcRwSignal<Arc<Message>>, conversation: Conversation) -> impl IntoView {
    let turn_id = head.read_untracked().turn_id;
    let turn = turn_id.map(|id| conversation.turn_of(id)).unwrap_or_default();
    let name = {
        let head = head.clone();
        move || head.read().sender.name.clone()
    };
    let created = head.read_untracked().created_at;
    let told = turn.clone();
    let failed = turn.clone();
    let model = move || {
        turn.read().as_ref().map(|turn| {
            view! {
                {turn.skill.clone().map(|skill| view! { <code>{format!("/{skill}")}</code> })}
                <span dir="auto">{name.clone()}</span>
                <span>{turn.runtime.clone()}</span>
                <code>{turn.model.clone()}</code>
            }
        })
    };
    let unknown = {
        let head = head.clone();
        let told = told.clone();
        move || told.read().is_none().then(|| head.read().sender.name.clone())
    };
    let state = move || {
        let turn = told.read();
        // a message that streams without a turn that is known: say no more than that
        let Some(turn) = turn.as_ref() else {
            return (head.read().state == MessageState::Streaming).then(|| view! { <span>"running"</span> }.into_any());
        };
        said(turn)
    };
    view! {
        <p class="caption">
            {model}
            {move || unknown().map(|name| view! { <span dir="auto">{name}</span> })}
            <Time at=created />
            {state}
        </p>
        {move || failed.read().as_ref().and_then(|turn| turn.error.clone()).map(|error| view! {
            <p class="turn-error">{error.detail}</p>
        })}
    }
}

/// How a turn stands, in words; nothing for one that is done.
pub fn said(turn: &Turn) -> Option<AnyView> {
    let word = match turn.state {
        TurnState::Completed => return None,
        TurnState::Running => {
            return Some(
                view! {
                    <span class="turn-state running">
                        "running " {turn.started_at.map(|since| view! { <Elapsed since /> })}
                    </span>
                }
                .into_any(),
            );
        }
        TurnState::Queued => "queued",
        TurnState::Paused => "paused, waiting for an answer",
        TurnState::Failed => "failed",
        TurnState::Stopped => "stopped",
        TurnState::Interrupted => "interrupted",
    };
    Some(view! { <span class=format!("turn-state {}", turn.state.name())>{word}</span> }.into_any())
}
