use leptos::prelude::*;

/// What a colour means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Quiet,
    Accent,
    Good,
    Warn,
    Bad,
}

impl Tone {
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Tone::Quiet => "quiet",
            Tone::Accent => "accent",
            Tone::Good => "good",
            Tone::Warn => "warn",
            Tone::Bad => "bad",
        }
    }
}

/// A small word in colour.
#[component]
pub fn Badge(
    #[prop(optional, into)] tone: Signal<Tone>,
    /// Rounder and larger: a state rather than a mark.
    #[prop(optional)]
    pill: bool,
    children: Children,
) -> impl IntoView {
    let shape = if pill { "pill" } else { "badge" };
    view! { <span class=move || format!("{shape} {}", tone.get().class())>{children()}</span> }
}
