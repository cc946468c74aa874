use leptos::{prelude::*, task::spawn_local};
use uuid::Uuid;
use wire::version::VersionDiff;

use super::changes::tell;
use crate::api::{
    Refusal,
    record::{diff, revert},
};
use crate::record::lines;
use crate::state::Toasts;
use crate::ui::{Button, Dialog, DiffView, Look, Skeleton};

/// What one version changed, change by change; chosen ones can be taken back.
#[component]
pub fn Review(open: RwSignal<bool>, record: Uuid, version: i32, title: String, may_revert: bool) -> impl IntoView {
    let found = RwSignal::new(None::<Result<VersionDiff, Refusal>>);
    let chosen = RwSignal::new(Vec::<usize>::new());
    Effect::new(move |_| {
        if open.get() && found.read_untracked().is_none() {
            spawn_local(async move {
                let answer = diff(record, version, None).await;
                let _ = found.try_set(Some(answer));
            });
        }
    });
    let id = dialog_id(record, version);
    view! {
        <Dialog open id title=format!("{title}: version {version}") wide=true>
            <div class="dialog-body review">
                {move || match found.get() {
                    None => view! { <Skeleton /> }.into_any(),
                    Some(Err(refusal)) => view! { <p role="alert">{refusal.detail()}</p> }.into_any(),
                    Some(Ok(diff)) => view! { <Hunks diff chosen may_revert /> }.into_any(),
                }}
            </div>
            {may_revert.then(|| view! { <Acts open record version chosen /> })}
        </Dialog>
    }
}

#[component]
fn Hunks(diff: VersionDiff, chosen: RwSignal<Vec<usize>>, may_revert: bool) -> impl IntoView {
    let changed = |what: &'static str, change: Option<(String, String)>| {
        change.map(|(from, to)| view! { <p class="muted">{format!("{what}: {from} → {to}")}</p> })
    };
    let several = may_revert && diff.diff.hunks.len() > 1;
    view! {
        {changed("Title", diff.title)}
        {changed("Status", diff.status)}
        {diff
            .diff
            .hunks
            .iter()
            .enumerate()
            .map(|(place, hunk)| {
                let choose = move |event| {
                    let on = event_target_checked(&event);
                    chosen.update(|chosen| {
                        chosen.retain(|other| *other != place);
                        if on {
                            chosen.push(place);
                        }
                    });
                };
                view! {
                    <section class="review-hunk">
                        {several.then(|| view! {
                            <label>
                                <input type="checkbox" on:change=choose />
                                {format!(" Change {}", place + 1)}
                            </label>
                        })}
                        <DiffView hunks=vec![lines(hunk)] />
                    </section>
                }
            })
            .collect_view()}
    }
}

#[component]
fn Acts(open: RwSignal<bool>, record: Uuid, version: i32, chosen: RwSignal<Vec<usize>>) -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    let take_back = move |hunks: Option<Vec<usize>>| {
        spawn_local(async move {
            let answer = revert(record, version, hunks).await;
            let _ = open.try_set(false);
            tell(toasts, answer);
        });
    };
    let some = move || chosen.read().len();
    view! {
        <footer class="dialog-foot">
            <Show when=move || { some() > 0 }>
                <Button on:click=move |_| {
                    let mut hunks = chosen.get_untracked();
                    hunks.sort_unstable();
                    take_back(Some(hunks));
                }>
                    {move || match some() {
                        1 => "Revert the chosen change".to_owned(),
                        count => format!("Revert the {count} chosen changes"),
                    }}
                </Button>
            </Show>
            <Button look=Look::Danger on:click=move |_| take_back(None)>"Revert all of it"</Button>
        </footer>
    }
}

/// Dialogs name themselves for as long as the page lives.
fn dialog_id(record: Uuid, version: i32) -> String {
    format!("review-{record}-{version}")
}
