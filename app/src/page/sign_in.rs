use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn SignIn() -> impl IntoView {
    view! {
        <Title text="Sign in" />
        <h1>"Sign in"</h1>
    }
}
