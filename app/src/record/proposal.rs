use leptos::{prelude::*, task::spawn_local};
use wire::version::{Decision, Proposal, ProposalKind};

use super::{diff::lines, merge::Places, view::Shown};
use crate::{
    api,
    state::{Place, Toasts},
    ui::{Badge, Button, DiffView, Look, Time, Tone},
};

/// The agent's changes that wait for a person.
#[component]
pub fn Proposals(shown: Shown, open: Signal<Vec<Proposal>>) -> impl IntoView {
    view! {
        // it stays the same element while the record changes beneath it: what is typed into it stays
        <For each=move || open.get() key=|proposal| proposal.id let:proposal>
            <ProposalCard shown proposal open />
        </For>
    }
}

#[component]
fn ProposalCard(shown: Shown, proposal: Proposal, open: Signal<Vec<Proposal>>) -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    let place = expect_context::<Place>();
    let conflict = proposal.kind == ProposalKind::Conflict;
    let (words, tone) = if conflict { ("Conflict", Tone::Warn) } else { ("Proposed", Tone::Accent) };
    let about = if conflict {
        "An agent changed the same lines as somebody else. Both sides are kept until you settle it."
    } else {
        "An agent proposes a change."
    };
    let text = RwSignal::new(proposal.merged_text.clone().unwrap_or_else(|| proposal.body.clone()));
    let editing = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let id = proposal.id;
    let decide = move |decision: Decision, body: Option<String>| {
        busy.set(true);
        spawn_local(async move {
            match api::record::decide(id, decision, body).await {
                Ok(record) => {
                    place.record.refresh();
                    toasts.say(match decision {
                        Decision::Accept => format!("Accepted; the record is at version {}.", record.version),
                        Decision::Refuse => "Refused; nothing was changed.".to_owned(),
                    });
                }
                Err(refusal) => toasts.fail(refusal.detail()),
            }
            let _ = busy.try_set(false);
        });
    };
    let left = Memo::new(move |_| text.with(|text| super::merge::places(text).len()));
    let stuck = Signal::derive(move || busy.get() || left.get() > 0);
    // against the record as it is now
    let hunks = Memo::new(move |_| {
        open.with(|open| open.iter().find(|proposal| proposal.id == id).map(|proposal| proposal.hunks.clone()))
    });
    let may = shown.may;
    view! {
        <section class="proposal" aria-label=format!("{words} change")>
            <header>
                <Badge tone=tone>{words}</Badge>
                <span>{about}</span>
                <Time at=proposal.created_at />
            </header>
            <Show
                when=move || editing.get()
                fallback=move || {
                    move || {
                        let hunks = hunks.get().unwrap_or_default().iter().map(lines).collect();
                        view! { <DiffView hunks /> }
                    }
                }
            >
                <Places text names=("Current", "The agent's") />
                <textarea
                    class="textarea mono"
                    rows="16"
                    dir="auto"
                    aria-label="Text to accept"
                    prop:value=text
                    on:input:target=move |event| text.set(event.target().value())
                ></textarea>
            </Show>
            {may
                .then(|| {
                    view! {
                        <div class="actions">
                            <Show
                                when=move || editing.get()
                                fallback=move || {
                                    view! {
                                        <Button
                                            look=Look::Primary
                                            disabled=busy
                                            on:click=move |_| {
                                                if conflict { editing.set(true) } else { decide(Decision::Accept, None) }
                                            }
                                        >
                                            {if conflict { "Settle" } else { "Accept" }}
                                        </Button>
                                    }
                                }
                            >
                                <Button
                                    look=Look::Primary
                                    disabled=stuck
                                    on:click=move |_| decide(Decision::Accept, Some(text.get_untracked()))
                                >
                                    "Accept this text"
                                </Button>
                            </Show>
                            {(!conflict)
                                .then(|| {
                                    view! {
                                        <Show when=move || !editing.get()>
                                            <Button on:click=move |_| editing.set(true)>"Edit"</Button>
                                        </Show>
                                    }
                                })}
                            <Button
                                look=Look::Danger
                                disabled=busy
                                on:click=move |_| decide(Decision::Refuse, None)
                            >
                                "Refuse"
                            </Button>
                        </div>
                    }
                })}
        </section>
    }
}
