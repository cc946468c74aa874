use leptos::prelude::*;
use leptos_meta::Title;
use wire::record::{ProjectOverview, RecordKind};

use super::Failed;
use crate::{
    record::{NewRecordButton, RecordLines, scope_of},
    state::{Place, Session},
    ui::{Empty, Look, Skeleton},
};

/// All bugs of a project, whatever plan they lie under.
#[component]
pub fn Bugs() -> impl IntoView {
    let place = expect_context::<Place>();
    let session = expect_context::<Session>();
    view! {
        <Title text="Bugs" />
        <Transition fallback=|| {
            view! { <Skeleton lines=6 /> }
        }>
            {move || Suspend::new(async move {
                let may = session.me().await.is_some_and(|me| me.may(scope_of(RecordKind::Bug)));
                match place.overview.ready().await {
                    Ok(overview) => view! { <List overview may /> }.into_any(),
                    Err(refusal) => view! { <Failed refusal /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn List(overview: Signal<ProjectOverview>, may: bool) -> impl IntoView {
    let (project_id, slug) = overview.with_untracked(|overview| (overview.project.id, overview.project.slug.clone()));
    let lines = Signal::derive(move || overview.with(|overview| overview.bugs.clone()));
    let parents = Signal::derive(move || {
        overview.with(|overview| overview.plans.iter().map(|line| (line.id, line.title.clone())).collect::<Vec<_>>())
    });
    let new = slug.clone();
    view! {
        <header class="page-head">
            <h1>"Bugs"</h1>
            {may
                .then(|| {
                    view! {
                        <NewRecordButton kind=RecordKind::Bug project_id project=new parents look=Look::Primary />
                    }
                })}
        </header>
        <Show when=move || !lines.with(Vec::is_empty) fallback=|| view! { <Empty title="No bugs yet." /> }>
            <RecordLines lines project=slug.clone() label="Bugs" />
        </Show>
    }
}
