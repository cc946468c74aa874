use leptos::prelude::*;
use uuid::Uuid;
use wire::{
    person::Me,
    record::{RecordPage, SaveConflict},
};

use super::{
    body::Body, children::Children, editor::Editor, head::Head, history::History, proposal::Proposals, status::scope_of,
};
use crate::{
    api::record::RecordDetail,
    ui::{Icon, IconName},
};

/// What the parts of a record's page share.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub id: Uuid,
    pub page: Signal<RecordPage>,
    /// The person may change this record.
    pub may: bool,
    /// The editor is open.
    pub editing: RwSignal<bool>,
    /// A save or a revert met somebody else's change: the editor opens with both sides.
    pub conflict: RwSignal<Option<SaveConflict>>,
}

/// A record's page: text, what lies beneath, and history, one below the other.
#[component]
pub fn RecordView(detail: Signal<RecordDetail>, me: Me) -> impl IntoView {
    let page: Signal<RecordPage> = Memo::new(move |_| detail.with(|detail| detail.page.clone())).into();
    let (id, kind) = page.with_untracked(|page| (page.record.id, page.record.kind));
    let shown =
        Shown { id, page, may: me.may(scope_of(kind)), editing: RwSignal::new(false), conflict: RwSignal::new(None) };
    view! {
        <div class="col record" class:editing=shown.editing>
            <Head shown />
            <Parts shown />
            <Proposals shown open=Signal::derive(move || detail.with(|detail| detail.proposals.clone())) />
            <Show when=move || shown.editing.get() fallback=move || view! { <Body shown /> }>
                <Editor shown />
            </Show>
            <Children shown me=me.clone() />
            <History shown newest=Memo::new(move |_| detail.with(|detail| detail.history.clone())) />
        </div>
    }
}

/// Links to the parts of the page, with what they count.
#[component]
fn Parts(shown: Shown) -> impl IntoView {
    let Shown { page, may, editing, .. } = shown;
    let count = move |of: fn(&RecordPage) -> usize| page.with(of).to_string();
    let kind = page.with_untracked(|page| page.record.kind);
    let own = super::status::capital(kind.name());
    let initiative = kind.parent().is_none();
    let has_bugs = kind != wire::record::RecordKind::Bug;
    view! {
        <div class="parts">
            <nav aria-label="Parts of this page">
                <a href="#body" aria-current="true">
                    {own}
                </a>
                {initiative
                    .then(|| {
                        view! {
                            <a href="#plans">"Plans " <span>{move || count(|page| page.children.len())}</span></a>
                        }
                    })}
                {has_bugs
                    .then(|| {
                        view! { <a href="#bugs">"Bugs " <span>{move || count(|page| page.bugs.len())}</span></a> }
                    })}
                <a href="#history">"History " <span>{move || page.with(|page| page.versions).to_string()}</span></a>
            </nav>
            <Show when=move || may && !editing.get()>
                <button type="button" class="btn plain" on:click=move |_| editing.set(true)>
                    <Icon name=IconName::Edit />
                    "Edit"
                </button>
            </Show>
        </div>
    }
}
