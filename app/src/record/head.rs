use leptos::{prelude::*, task::spawn_local};
use leptos_meta::Title;
use wire::record::{RecordKind, SaveRecord};

use super::{
    line::Severity,
    status::{StatusPill, capital},
    view::Shown,
};
use crate::{
    api::record::{SaveAnswer, save},
    routes::{project_href, record_href},
    state::{Place, Toasts},
    ui::{Menu, MenuItem, Time},
};

/// What the record is, where it lies, and how it stands.
#[component]
pub fn Head(shown: Shown) -> impl IntoView {
    let page = shown.page;
    let title = move || page.with(|page| page.record.title.clone());
    let kind = page.with_untracked(|page| page.record.kind);
    let parent = move || {
        page.with(|page| match page.ancestors.last() {
            Some(line) => (record_href(&page.project.slug, line.kind, &line.slug), line.title.clone()),
            None => (project_href(&page.project.slug), page.project.name.clone()),
        })
    };
    let under = if kind.parent().is_some() { "under" } else { "of" };
    view! {
        <Title text=title />
        <header class="record-head">
            <p class="kicker">
                {capital(kind.name())} " · " {under} " "
                <a href=move || parent().0 dir="auto">
                    {move || parent().1}
                </a>
            </p>
            <h1 dir="auto">{title}</h1>
            <div class="meta">
                <Status shown />
                {move || page.with(|page| page.record.severity.clone()).map(|severity| view! { <Severity severity /> })}
                <span dir="auto">{move || page.with(|page| page.record.owner.name.clone())}</span>
                <span class="dot" aria-hidden="true">
                    "·"
                </span>
                <span>
                    "version " {move || page.with(|page| page.record.version)} ", "
                    <Time at=Signal::derive(move || page.with(|page| page.record.updated_at)) />
                </span>
            </div>
        </header>
    }
}

/// The status: a menu of where it may go next, for who may move it.
#[component]
fn Status(shown: Shown) -> impl IntoView {
    let page = shown.page;
    let status = Signal::derive(move || page.with(|page| page.record.status.clone()));
    if !shown.may {
        return view! { <StatusPill status /> }.into_any();
    }
    let toasts = expect_context::<Toasts>();
    let place = expect_context::<Place>();
    let kind = page.with_untracked(|page| page.record.kind);
    let moved = move |to: &'static str| {
        let save_record = SaveRecord {
            base_version: page.with_untracked(|page| page.record.version),
            title: None,
            status: Some(to.to_owned()),
            body: None,
            severity: None,
        };
        spawn_local(async move {
            match save(shown.id, save_record).await {
                Ok(SaveAnswer::Saved(_)) => place.record.refresh(),
                Ok(SaveAnswer::Conflict(_)) => toasts.fail("Somebody else moved it meanwhile. Look and try again."),
                Err(refusal) => toasts.fail(refusal.detail()),
            }
        });
    };
    view! {
        <Menu
            label=Signal::derive(move || format!("Status: {}. Change it", status.get()))
            class="status"
            face=ViewFn::from(move || view! { <StatusPill status /> })
        >
            {move || {
                next(kind, &status.get())
                    .map(|to| view! { <MenuItem on:click=move |_| moved(to)>{capital(to)}</MenuItem> })
                    .collect_view()
            }}
        </Menu>
    }
    .into_any()
}

/// Where a status may go, but for where it is.
fn next(kind: RecordKind, from: &str) -> impl Iterator<Item = &'static str> {
    kind.statuses().iter().copied().filter(move |to| *to != from && kind.may_move(from, to))
}
