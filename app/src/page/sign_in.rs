use leptos::{form::ActionForm, prelude::*, server_fn::error::ServerFnUrlError};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::Failed;
use crate::{
    api::{
        Refusal,
        session::{FirstOwner, SignIn as Door},
    },
    state::{Session, theme::Theme},
    ui::{Button, Field, IconButton, IconName, Look, dom},
};

/// The sign-in; on an empty installation the owner's first visit.
#[component]
pub fn SignIn() -> impl IntoView {
    let session = expect_context::<Session>();
    view! {
        <div class="door">
            <p class="door-head">
                <span class="mark">
                    <i></i>
                    "Confab"
                </span>
                <IconButton label="Switch theme" icon=IconName::Moon on:click=|_| Theme::other().choose() />
            </p>
            <Suspense fallback=|| ()>
                {move || Suspend::new(async move {
                    match session.who().await {
                        Ok(who) if who.empty => view! { <Owner /> }.into_any(),
                        Ok(_) => view! { <Account /> }.into_any(),
                        Err(refusal) => view! { <Failed refusal /> }.into_any(),
                    }
                })}
            </Suspense>
        </div>
    }
}

/// Why the last attempt failed: from the answer, or from the address where the form was posted without WebAssembly.
fn problem(answer: Option<Result<String, Refusal>>) -> Option<String> {
    let posted = || {
        let words = use_query_map().with_untracked(|query| query.get("__err"))?;
        Some(ServerFnUrlError::<Refusal>::decode_err(&words))
    };
    match answer {
        Some(Ok(_)) => None,
        Some(Err(refusal)) => Some(refusal.detail()),
        None => posted().map(|refusal| refusal.detail()),
    }
}

#[component]
fn Account() -> impl IntoView {
    let door = ServerAction::<Door>::new();
    let next = use_query_map().with_untracked(|query| query.get("next")).unwrap_or_default();
    lead_on(door.value());
    view! {
        <Title text="Sign in" />
        <h1>"Sign in"</h1>
        <ActionForm action=door attr:class="form">
            <input type="hidden" name="next" value=next />
            <Field id="email" label="E-mail">
                <input id="email" class="input" type="email" name="email" required autocomplete="username" autofocus />
            </Field>
            <Field id="password" label="Password">
                <input
                    id="password"
                    class="input"
                    type="password"
                    name="password"
                    required
                    autocomplete="current-password"
                />
            </Field>
            <Problem answer=door.value() />
            <Button look=Look::Primary submit=true disabled=door.pending()>
                "Sign in"
            </Button>
        </ActionForm>
    }
}

#[component]
fn Owner() -> impl IntoView {
    let door = ServerAction::<FirstOwner>::new();
    lead_on(door.value());
    view! {
        <Title text="Welcome" />
        <h1>"Welcome"</h1>
        <p class="lead">"This installation is empty. Name your organisation and make its owner's account."</p>
        <ActionForm action=door attr:class="form">
            <Field id="organisation" label="Organisation">
                <input id="organisation" class="input" name="organisation" required autocomplete="organization" autofocus />
            </Field>
            <Field id="name" label="Your name">
                <input id="name" class="input" name="name" required autocomplete="name" />
            </Field>
            <Field id="email" label="E-mail">
                <input id="email" class="input" type="email" name="email" required autocomplete="username" />
            </Field>
            <Field id="password" label="Password" hint="At least ten characters.">
                <input
                    id="password"
                    class="input"
                    type="password"
                    name="password"
                    required
                    autocomplete="new-password"
                />
            </Field>
            <Problem answer=door.value() />
            <Button look=Look::Primary submit=true disabled=door.pending()>
                "Create the organisation"
            </Button>
        </ActionForm>
    }
}

#[component]
fn Problem(#[prop(into)] answer: Signal<Option<Result<String, Refusal>>>) -> impl IntoView {
    view! { {move || problem(answer.get()).map(|problem| view! { <p class="problem" role="alert">{problem}</p> })} }
}

/// Loads the next page anew, so that nothing of the time before the sign-in stays.
fn lead_on(answer: impl Get<Value = Option<Result<String, Refusal>>> + 'static) {
    Effect::new(move |_| {
        if let Some(Ok(next)) = answer.get() {
            dom::load(&next);
        }
    });
}
