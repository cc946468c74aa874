use leptos::{prelude::*, task::spawn_local};
use wire::{page::Page, version::Version};

use super::{
    compare::{Compare, Compared},
    version::VersionRow,
    view::Shown,
};
use crate::{api, state::Toasts, ui::Button};

/// All versions, newest first: who made them, why, and what can be done with them.
#[component]
pub fn History(shown: Shown, #[prop(into)] newest: Signal<Page<Version>>) -> impl IntoView {
    let compared = Compared::new();
    view! {
        <section id="history" class="part history" aria-label="History">
            <header class="part-head">
                <h2>"History"</h2>
            </header>
            <Rows shown newest compared />
            <Compare shown compared />
        </section>
    }
}

#[component]
fn Rows(shown: Shown, newest: Signal<Page<Version>>, compared: Compared) -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    // pages before the newest one, once they were asked for; versions never change
    let older = RwSignal::new(None::<Page<Version>>);
    let rows = move || {
        let mut rows = newest.with(|page| page.items.clone());
        let last = rows.last().map_or(i32::MAX, |version| version.version);
        older.with(|older| {
            rows.extend(older.iter().flat_map(|page| &page.items).filter(|version| version.version < last).cloned());
        });
        rows
    };
    let before = move || {
        older
            .with(|older| older.as_ref().map(|page| page.before.clone()))
            .unwrap_or_else(|| newest.with(|page| page.before.clone()))
    };
    let more = move |_| {
        let Some(cursor) = before() else { return };
        spawn_local(async move {
            match api::record::history(shown.id, Some(cursor)).await {
                Ok(next) => {
                    older.try_update(|older| {
                        let mut items = older.take().map(|page| page.items).unwrap_or_default();
                        items.extend(next.items);
                        *older = Some(Page { items, before: next.before, after: None });
                    });
                }
                Err(refusal) => toasts.fail(refusal.detail()),
            }
        });
    };
    view! {
        <ol class="plain versions">
            <For each=rows key=|version| version.version let:version>
                <VersionRow shown version compared />
            </For>
        </ol>
        <Show when=move || before().is_some()>
            <Button on:click=more>"Show older versions"</Button>
        </Show>
    }
}
