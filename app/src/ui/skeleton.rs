use leptos::prelude::*;

/// Stands where text is still on its way.
#[component]
pub fn Skeleton(#[prop(default = 3)] lines: usize) -> impl IntoView {
    view! {
        <div class="skeleton" role="status" aria-label="Loading">
            {(0..lines).map(|_| view! { <span class="bone"></span> }).collect_view()}
        </div>
    }
}
