use leptos::{prelude::*, task::spawn_local};
use wire::version::VersionDiff;

use super::{diff::lines, view::Shown};
use crate::{
    api::{
        Refusal,
        record::{SaveAnswer, diff, revert},
    },
    state::{Place, Toasts},
    ui::{Button, Dialog, DiffView, Look, Skeleton},
};

/// The dialog, and the two versions that it shows.
#[derive(Clone, Copy)]
pub(super) struct Compared {
    open: RwSignal<bool>,
    pair: RwSignal<(i32, i32)>,
}

impl Compared {
    pub fn new() -> Compared {
        Compared { open: RwSignal::new(false), pair: RwSignal::new((0, 1)) }
    }

    pub fn show(self, from: i32, to: i32) {
        self.pair.set((from, to));
        self.open.set(true);
    }
}

/// Two versions beside one another, whichever a person chooses; single changes can be taken back from here.
#[component]
pub fn Compare(shown: Shown, compared: Compared) -> impl IntoView {
    view! {
        <Dialog open=compared.open id="compare" title="Compare versions" wide=true>
            <Pair shown compared />
        </Dialog>
    }
}

#[component]
fn Pair(shown: Shown, compared: Compared) -> impl IntoView {
    let Compared { open, pair } = compared;
    let (first_from, first_to) = pair.get_untracked();
    let from = RwSignal::new(first_from);
    let to = RwSignal::new(first_to);
    let sides = RwSignal::new(false);
    let found = RwSignal::new(None::<Result<VersionDiff, Refusal>>);
    let load = move || {
        let (a, b) = (from.get_untracked(), to.get_untracked());
        spawn_local(async move {
            let answer = diff(shown.id, b, Some(a)).await;
            // only the answer to the last question counts
            if from.try_get_untracked() == Some(a) && to.try_get_untracked() == Some(b) {
                let _ = found.try_set(Some(answer));
            }
        });
    };
    load();
    let versions = shown.page.with_untracked(|page| page.record.version);
    let options = move |chosen: i32, least: i32| {
        (least..=versions)
            .rev()
            .map(|n| {
                let words = if n == 0 { "nothing".to_owned() } else { format!("version {n}") };
                view! {
                    <option value=n.to_string() selected=n == chosen>
                        {words}
                    </option>
                }
            })
            .collect_view()
    };
    view! {
        <div class="dialog-body compare">
            <div class="compare-bar">
                <label>
                    "From "
                    <select
                        class="select"
                        on:change:target=move |event| {
                            from.set(event.target().value().parse().unwrap_or(0));
                            load();
                        }
                    >
                        {options(first_from, 0)}
                    </select>
                </label>
                <label>
                    "to "
                    <select
                        class="select"
                        on:change:target=move |event| {
                            to.set(event.target().value().parse().unwrap_or(1));
                            load();
                        }
                    >
                        {options(first_to, 1)}
                    </select>
                </label>
                <span class="grow"></span>
                <div class="switch" role="group" aria-label="Layout">
                    <button type="button" aria-pressed=move || (!sides.get()).to_string() on:click=move |_| sides.set(false)>
                        "Inline"
                    </button>
                    <button type="button" aria-pressed=move || sides.get().to_string() on:click=move |_| sides.set(true)>
                        "Side by side"
                    </button>
                </div>
            </div>
            {move || match found.get() {
                None => view! { <Skeleton /> }.into_any(),
                Some(Err(refusal)) => {
                    view! {
                        <p class="problem" role="alert">
                            {refusal.detail()}
                        </p>
                    }
                        .into_any()
                }
                Some(Ok(diff)) => view! { <Found shown diff sides=sides.get() open /> }.into_any(),
            }}
        </div>
    }
}

#[component]
fn Found(shown: Shown, diff: VersionDiff, sides: bool, open: RwSignal<bool>) -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    let place = expect_context::<Place>();
    let VersionDiff { from, to, title, status, diff } = diff;
    let count = diff.hunks.len();
    // one version against the one before it is one edit: its changes can be taken back one by one
    let one_edit = shown.may && to == from + 1 && from > 0 && count > 0;
    let chosen = RwSignal::new(vec![true; count]);
    let take_back = move |_| {
        let hunks: Vec<usize> = chosen
            .with_untracked(|chosen| chosen.iter().enumerate().filter(|(_, on)| **on).map(|(at, _)| at).collect());
        // all of them is the whole edit, its title and status included
        let hunks = (hunks.len() < count).then_some(hunks);
        spawn_local(async move {
            match revert(shown.id, to, hunks).await {
                Ok(SaveAnswer::Saved(saved)) => {
                    place.record.refresh();
                    toasts.say(format!("Taken back, as version {}.", saved.record.version));
                }
                Ok(SaveAnswer::Conflict(conflict)) => {
                    let _ = shown.conflict.try_set(Some(*conflict));
                    let _ = shown.editing.try_set(true);
                }
                Err(refusal) => return toasts.fail(refusal.detail()),
            }
            let _ = open.try_set(false);
        });
    };
    let pair = |name: &'static str, pair: Option<(String, String)>| {
        pair.map(|(old, new)| {
            view! {
                <p class="field-change">
                    {name} ": " <del dir="auto">{old}</del> " → " <ins dir="auto">{new}</ins>
                </p>
            }
        })
    };
    let hunks = diff
        .hunks
        .iter()
        .enumerate()
        .map(|(at, hunk)| {
            let choice = (one_edit && count > 1).then(|| {
                view! {
                    <label class="hunk-choice">
                        <input
                            type="checkbox"
                            checked=true
                            on:change:target=move |event| {
                                let on = event.target().checked();
                                chosen.update(|chosen| if let Some(choice) = chosen.get_mut(at) { *choice = on });
                            }
                        />
                        {format!("Change {} of {count}", at + 1)}
                    </label>
                }
            });
            view! {
                <div class="hunk">{choice} <DiffView hunks=vec![lines(hunk)] side_by_side=sides /></div>
            }
        })
        .collect_view();
    let same = (count == 0).then(|| view! { <p class="muted">"The texts are the same."</p> });
    view! {
        <p class="compare-size">
            <span class="plus">{format!("+{}", diff.added)}</span>
            " "
            <span class="minus">{format!("−{}", diff.removed)}</span>
            {diff.coarse.then_some(" · The texts are large: whole lines are marked, not words.")}
        </p>
        {pair("Title", title)}
        {pair("Status", status)}
        {same}
        {hunks}
        {one_edit
            .then(|| {
                let none = Signal::derive(move || chosen.with(|chosen| !chosen.contains(&true)));
                let words = if count > 1 { "Revert chosen changes" } else { "Revert this change" };
                view! {
                    <div class="dialog-foot">
                        <Button look=Look::Danger disabled=none on:click=take_back>
                            {words}
                        </Button>
                    </div>
                }
            })}
    }
}
