use leptos::prelude::*;
use leptos_meta::Title;
use wire::record::{BoardCard, ProjectOverview, RecordKind};

use super::Failed;
use crate::{
    record::{NewRecordButton, StatusPill, scope_of},
    routes::record_href,
    state::{Place, Session},
    ui::{Empty, Look, Skeleton, Time},
};

/// A project: its initiatives by status, each with the count of its plans by status.
#[component]
pub fn Board() -> impl IntoView {
    let place = expect_context::<Place>();
    let session = expect_context::<Session>();
    view! {
        <Transition fallback=|| {
            view! { <Skeleton lines=6 /> }
        }>
            {move || Suspend::new(async move {
                let may = session.me().await.is_some_and(|me| me.may(scope_of(RecordKind::Initiative)));
                match place.overview.ready().await {
                    Ok(overview) => view! { <Columns overview may /> }.into_any(),
                    Err(refusal) => view! { <Failed refusal /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Columns(overview: Signal<ProjectOverview>, may: bool) -> impl IntoView {
    let name = move || overview.with(|overview| overview.project.name.clone());
    let description = move || overview.with(|overview| overview.project.description.clone());
    let (project_id, slug) = overview.with_untracked(|overview| (overview.project.id, overview.project.slug.clone()));
    let new = slug.clone();
    let empty = Memo::new(move |_| overview.with(|overview| overview.board.is_empty()));
    view! {
        <Title text=name />
        <header class="page-head">
            <div>
                <h1 dir="auto">{name}</h1>
                <p class="lead" dir="auto">
                    {description}
                </p>
            </div>
            {may
                .then(|| {
                    view! {
                        <NewRecordButton kind=RecordKind::Initiative project_id project=new look=Look::Primary />
                    }
                })}
        </header>
        <Show
            when=move || !empty.get()
            fallback=|| {
                view! {
                    <Empty title="No initiatives yet.">
                        <p>"An initiative says what is to be reached; its plans say how."</p>
                    </Empty>
                }
            }
        >
            <div class="board">
                {RecordKind::Initiative
                    .statuses()
                    .iter()
                    .map(|status| view! { <Column overview status slug=slug.clone() /> })
                    .collect_view()}
            </div>
        </Show>
    }
}

#[component]
fn Column(overview: Signal<ProjectOverview>, status: &'static str, slug: String) -> impl IntoView {
    let cards = Memo::new(move |_| {
        overview.with(|overview| {
            overview.board.iter().filter(|card| card.record.status == status).cloned().collect::<Vec<_>>()
        })
    });
    let heading = format!("column-{status}");
    let labelled = heading.clone();
    view! {
        <section class="column" aria-labelledby=labelled>
            <h2 id=heading>
                <StatusPill status=status.to_owned() />
                <span class="count">{move || cards.with(Vec::len)}</span>
            </h2>
            <ul class="plain">
                <For each=move || cards.get() key=|card| card.record.id let:card>
                    <Card overview first=card slug=slug.clone() />
                </For>
            </ul>
        </section>
    }
}

/// One initiative. It stays the same element while its counts move.
#[component]
fn Card(overview: Signal<ProjectOverview>, first: BoardCard, slug: String) -> impl IntoView {
    let id = first.record.id;
    let card = Memo::new(move |_| {
        overview
            .with(|overview| overview.board.iter().find(|card| card.record.id == id).cloned())
            .unwrap_or_else(|| first.clone())
    });
    view! {
        <li class="board-card">
            <a
                class="board-card-title"
                dir="auto"
                href=move || card.with(|card| record_href(&slug, card.record.kind, &card.record.slug))
            >
                {move || card.with(|card| card.record.title.clone())}
            </a>
            <p class="board-card-counts">{move || card.with(|card| counts(&card.plans))}</p>
            <p class="board-card-foot">
                <span dir="auto">{move || card.with(|card| card.record.owner.name.clone())}</span>
                " · "
                <Time at=Signal::derive(move || card.with(|card| card.record.updated_at)) />
            </p>
        </li>
    }
}

/// `3 plans: 2 draft, 1 in progress`.
fn counts(plans: &[(String, i64)]) -> String {
    let all: i64 = plans.iter().map(|(_, count)| count).sum();
    if all == 0 {
        return "No plans yet".to_owned();
    }
    let each: Vec<String> =
        plans.iter().filter(|(_, count)| *count > 0).map(|(status, count)| format!("{count} {status}")).collect();
    format!("{all} {}: {}", if all == 1 { "plan" } else { "plans" }, each.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_as_a_sentence() {
        let plans = |counts: &[(&str, i64)]| counts.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect::<Vec<_>>();
        assert_eq!(
            super::counts(&plans(&[("draft", 2), ("ready", 0), ("in progress", 1)])),
            "3 plans: 2 draft, 1 in progress"
        );
        assert_eq!(super::counts(&plans(&[("draft", 1)])), "1 plan: 1 draft");
        assert_eq!(super::counts(&plans(&[("draft", 0)])), "No plans yet");
    }
}
