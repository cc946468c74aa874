use leptos::prelude::*;
use leptos_router::{components::Redirect, hooks::use_params_map};
use uuid::Uuid;

use super::Failed;
use crate::{
    api::{self, Refusal},
    ui::Skeleton,
};

/// Leads to where a turn can be seen.
#[component]
pub fn Turn() -> impl IntoView {
    let params = use_params_map();
    let address = Resource::new(
        move || params.with(|params| params.get("id")).and_then(|id| id.parse::<Uuid>().ok()),
        |id| async move {
            match id {
                Some(id) => api::audit::turn_address(id).await,
                None => Err(Refusal::not_found()),
            }
        },
    );
    view! {
        <Suspense fallback=|| {
            view! { <Skeleton /> }
        }>
            {move || Suspend::new(async move {
                match address.await {
                    Ok(address) => view! { <Redirect path=address /> }.into_any(),
                    Err(refusal) => view! { <Failed refusal /> }.into_any(),
                }
            })}
        </Suspense>
    }
}
