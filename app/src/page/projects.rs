use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn Projects() -> impl IntoView {
    view! {
        <Title text="Projects" />
        <h1>"Projects"</h1>
    }
}
