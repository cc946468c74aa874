use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

use crate::{api::Refusal, routes::sign_in_href, ui::Failure};

/// Why the page cannot be shown, in a sentence, with a way on.
#[component]
pub fn Failed(refusal: Refusal) -> impl IntoView {
    let path = use_location().pathname.get_untracked();
    let (href, words) = match refusal.0.status {
        401 => (sign_in_href(&path), "Sign in"),
        403 | 404 => ("/".to_owned(), "To your projects"),
        _ => (path, "Try again"),
    };
    view! {
        <Title text=refusal.0.title.clone() />
        <Failure title=refusal.0.title detail=refusal.0.detail>
            // loads anew: what failed may have failed for good in this tab
            <a class="btn ghost" href=href rel="external">
                {words}
            </a>
        </Failure>
    }
}
