use leptos::{prelude::*, task::spawn_local};

use super::{fresh::marked, status::capital, view::Shown};
use crate::{
    api::record::diff,
    ui::{
        Button, Empty,
        markdown::{Rendering, copy_code, to_html},
    },
};

/// Headings whose parts are shown as sections of their own.
const SECTIONS: &[&str] = &["Acceptance criteria", "Open questions"];

/// The text as it reads. When somebody else changes it, the changed words are softly marked.
#[component]
pub fn Body(shown: Shown) -> impl IntoView {
    let page = shown.page;
    let body = Memo::new(move |_| page.with(|page| (page.record.version, page.record.body.clone())));
    // the marked text, and the version whose text it is
    let fresh = RwSignal::new(None::<(i32, String)>);
    Effect::watch(
        move || body.get(),
        move |(version, text), before, _| {
            let (Some((from, old)), version, text) = (before.cloned(), *version, text.clone()) else { return };
            if old == text {
                return;
            }
            spawn_local(async move {
                if let Ok(diff) = diff(shown.id, version, Some(from)).await {
                    let _ = fresh.try_set(Some((version, marked(&text, &diff.diff))));
                }
            });
        },
        false,
    );
    let html = move || {
        let rendering = Rendering { top: 2, sections: SECTIONS, prefix: String::new(), fresh: true };
        body.with(|(version, text)| {
            fresh.with(|fresh| match fresh {
                Some((of, marked)) if of == version => to_html(marked, &rendering),
                _ => to_html(text, &Rendering { fresh: false, ..rendering }),
            })
        })
    };
    let empty = Memo::new(move |_| body.with(|(_, text)| text.trim().is_empty()));
    let kind = page.with_untracked(|page| page.record.kind.name());
    view! {
        <section id="body" aria-label=capital(kind)>
            <Show
                when=move || !empty.get()
                fallback=move || {
                    view! {
                        <Empty title=format!("This {kind} has no text yet.")>
                            {shown
                                .may
                                .then(|| {
                                    view! {
                                        <Button on:click=move |_| shown.editing.set(true)>"Write it"</Button>
                                    }
                                })}
                        </Empty>
                    }
                }
            >
                <article class="markdown" on:click=copy_code inner_html=html></article>
            </Show>
        </section>
    }
}
