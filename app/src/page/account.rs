use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn Account() -> impl IntoView {
    view! {
        <Title text="Account" />
        <h1>"Account"</h1>
    }
}
