use leptos::prelude::*;
use wire::message::{Message, SenderKind};

use super::{caption::Caption, changes::ChangesCard, person::PersonMessage, steps::Steps};
use crate::state::{conversation::Conversation, entry::Entry};
use crate::ui::time::{Clock, neutral, relative};

/// One message of the transcript.
#[component]
pub fn EntryView(entry: Entry, conversation: Conversation) -> impl IntoView {
    let head = entry.head();
    let kind = head.read_untracked().sender.kind;
    match kind {
        SenderKind::Person => view! { <PersonMessage entry conversation /> }.into_any(),
        SenderKind::Agent => view! { <AgentMessage entry conversation /> }.into_any(),
    }
}

/// The agent's words and deeds of one turn, plain on the page, along a line with a dot for each step.
#[component]
fn AgentMessage(entry: Entry, conversation: Conversation) -> impl IntoView {
    let head = entry.head();
    let label = name_of(head.clone());
    let turn_id = head.read_untracked().turn_id;
    let anchor = turn_id.map(|turn| format!("turn-{turn}"));
    let changes = entry.changes();
    view! {
        <article class="msg agent" id=anchor aria-label=label>
            <Caption head conversation />
            <Steps entry />
            {move || changes.get().map(|changes| view! { <ChangesCard changes turn_id /> })}
        </article>
    }
}

/// Who says it and when: the name of a message to those who hear the page.
pub fn name_of(head: ArcRwSignal<std::sync::Arc<Message>>) -> impl Fn() -> String {
    let clock = use_context::<Clock>();
    move || {
        let head = head.read();
        let at = match clock.and_then(Clock::now) {
            Some(now) => relative(now, head.created_at),
            None => neutral(head.created_at),
        };
        format!("{}, {at}", head.sender.name)
    }
}
