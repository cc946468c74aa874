use leptos::prelude::*;
use wire::message::MessageClass;

use super::{entry::name_of, text::Words, turn_note::TurnNote};
use crate::state::{
    conversation::Conversation,
    entry::{Entry, PartKey},
};
use crate::ui::Time;

/// What a person said, in a quiet bubble at the right, with how the turn stands that it caused.
#[component]
pub fn PersonMessage(entry: Entry, conversation: Conversation) -> impl IntoView {
    let head = entry.head();
    let label = name_of(head.clone());
    let created = head.read_untracked().created_at;
    let note = head.read_untracked().class == MessageClass::Note;
    let parts = entry.parts();
    let id = entry.id();
    let edited = move || head.read().edited_at.map(|_| " · edited");
    view! {
        <article class="msg me" class:note=note aria-label=label>
            <div class="bubble">
                <For
                    each=move || parts.get()
                    key=Clone::clone
                    children=move |part| match part {
                        PartKey::Text(id) => entry.text(&id).map(|text| view! { <Words text /> }),
                        _ => None,
                    }
                />
            </div>
            <p class="msg-time"><Time at=created />{edited}</p>
            <TurnNote message=id conversation />
        </article>
    }
}
