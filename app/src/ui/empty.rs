use leptos::prelude::*;

/// What stands where a list has nothing: a sentence, and what to do about it.
#[component]
pub fn Empty(#[prop(into)] title: String, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="empty-title">{title}</p>
            {children.map(|children| children())}
        </div>
    }
}

/// Something could not be shown or done: the sentence says why.
#[component]
pub fn Failure(
    #[prop(into)] title: String,
    #[prop(into)] detail: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="failure" role="alert">
            <h1>{title}</h1>
            <p>{detail}</p>
            {children.map(|children| children())}
        </div>
    }
}
