use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn Audit() -> impl IntoView {
    view! {
        <Title text="Audit" />
        <h1>"Audit"</h1>
    }
}
