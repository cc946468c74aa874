use leptos::prelude::*;

use super::icon::{Icon, IconName};

/// How loud a button is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// The one thing to do here.
    Primary,
    #[default]
    Ghost,
    /// As quiet as a link.
    Plain,
    /// Takes something away.
    Danger,
}

impl Look {
    const fn class(self) -> &'static str {
        match self {
            Look::Primary => "btn primary",
            Look::Ghost => "btn ghost",
            Look::Plain => "btn plain",
            Look::Danger => "btn danger",
        }
    }
}

/// A button with words. Handlers and further attributes go on it as on any element.
#[component]
pub fn Button(
    #[prop(optional)] look: Look,
    /// Sends the form around it.
    #[prop(optional)]
    submit: bool,
    #[prop(optional, into)] disabled: Signal<bool>,
    children: Children,
) -> impl IntoView {
    view! {
        <button type=if submit { "submit" } else { "button" } class=look.class() disabled=disabled>
            {children()}
        </button>
    }
}

/// A button with a picture; `label` is its accessible name and its hint.
#[component]
pub fn IconButton(#[prop(into)] label: Signal<String>, icon: IconName) -> impl IntoView {
    view! {
        <button type="button" class="iconbtn" aria-label=label title=label>
            <Icon name=icon />
        </button>
    }
}
