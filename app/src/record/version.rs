use leptos::{prelude::*, task::spawn_local};
use wire::version::{EditSource, Version};

use super::{compare::Compared, view::Shown};
use crate::{
    api::record::{SaveAnswer, restore, revert},
    state::{Place, Toasts},
    ui::{Badge, Time, Tone},
};

/// One version of the history.
#[component]
pub fn VersionRow(shown: Shown, version: Version, compared: Compared) -> impl IntoView {
    let n = version.version;
    let (words, tone) = match version.edit_source {
        EditSource::Ai => ("AI", Tone::Accent),
        EditSource::Human => ("Person", Tone::Quiet),
        EditSource::Restore => ("Restore", Tone::Warn),
    };
    let who = match &version.agent {
        Some(agent) => {
            let (agent, person) = (agent.name.clone(), version.author.name.clone());
            view! {
                <b dir="auto">{agent}</b>
                " for "
                <span dir="auto">{person}</span>
            }
            .into_any()
        }
        None => view! { <b dir="auto">{version.author.name.clone()}</b> }.into_any(),
    };
    let turn = version.chat_id.zip(version.turn_id).map(|(chat, turn)| format!("?chat={chat}#turn-{turn}"));
    let cause = match (version.cause.clone(), turn) {
        (Some(cause), Some(href)) => view! {
            " · "
            <a href=href dir="auto" title="To the turn that made it">
                {format!("“{cause}”")}
            </a>
        }
        .into_any(),
        (None, Some(href)) => view! {
            " · "
            <a href=href>"to the turn"</a>
        }
        .into_any(),
        (Some(cause), None) => view! {
            " · "
            <span dir="auto">{cause}</span>
        }
        .into_any(),
        (None, None) if n == 1 => " · created".into_any(),
        (None, None) => ().into_any(),
    };
    let size = (version.added != 0 || version.removed != 0).then(|| {
        view! {
            " · "
            <span class="size">
                <span class="plus">{format!("+{}", version.added)}</span>
                " "
                <span class="minus">{format!("−{}", version.removed)}</span>
            </span>
        }
    });
    view! {
        <li id=format!("version-{n}") class="version">
            <span class="n">
                <span class="unseen">"Version "</span>
                {n}
            </span>
            <span class="about">
                <Badge tone=tone>{words}</Badge>
                " "
                {who}
                {cause}
                {size}
                " · "
                <Time at=version.created_at />
            </span>
            <span class="act">
                <Acts shown n compared />
            </span>
        </li>
    }
}

#[component]
fn Acts(shown: Shown, n: i32, compared: Compared) -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    let place = expect_context::<Place>();
    let current = Memo::new(move |_| shown.page.with(|page| page.record.version == n));
    let take_back = move |_| {
        spawn_local(async move {
            match revert(shown.id, n, None).await {
                Ok(SaveAnswer::Saved(saved)) => {
                    place.record.refresh();
                    toasts.say(format!("Version {n} is taken back, as version {}.", saved.record.version));
                }
                Ok(SaveAnswer::Conflict(conflict)) => {
                    let _ = shown.conflict.try_set(Some(*conflict));
                    let _ = shown.editing.try_set(true);
                }
                Err(refusal) => toasts.fail(refusal.detail()),
            }
        });
    };
    let bring_back = move |_| {
        spawn_local(async move {
            match restore(shown.id, n).await {
                Ok(saved) => {
                    place.record.refresh();
                    toasts.say(format!("Version {n} is restored, as version {}.", saved.record.version));
                }
                Err(refusal) => toasts.fail(refusal.detail()),
            }
        });
    };
    view! {
        {(n > 1)
            .then(|| {
                view! {
                    <button
                        type="button"
                        class="btn plain"
                        aria-label=format!("Compare version {n} with the one before")
                        on:click=move |_| compared.show(n - 1, n)
                    >
                        "Compare"
                    </button>
                }
            })}
        {(shown.may && n > 1)
            .then(|| {
                view! {
                    <button
                        type="button"
                        class="btn plain"
                        aria-label=format!("Revert version {n}")
                        title="Takes back what this version changed, as a new version"
                        on:click=take_back
                    >
                        "Revert"
                    </button>
                }
            })}
        <Show when=move || shown.may && !current.get()>
            <button
                type="button"
                class="btn plain"
                aria-label=format!("Restore version {n}")
                title="Writes this version's text again, as a new version"
                on:click=bring_back
            >
                "Restore"
            </button>
        </Show>
    }
}
