use leptos::prelude::*;

/// A labelled field of a form; the control is its child and carries `id`.
#[component]
pub fn Field(
    id: &'static str,
    #[prop(into)] label: String,
    /// A line beneath the control.
    #[prop(optional, into)]
    hint: String,
    children: Children,
) -> impl IntoView {
    let hint = (!hint.is_empty()).then(|| view! { <p class="hint">{hint}</p> });
    view! {
        <div class="field">
            <label for=id>{label}</label>
            {children()}
            {hint}
        </div>
    }
}
