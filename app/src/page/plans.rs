use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn Plans() -> impl IntoView {
    view! {
        <Title text="Plans" />
        <h1>"Plans"</h1>
    }
}
