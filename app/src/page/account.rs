use leptos::{html, prelude::*, task::spawn_local};
use leptos_meta::Title;
use wire::{
    access::Scope,
    person::{CreatedToken, Me, NewToken, Token},
};

use super::Failed;
use crate::{
    api,
    state::{Loaded, Session, Toasts, theme::Theme},
    ui::{Badge, Button, Empty, Field, Look, Skeleton, Time},
};

/// The account of the person who looks: who they are, how the page looks, and their access tokens.
#[component]
pub fn Account() -> impl IntoView {
    let session = expect_context::<Session>();
    let tokens: Loaded<(), Vec<Token>> = Loaded::new(|| Some(()), |()| api::token::list());
    view! {
        <Title text="Account" />
        <div class="col">
            <header class="page-head">
                <h1>"Account"</h1>
            </header>
            <Transition fallback=|| {
                view! { <Skeleton lines=4 /> }
            }>
                {move || Suspend::new(async move {
                    let Some(me) = session.me().await else { return ().into_any() };
                    match tokens.ready().await {
                        Ok(list) => view! { <Parts me list tokens /> }.into_any(),
                        Err(refusal) => view! { <Failed refusal /> }.into_any(),
                    }
                })}
            </Transition>
        </div>
    }
}

#[component]
fn Parts(me: Me, list: Signal<Vec<Token>>, tokens: Loaded<(), Vec<Token>>) -> impl IntoView {
    view! {
        <section class="part" aria-label="You">
            <dl class="facts">
                <dt>"Name"</dt>
                <dd dir="auto">{me.person.name.clone()}</dd>
                <dt>"E-mail"</dt>
                <dd>{me.person.email.clone()}</dd>
                <dt>"Organisation"</dt>
                <dd dir="auto">{me.organisation.name.clone()}</dd>
                <dt>"Role"</dt>
                <dd>{me.role.name()}</dd>
            </dl>
        </section>
        <Appearance />
        <section class="part" aria-label="Access tokens">
            <header class="part-head">
                <h2>"Access tokens"</h2>
            </header>
            <p class="lead">"A token lets a program act as you, with the scopes that you give it, through the API."</p>
            <NewTokenForm scopes=me.scopes tokens />
            <Show
                when=move || !list.with(Vec::is_empty)
                fallback=|| view! { <Empty title="No tokens." /> }
            >
                <ul class="plain lines" aria-label="Access tokens">
                    <For each=move || list.get() key=|token| (token.id, token.last_used_at) let:token>
                        <TokenLine token tokens />
                    </For>
                </ul>
            </Show>
        </section>
    }
}

#[component]
fn Appearance() -> impl IntoView {
    let select = NodeRef::<html::Select>::new();
    // the choice is known to the browser; the first render knows none
    Effect::new(move |_| {
        if let Some(select) = select.get() {
            select.set_value(Theme::chosen().name());
        }
    });
    view! {
        <section class="part" aria-label="Appearance">
            <header class="part-head">
                <h2>"Appearance"</h2>
            </header>
            <Field id="theme" label="Theme">
                <select
                    id="theme"
                    class="select narrow"
                    node_ref=select
                    on:change:target=|event| Theme::parse(&event.target().value()).choose()
                >
                    <option value="system">"As the system"</option>
                    <option value="light">"Light"</option>
                    <option value="dark">"Dark"</option>
                </select>
            </Field>
        </section>
    }
}

#[component]
fn TokenLine(token: Token, tokens: Loaded<(), Vec<Token>>) -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    let (id, name) = (token.id, token.name.clone());
    let revoke = move |_| {
        spawn_local(async move {
            match api::token::revoke(id).await {
                Ok(()) => {
                    tokens.refresh();
                    toasts.say("The token is revoked.");
                }
                Err(refusal) => toasts.fail(refusal.detail()),
            }
        });
    };
    let used = match token.last_used_at {
        Some(at) => view! {
            "used "
            <Time at=at />
        }
        .into_any(),
        None => "never used".into_any(),
    };
    let expires = token.expires_at.map(|at| {
        view! {
            <span>"until " <Time at=at /></span>
        }
    });
    view! {
        <li>
            <span>
                <b dir="auto">{token.name}</b>
                <span class="scopes">
                    {token.scopes.into_iter().map(|scope| view! { <Badge>{scope.name()}</Badge> }).collect_view()}
                </span>
            </span>
            <span class="line-state">
                <span>{used}</span>
                {expires}
                <button type="button" class="btn danger" aria-label=format!("Revoke {name}") on:click=revoke>
                    "Revoke"
                </button>
            </span>
        </li>
    }
}

#[component]
fn NewTokenForm(scopes: Vec<Scope>, tokens: Loaded<(), Vec<Token>>) -> impl IntoView {
    let name = NodeRef::<html::Input>::new();
    let chosen = RwSignal::new(scopes.clone());
    let created = RwSignal::new(None::<CreatedToken>);
    let problem = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let send = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if busy.get_untracked() {
            return;
        }
        let new = NewToken {
            name: name.get_untracked().map(|name| name.value()).unwrap_or_default(),
            scopes: Some(chosen.get_untracked()),
            expires_at: None,
        };
        busy.set(true);
        spawn_local(async move {
            match api::token::create(new).await {
                Ok(token) => {
                    let _ = created.try_set(Some(token));
                    let _ = problem.try_set(None);
                    if let Some(name) = name.try_get_untracked().flatten() {
                        name.set_value("");
                    }
                    tokens.refresh();
                }
                Err(refusal) => {
                    let _ = problem.try_set(Some(refusal.detail()));
                }
            }
            let _ = busy.try_set(false);
        });
    };
    let boxes = scopes
        .into_iter()
        .map(|scope| {
            view! {
                <label class="check">
                    <input
                        type="checkbox"
                        checked=true
                        on:change:target=move |event| {
                            let on = event.target().checked();
                            chosen.update(|chosen| {
                                chosen.retain(|other| *other != scope);
                                if on {
                                    chosen.push(scope);
                                }
                            });
                        }
                    />
                    <code>{scope.name()}</code>
                </label>
            }
        })
        .collect_view();
    view! {
        <details class="fold">
            <summary>"New token"</summary>
            <form class="form" on:submit=send>
                <Field id="token-name" label="Name" hint="What will use it.">
                    <input id="token-name" class="input" node_ref=name required maxlength="100" autocomplete="off" />
                </Field>
                <fieldset class="checks">
                    <legend>"Scopes"</legend>
                    {boxes}
                </fieldset>
                {move || problem.get().map(|problem| view! { <p class="problem" role="alert">{problem}</p> })}
                <div class="actions">
                    <Button look=Look::Primary submit=true disabled=busy>
                        "Create token"
                    </Button>
                </div>
            </form>
        </details>
        {move || {
            created
                .get()
                .map(|created| {
                    view! {
                        <div class="secret" role="status">
                            <p>"This is the token. It is shown this once; keep it where it is safe."</p>
                            <code>{created.token}</code>
                        </div>
                    }
                })
        }}
    }
}
