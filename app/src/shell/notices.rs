use leptos::prelude::*;

use crate::{
    state::Toasts,
    ui::{IconButton, IconName},
};

/// The notices at the edge of the page. The region is always there, so that a screen reader hears what comes into it.
#[component]
pub fn Notices() -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    view! {
        <div class="toasts" role="status" aria-live="polite" aria-label="Notices">
            <For each=move || toasts.list().get() key=|toast| toast.id let:toast>
                <div class=format!("toast {}", toast.tone.class())>
                    <span dir="auto">{toast.text}</span>
                    {toast.link.map(|(href, words)| view! { <a href=href>{words}</a> })}
                    <IconButton
                        label="Dismiss"
                        icon=IconName::Close
                        on:click=move |_| toasts.dismiss(toast.id)
                    />
                </div>
            </For>
        </div>
    }
}
