use leptos::{prelude::*, task::spawn_local};
use uuid::Uuid;
use wire::version::{Decision, Proposal, ProposalKind};

use super::{diff::lines, merge::Places, view::Shown};
use crate::{
    api,
    live::{Heard, Live},
    state::{Loaded, Place, Toasts},
    ui::{Badge, Button, DiffView, Look, Time, Tone},
};

/// The agent's changes that wait for a person.
#[component]
pub fn Proposals(shown: Shown) -> impl IntoView {
    let open: Loaded<Uuid, Vec<Proposal>> = Loaded::new(move || Some(shown.id), api::record::proposals);
    let id = shown.id;
    expect_context::<Live>().on(move |heard| {
        let concerned = match heard {
            Heard::Reset => true,
            Heard::Notice(notice) => {
                notice.record_id == Some(id) && matches!(notice.topic.as_str(), "proposal" | "record")
            }
        };
        if concerned {
            open.refresh();
        }
    });
    view! {
        <Transition fallback=|| ()>
            {move || Suspend::new(async move {
                // where they cannot be read, the rest of the page still can
                let list = open.ready().await.unwrap_or_else(|_| Signal::stored(Vec::new()));
                view! {
                    <For each=move || list.get() key=|proposal| (proposal.id, proposal.hunks.len()) let:proposal>
                        <ProposalCard shown proposal all=open />
                    </For>
                }
            })}
        </Transition>
    }
}

#[component]
fn ProposalCard(shown: Shown, proposal: Proposal, all: Loaded<Uuid, Vec<Proposal>>) -> impl IntoView {
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
                    all.refresh();
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
    let hunks = proposal.hunks.iter().map(lines).collect::<Vec<_>>();
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
                    let hunks = hunks.clone();
                    view! { <DiffView hunks /> }
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
