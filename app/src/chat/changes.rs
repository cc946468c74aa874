use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};
use uuid::Uuid;
use wire::message::{ChangedRecord, Changes};

use super::review::Review;
use crate::api::record::{SaveAnswer, revert};
use crate::state::{Toasts, chats::Chats};
use crate::ui::{Badge, Button, Look, Tone};

/// What a turn made of the records: versions with their size, what was refused and why, and what a person must settle.
#[component]
pub fn ChangesCard(changes: Arc<Changes>, turn_id: Option<Uuid>) -> impl IntoView {
    let _ = turn_id;
    let settle = match changes.conflicts.len() {
        0 => None,
        1 => Some("One change met somebody else's on the same lines. Both are kept.".to_owned()),
        count => Some(format!("{count} changes met somebody else's on the same lines. Both sides are kept.")),
    };
    view! {
        <div class="changes" role="group" aria-label="Changes">
            {changes.records.iter().cloned().map(|record| view! { <Changed record /> }).collect_view()}
            {settle.map(|words| view! {
                <p class="change conflict">
                    <span>{words}</span>
                    <a href="#proposals">"Settle"</a>
                </p>
            })}
            {changes.refused.iter().cloned().map(|file| view! {
                <p class="change refused">
                    <code dir="ltr">{file.path}</code>
                    <span dir="auto">{format!(" was not taken over: {}", file.reason)}</span>
                </p>
            }).collect_view()}
        </div>
    }
}

/// One record that a turn made or changed.
#[component]
fn Changed(record: ChangedRecord) -> impl IntoView {
    let chats = expect_context::<Chats>();
    let toasts = expect_context::<Toasts>();
    let reviewed = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let project = chats.current_now().map(|current| current.project().to_owned()).unwrap_or_default();
    let page = format!("/p/{project}/{}/{}", record.kind.folder(), record.slug);
    let (id, version) = (record.record_id, record.version);
    let take_back = move |_| {
        busy.set(true);
        spawn_local(async move {
            let answer = revert(id, version, None).await;
            let _ = busy.try_set(false);
            tell(toasts, answer);
        });
    };
    let title = record.title.clone();
    view! {
        <div class="change">
            <span class="change-what">
                <a href=page.clone() dir="auto">{record.title}</a>
                " "
                {record.new.then(|| view! { <Badge tone=Tone::Good>"new"</Badge> " " })}
                <a class="change-version" href=format!("{page}#version-{version}")>{format!("version {version}")}</a>
            </span>
            <span class="change-size">
                <span class="plus">{format!("+{}", record.added)}</span>
                " "
                <span class="minus">{format!("−{}", record.removed)}</span>
            </span>
            {record.merged.then(|| view! { <span class="muted">"merged with a person's change"</span> })}
            <span class="change-acts">
                <Button look=Look::Plain on:click=move |_| reviewed.set(true)>"Compare"</Button>
                {(!record.new).then(|| view! {
                    <Button look=Look::Plain disabled=busy on:click=take_back>"Revert"</Button>
                })}
            </span>
            <Review open=reviewed record=id version title may_revert=!record.new />
        </div>
    }
}

/// Says what became of a revert.
pub fn tell(toasts: Toasts, answer: Result<SaveAnswer, crate::api::Refusal>) {
    match answer {
        Ok(SaveAnswer::Saved(saved)) => toasts.say(format!("Taken back, as version {}.", saved.record.version)),
        Ok(SaveAnswer::Conflict(_)) => {
            toasts.fail(
                "Later changes touch the same lines. Nothing was written: take it back by hand on the record's page.",
            );
        }
        Err(refusal) => toasts.fail(refusal.detail()),
    }
}
