use leptos::prelude::*;
use wire::chat::{ChatLine, ThreadState};

use crate::state::chats::Chats;
use crate::ui::{Menu, MenuItem, Time};

/// The chip with the number of the record's other open chats, and the list of them.
#[component]
pub fn Others() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let others = Memo::new(move |_| chats.others());
    let label = Signal::derive(move || match others.read().len() {
        1 => "1 other chat".to_owned(),
        count => format!("{count} other chats"),
    });
    view! {
        <Show when=move || !others.read().is_empty()>
            <Menu label=label list="Other chats" class="chip" face=ViewFn::from(move || label.get())>
                <For each=move || others.get() key=|line| (line.chat.id, line.chat.name.clone(), line.state as u8, line.last.as_ref().map(|last| last.created_at)) let:line>
                    <Other line />
                </For>
            </Menu>
        </Show>
    }
}

/// One other chat: how it stands, what was said last, and when.
#[component]
fn Other(line: ChatLine) -> impl IntoView {
    let chats = expect_context::<Chats>();
    let id = line.chat.id;
    let (mark, state) = match line.state {
        ThreadState::Idle => ("mark", None),
        ThreadState::Working => ("mark working", Some("working")),
        ThreadState::Waiting => ("mark waiting", Some("waiting for you")),
    };
    let (said, at) = match line.last {
        Some(last) => (Some(format!("{}: {}", last.sender, last.text)), last.created_at),
        None => (None, line.chat.created_at),
    };
    view! {
        <MenuItem on:click=move |_| chats.choose(id)>
            <span class="other">
                <i class=mark></i>
                <span class="other-name" dir="auto">{line.chat.name}</span>
                {state.map(|state| view! { <span class="other-state">{state}</span> })}
                <span class="other-time"><Time at=at /></span>
                <span class="other-last" dir="auto">{said}</span>
            </span>
        </MenuItem>
    }
}
