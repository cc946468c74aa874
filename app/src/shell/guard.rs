use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};

use crate::{api::session::redirect, routes::sign_in_href, state::Session};

/// Leads whoever is not signed in to the sign-in, and back afterwards.
#[component]
pub fn Guard() -> impl IntoView {
    let session = expect_context::<Session>();
    let location = use_location();
    let navigate = use_navigate();
    view! {
        <Suspense fallback=|| ()>
            {move || {
                let (location, navigate) = (location.clone(), navigate.clone());
                Suspend::new(async move {
                    let who = session.who().await;
                    let path = location.pathname.get_untracked();
                    if who.is_ok_and(|who| who.me.is_none()) && path != "/sign-in" {
                        let query = location.search.get_untracked();
                        let next = if query.is_empty() { path } else { format!("{path}?{query}") };
                        // the router's own component wants to stand inside a route, and this stands beside them
                        let sign_in = sign_in_href(&next);
                        if !redirect(&sign_in) {
                            navigate(&sign_in, Default::default());
                        }
                    }
                })
            }}
        </Suspense>
    }
}
