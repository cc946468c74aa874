use leptos::prelude::*;
use wire::{access::Scope, record::RecordKind};

use crate::ui::{Badge, Tone};

/// What a status says by its colour: not begun, under way, settled, put away.
#[must_use]
pub fn tone_of(status: &str) -> Tone {
    match status {
        "active" | "in progress" | "in review" => Tone::Accent,
        "done" | "fixed" | "closed" => Tone::Good,
        "open" | "triaged" => Tone::Warn,
        _ => Tone::Quiet,
    }
}

/// The scope that lets a person change records of a kind.
#[must_use]
pub const fn scope_of(kind: RecordKind) -> Scope {
    match kind {
        RecordKind::Initiative => Scope::InitiativesManage,
        RecordKind::Plan => Scope::PlansManage,
        RecordKind::Bug => Scope::BugsManage,
    }
}

/// A word with a capital at its start.
#[must_use]
pub(super) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A status as a pill.
#[component]
pub fn StatusPill(#[prop(into)] status: Signal<String>) -> impl IntoView {
    let tone = Signal::derive(move || status.with(|status| tone_of(status)));
    view! {
        <Badge pill=true tone=tone>
            {move || status.with(|status| capital(status))}
        </Badge>
    }
}
