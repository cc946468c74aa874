use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn Board() -> impl IntoView {
    view! {
        <Title text="Board" />
        <h1>"Board"</h1>
    }
}
