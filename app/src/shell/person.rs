use leptos::{form::ActionForm, prelude::*};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use wire::person::Me;

use crate::{
    api::session::SignOut,
    state::{Session, Toasts},
    ui::{Menu, MenuItem, dom},
};

/// The menu of the person who is signed in.
#[component]
pub fn PersonMenu() -> impl IntoView {
    let session = expect_context::<Session>();
    view! {
        <Transition fallback=|| {
            view! { <span class="avatar"></span> }
        }>
            {move || Suspend::new(async move {
                session.me().await.map(|me| view! { <Signed me /> })
            })}
        </Transition>
    }
}

#[component]
fn Signed(me: Me) -> impl IntoView {
    let out = ServerAction::<SignOut>::new();
    let toasts = expect_context::<Toasts>();
    Effect::new(move |_| match out.value().get() {
        Some(Ok(next)) => dom::load(&next),
        Some(Err(refusal)) => toasts.fail(refusal.detail()),
        None => {}
    });
    let short = initials(&me.person.name);
    let about = format!("{} · {} · {}", me.person.name, me.organisation.name, me.role.name());
    let navigate = use_navigate();
    view! {
        <Menu
            label=format!("{}: account", me.person.name)
            class="avatar"
            end=true
            face=ViewFn::from(move || short.clone())
        >
            <p class="menu-note" role="presentation">
                {about.clone()}
            </p>
            <MenuItem on:click={
                let navigate = navigate.clone();
                move |_| navigate("/settings/account", NavigateOptions::default())
            }>"Account"</MenuItem>
            <MenuItem on:click=move |_| {
                out.dispatch(SignOut {});
            }>"Sign out"</MenuItem>
        </Menu>
        // the way out where the page does not react
        <noscript>
            <ActionForm action=out>
                <button class="btn plain">"Sign out"</button>
            </ActionForm>
        </noscript>
    }
}

/// One or two letters for a name, cut between characters as people see them.
fn initials(name: &str) -> String {
    let letters: String = name
        .split_whitespace()
        .filter_map(|word| word.chars().find(|c| c.is_alphanumeric()))
        .flat_map(char::to_uppercase)
        .collect();
    let count = letters.chars().count();
    letters.chars().enumerate().filter(|(at, _)| *at == 0 || at + 1 == count).map(|(_, c)| c).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_are_the_first_and_the_last() {
        assert_eq!(initials("Sara Maria Meier"), "SM");
        assert_eq!(initials("sara"), "S");
        assert_eq!(initials("🇺🇸 ünal  Öz"), "ÜÖ");
        assert_eq!(initials(" \u{200b} "), "");
    }
}
