use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn Bugs() -> impl IntoView {
    view! {
        <Title text="Bugs" />
        <h1>"Bugs"</h1>
    }
}
