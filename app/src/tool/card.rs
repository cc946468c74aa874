use std::sync::Arc;

use leptos::prelude::*;
use wire::message::{ToolCall, ToolState};

use super::{details::Details, kind::icon, todo};
use crate::ui::{Icon, IconName};

/// One call of a tool. Collapsed it is a line: what, on what, and how it went.
#[component]
pub fn ToolCard(
    call: ArcRwSignal<Arc<ToolCall>>,
    /// The card's list stands open beneath its line, whether the card is opened or not.
    #[prop(into)]
    in_line: Signal<bool>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let name = call.read_untracked().name.clone();
    let state = {
        let call = call.clone();
        Memo::new(move |_| call.read().state)
    };
    let label = {
        let call = call.clone();
        Memo::new(move |_| call.read().label.clone())
    };
    let said = {
        let name = name.clone();
        Memo::new(move |_| if label.read().is_empty() { name.clone() } else { format!("{name} {}", label.get()) })
    };
    let size = {
        let call = call.clone();
        move || size_of(&call.read())
    };
    let list = {
        let call = call.clone();
        Memo::new(move |_| todo::items(&call.read().input))
    };
    let picture = icon(&name);
    let shown_name = name.clone();
    view! {
        <div class="step tool" role="group" data-tool=name data-state=move || state.get().name() aria-label=said>
            <div class="card">
                <button
                    type="button"
                    class="card-head"
                    aria-expanded=move || open.get().to_string()
                    aria-label=said
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <Icon name=picture />
                    <b>{shown_name}</b>
                    <code dir="ltr">{label}</code>
                    <span class="card-side">
                        {size}
                        {move || words(state.get())}
                        <Icon name=IconName::Chevron />
                    </span>
                </button>
                <Show when=move || in_line.get() && !open.get() && !list.read().is_empty()>
                    {move || view! { <todo::TodoList items=list.get() /> }}
                </Show>
                <Show when=move || open.get()>
                    {
                        let call = call.clone();
                        move || view! { <Details call=call.get() /> }
                    }
                </Show>
            </div>
        </div>
    }
}

/// States in words, not in colour alone; a call that went well says nothing.
const fn words(state: ToolState) -> Option<&'static str> {
    match state {
        ToolState::Active => Some("running"),
        ToolState::Success => None,
        ToolState::Error => Some("failed"),
        ToolState::Cancelled => Some("cancelled"),
    }
}

/// How much a call changed, or how far its list is.
fn size_of(call: &ToolCall) -> Option<AnyView> {
    if call.name == "TodoWrite" {
        let items = todo::items(&call.input);
        return (!items.is_empty()).then(|| todo::progress(&items).into_any());
    }
    let diff = call.diff.as_ref()?;
    Some(
        view! {
            <span class="plus">{format!("+{}", diff.added)}</span>
            <span class="minus">{format!("−{}", diff.removed)}</span>
        }
        .into_any(),
    )
}
