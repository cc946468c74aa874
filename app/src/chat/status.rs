use std::sync::Arc;

use leptos::prelude::*;
use wire::turn::{Turn, TurnState};

use crate::state::conversation::Conversation;

/// Says states, never the words of a text, to those who hear the page.
#[component]
pub fn Status(conversation: Conversation) -> impl IntoView {
    let turn = conversation.turn();
    let of = conversation.clone();
    // the turn that was there, and what is to be said
    let said = Memo::new(move |before: Option<&(Option<Arc<Turn>>, String)>| {
        let now = turn.get();
        let said = match (before.and_then(|(turn, _)| turn.clone()), &now) {
            (_, Some(turn)) => standing(turn),
            (Some(was), None) => match of.turn_of(was.id).get() {
                Some(turn) => standing(&turn),
                None => String::new(),
            },
            (None, None) => String::new(),
        };
        (now, said)
    });
    view! { <p class="unseen" role="status" aria-live="polite">{move || said.read().1.clone()}</p> }
}

fn standing(turn: &Turn) -> String {
    let agent = &turn.agent_name;
    match turn.state {
        TurnState::Queued => format!("{agent} is queued."),
        TurnState::Running => format!("{agent} is working."),
        TurnState::Paused => format!("{agent} waits for an answer."),
        TurnState::Completed => format!("{agent} is done."),
        TurnState::Failed => match &turn.error {
            Some(error) => format!("{agent} failed: {}", error.detail),
            None => format!("{agent} failed."),
        },
        TurnState::Stopped => format!("{agent} was stopped."),
        TurnState::Interrupted => format!("{agent} was interrupted."),
    }
}
