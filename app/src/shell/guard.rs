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
                    let next = format!("{path}{}", location.search.get_untracked().as_query());
                    view! { <Redirect path=sign_in_href(&next) /> }
                })
            })}
        </Suspense>
    }
}

/// The query part of an address, with its mark.
trait AsQuery {
    fn as_query(&self) -> String;
}

impl AsQuery for String {
    fn as_query(&self) -> String {
        if self.is_empty() { String::new() } else { format!("?{self}") }
    }
}
