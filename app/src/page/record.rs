use leptos::prelude::*;

use super::Failed;
use crate::{
    record::RecordView,
    state::{Place, Session},
    ui::Skeleton,
};

/// An initiative, a plan or a bug.
#[component]
pub fn Record() -> impl IntoView {
    let place = expect_context::<Place>();
    let session = expect_context::<Session>();
    view! {
        <Transition fallback=|| {
            view! { <Skeleton lines=8 /> }
        }>
            {move || Suspend::new(async move {
                let me = session.me().await;
                match (place.record.ready().await, me) {
                    (Ok(detail), Some(me)) => view! { <RecordView detail me /> }.into_any(),
                    (Err(refusal), _) => view! { <Failed refusal /> }.into_any(),
                    (Ok(_), None) => ().into_any(),
                }
            })}
        </Transition>
    }
}
