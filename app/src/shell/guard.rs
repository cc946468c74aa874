use leptos::prelude::*;
use leptos_router::{components::Redirect, hooks::use_location};

use crate::{routes::sign_in_href, state::Session};

/// Leads whoever is not signed in to the sign-in, and back afterwards.
#[component]
pub fn Guard() -> impl IntoView {
    let session = expect_context::<Session>();
    let location = use_location();
    view! {
        <Suspense fallback=|| ()>
            {move || Suspend::new(async move {
                let who = session.who().await;
                let path = location.pathname.get_untracked();
                let out = who.is_ok_and(|who| who.me.is_none()) && path != "/sign-in";
                out.then(|| {
                    let query = location.search.get_untracked();
                    let next = if query.is_empty() { path } else { format!("{path}?{query}") };
                    view! { <Redirect path=sign_in_href(&next) /> }
                })
            })}
        </Suspense>
    }
}
