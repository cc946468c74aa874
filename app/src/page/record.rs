use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn Record() -> impl IntoView {
    view! {
        <Title text="Record" />
        <h1>"Record"</h1>
    }
}
