use leptos::prelude::*;

use super::text::Words;
use crate::state::entry::{Entry, PartKey};
use crate::tool::ToolCard;

/// The parts of an agent's message in order, along the line.
#[component]
pub fn Steps(entry: Entry) -> impl IntoView {
    let parts = entry.parts();
    let steps = {
        let parts = parts.clone();
        move || parts.get().into_iter().filter(|part| *part != PartKey::Changes).collect::<Vec<_>>()
    };
    // of several lists of what is to do only the last one is on show
    let last_todo = {
        let entry = entry.clone();
        Memo::new(move |_| {
            parts.read().iter().rev().find_map(|part| match part {
                PartKey::Tool(id) => {
                    entry.call(id).filter(|call| call.read_untracked().name == "TodoWrite").map(|_| id.clone())
                }
                _ => None,
            })
        })
    };
    view! {
        <div class="timeline">
            <For
                each=steps
                key=Clone::clone
                children=move |part| match part {
                    PartKey::Text(id) => entry
                        .text(&id)
                        .map(|text| view! { <div class="step text"><Words text /></div> })
                        .into_any(),
                    PartKey::Reasoning(id) => entry
                        .text(&id)
                        .map(|text| {
                            view! {
                                <details class="step reasoning">
                                    <summary>"Reasoning"</summary>
                                    <Words text />
                                </details>
                            }
                        })
                        .into_any(),
                    PartKey::Tool(id) => entry
                        .call(&id)
                        .map(|call| {
                            let in_line = Signal::derive(move || last_todo.read().as_ref() == Some(&id));
                            view! { <ToolCard call in_line /> }
                        })
                        .into_any(),
                    PartKey::Changes => ().into_any(),
                }
            />
        </div>
    }
}
