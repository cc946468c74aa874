use leptos::prelude::*;
use wire::{
    person::Me,
    record::{RecordKind, RecordLine, RecordPage},
};

use super::{line::RecordLines, new::NewRecordButton, status::scope_of, view::Shown};
use crate::ui::Empty;

/// What lies beneath: plans and bugs of an initiative, bugs of a plan.
#[component]
pub fn Children(shown: Shown, me: Me) -> impl IntoView {
    match shown.page.with_untracked(|page| page.record.kind) {
        RecordKind::Initiative => {
            let parent = parent(shown.page);
            let plans = Signal::derive(move || {
                let line = |line: &RecordLine| (line.id, line.title.clone());
                shown.page.with(|page| page.children.iter().map(line).collect::<Vec<_>>())
            });
            view! {
                <Part shown me=me.clone() kind=RecordKind::Plan of=|page| &page.children parents=parent />
                <Part shown me kind=RecordKind::Bug of=|page| &page.bugs parents=plans />
            }
            .into_any()
        }
        RecordKind::Plan => {
            let parent = parent(shown.page);
            view! { <Part shown me kind=RecordKind::Bug of=|page| &page.bugs parents=parent /> }.into_any()
        }
        RecordKind::Bug => ().into_any(),
    }
}

/// The record itself as the only parent.
fn parent(page: Signal<RecordPage>) -> Signal<Vec<(uuid::Uuid, String)>> {
    Signal::derive(move || page.with(|page| vec![(page.record.id, page.record.title.clone())]))
}

#[component]
fn Part(
    shown: Shown,
    me: Me,
    kind: RecordKind,
    of: fn(&RecordPage) -> &Vec<RecordLine>,
    parents: Signal<Vec<(uuid::Uuid, String)>>,
) -> impl IntoView {
    let page = shown.page;
    let (heading, id) = match kind {
        RecordKind::Bug => ("Bugs", "bugs"),
        RecordKind::Plan | RecordKind::Initiative => ("Plans", "plans"),
    };
    let lines = Signal::derive(move || page.with(|page| of(page).clone()));
    let (project_id, slug) = page.with_untracked(|page| (page.project.id, page.project.slug.clone()));
    let may = me.may(scope_of(kind));
    let new = slug.clone();
    view! {
        <section id=id class="part" aria-label=heading>
            <header class="part-head">
                <h2>{heading}</h2>
                {may.then(|| view! { <NewRecordButton kind project_id project=new parents /> })}
            </header>
            <Show
                when=move || !lines.with(Vec::is_empty)
                fallback=move || {
                    view! { <Empty title=format!("No {} yet.", heading.to_lowercase()) /> }
                }
            >
                <RecordLines lines project=slug.clone() label=heading />
            </Show>
        </section>
    }
}
