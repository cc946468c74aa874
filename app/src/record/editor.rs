use std::time::Duration;

use leptos::{html, prelude::*, task::spawn_local};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wire::record::{RecordKind, SEVERITIES, SaveConflict, SaveRecord};

use super::{
    merge::{Places, places},
    view::Shown,
};
use crate::{
    api::record::{SaveAnswer, save},
    state::{Place, Toasts},
    ui::{Button, Field, Look, Markdown, dom, markdown::Rendering},
};

/// What a person has written and not saved, kept in the browser until it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Draft {
    base_version: i32,
    title: String,
    body: String,
    severity: Option<String>,
}

impl Draft {
    fn key(id: Uuid) -> String {
        format!("confab.draft.{id}")
    }

    fn find(id: Uuid) -> Option<Draft> {
        let text = dom::storage()?.get_item(&Draft::key(id)).ok().flatten()?;
        serde_json::from_str(&text).ok()
    }

    fn keep(&self, id: Uuid) {
        if let (Some(storage), Ok(text)) = (dom::storage(), serde_json::to_string(self)) {
            // a full store is no reason to stop the person from writing
            let _ = storage.set_item(&Draft::key(id), &text);
        }
    }

    fn forget(id: Uuid) {
        if let Some(storage) = dom::storage() {
            let _ = storage.remove_item(&Draft::key(id));
        }
    }
}

/// The editor with its preview. Made in the browser only, never in a first render.
#[component]
pub fn Editor(shown: Shown) -> impl IntoView {
    let Shown { id, page, editing, conflict, .. } = shown;
    let toasts = expect_context::<Toasts>();
    let place = expect_context::<Place>();
    let record = page.with_untracked(|page| page.record.clone());
    let kind = record.kind;
    let stored =
        Draft { base_version: record.version, title: record.title, body: record.body, severity: record.severity };
    let kept = Draft::find(id).filter(|draft| {
        (&draft.title, &draft.body, &draft.severity) != (&stored.title, &stored.body, &stored.severity)
    });
    let from_before = kept.is_some();
    let draft = RwSignal::new(kept.unwrap_or_else(|| stored.clone()));
    let stored = StoredValue::new(stored);
    let body = RwSignal::new(draft.with_untracked(|draft| draft.body.clone()));
    let met = conflict.get_untracked();
    if let Some(conflict) = &met {
        take(conflict, draft, body);
    }
    let busy = RwSignal::new(false);
    let problem = RwSignal::new(None::<String>);
    let preview = RwSignal::new(body.get_untracked());
    let previewed = RwSignal::new(false);
    let saved = StoredValue::new(false);
    let area = NodeRef::<html::Textarea>::new();

    let dirty = move || {
        stored.try_with_value(|stored| draft.try_with_untracked(|draft| draft != stored)).flatten() == Some(true)
    };
    let mut show = leptos::leptos_dom::helpers::debounce(Duration::from_millis(120), move |()| {
        if let Some(text) = body.try_get_untracked() {
            let _ = preview.try_set(text);
        }
    });
    // whatever changes the text, by typing or by a choice, the draft follows
    Effect::watch(
        move || body.get(),
        move |text, _, _| {
            draft.update_untracked(|draft| draft.body.clone_from(text));
            keep(draft, stored, id);
            show(());
        },
        false,
    );
    let left = Memo::new(move |_| body.with(|body| places(body).len()));
    let settling = Memo::new(move |_| conflict.with(Option::is_some));
    let moved_on = Memo::new(move |_| page.with(|page| page.record.version));

    let behind = Memo::new(move |_| draft.with(|draft| draft.base_version) < moved_on.get());

    let send = move || {
        if busy.get_untracked() {
            return;
        }
        if settling.get_untracked() && left.get_untracked() > 0 {
            problem.set(Some("Settle the marked places first; the text still holds both sides.".to_owned()));
            return;
        }
        if !dirty() && !settling.get_untracked() {
            Draft::forget(id);
            editing.set(false);
            return;
        }
        let now = draft.get_untracked();
        let was = stored.get_value();
        let record = SaveRecord {
            base_version: now.base_version,
            title: (now.title != was.title || settling.get_untracked()).then_some(now.title),
            status: None,
            body: Some(now.body),
            severity: now.severity.filter(|severity| was.severity.as_ref() != Some(severity)),
        };
        busy.set(true);
        spawn_local(async move {
            match save(id, record).await {
                Ok(SaveAnswer::Saved(answer)) => {
                    Draft::forget(id);
                    saved.try_update_value(|saved| *saved = true);
                    let n = answer.record.version;
                    toasts.say(if answer.merged {
                        format!("Saved as version {n}, merged with what others had changed meanwhile.")
                    } else {
                        format!("Saved; the record is at version {n}.")
                    });
                    place.record.refresh();
                    let _ = conflict.try_set(None);
                    let _ = editing.try_set(false);
                }
                Ok(SaveAnswer::Conflict(found)) => {
                    take(&found, draft, body);
                    let _ = conflict.try_set(Some(*found));
                }
                Err(refusal) => {
                    let _ = problem.try_set(Some(refusal.detail()));
                }
            }
            let _ = busy.try_set(false);
        });
    };

    // leaving the site asks first; going elsewhere within it keeps the draft and says so
    let asks = window_event_listener(leptos::ev::beforeunload, move |event| {
        if dirty() {
            event.prevent_default();
        }
    });
    // wherever the focus is: a choice that is made may have taken it away
    let saves = window_event_listener(leptos::ev::keydown, move |event| {
        if event.key().eq_ignore_ascii_case("s") && (event.ctrl_key() || event.meta_key()) && !event.alt_key() {
            event.prevent_default();
            send();
        }
    });
    let title_then = page.with_untracked(|page| page.record.title.clone());
    on_cleanup(move || {
        asks.remove();
        saves.remove();
        if saved.try_get_value() == Some(false) && Draft::find(id).is_some() {
            toasts.say(format!("Your draft of “{title_then}” is kept in this browser."));
        }
    });
    Effect::new(move |_| {
        if let Some(area) = area.get() {
            let _ = area.focus();
            area.set_scroll_top(0);
        }
    });
    let drop_draft = move |_| {
        Draft::forget(id);
        saved.set_value(true);
        conflict.set(None);
        editing.set(false);
    };

    view! {
        <form
            id="body"
            class="editor"
            class:previewed=previewed
            aria-label="Editor"
            on:submit=move |event| {
                event.prevent_default();
                send();
            }
        >
            {from_before
                .then(|| {
                    view! {
                        <p class="note">
                            "This is your draft from before; it was not saved yet."
                            <Button look=Look::Plain on:click=drop_draft>
                                "Discard it"
                            </Button>
                        </p>
                    }
                })}
            <Show when=move || behind.get()>
                <p class="note" role="status">
                    {move || {
                        format!(
                            "Version {} was saved meanwhile. Your text is kept and will be merged with it when you save.",
                            moved_on.get(),
                        )
                    }}
                </p>
            </Show>
            <Field id="edit-title" label="Title">
                <input
                    id="edit-title"
                    class="input"
                    required
                    maxlength="200"
                    dir="auto"
                    prop:value=draft.with_untracked(|draft| draft.title.clone())
                    on:input:target=move |event| {
                        draft.update_untracked(|draft| draft.title = event.target().value());
                        keep(draft, stored, id);
                    }
                />
            </Field>
            {(kind == RecordKind::Bug)
                .then(|| {
                    let now = draft.with_untracked(|draft| draft.severity.clone());
                    view! {
                        <Field id="edit-severity" label="Severity">
                            <select
                                id="edit-severity"
                                class="select"
                                on:change:target=move |event| {
                                    draft.update_untracked(|draft| draft.severity = Some(event.target().value()));
                                    keep(draft, stored, id);
                                }
                            >
                                {SEVERITIES
                                    .into_iter()
                                    .map(|name| {
                                        view! {
                                            <option value=name selected=now.as_deref() == Some(name)>
                                                {name}
                                            </option>
                                        }
                                    })
                                    .collect_view()}
                            </select>
                        </Field>
                    }
                })}
            {move || conflict.get().map(|conflict| view! { <Conflict conflict body /> })}
            <div class="switch editor-switch" role="group" aria-label="View">
                <button type="button" aria-pressed=move || (!previewed.get()).to_string() on:click=move |_| previewed.set(false)>
                    "Write"
                </button>
                <button type="button" aria-pressed=move || previewed.get().to_string() on:click=move |_| previewed.set(true)>
                    "Preview"
                </button>
            </div>
            <div class="editor-panes">
                <textarea
                    class="textarea mono"
                    node_ref=area
                    rows="24"
                    dir="auto"
                    spellcheck="true"
                    aria-label="Text in Markdown"
                    prop:value=body
                    on:input:target=move |event| body.set(event.target().value())
                ></textarea>
                <div class="preview" role="region" aria-label="Preview">
                    <Markdown
                        source=preview
                        rendering=Rendering {
                            top: 2,
                            sections: &["Acceptance criteria", "Open questions"],
                            prefix: "preview-".to_owned(),
                            fresh: false,
                        }
                    />
                </div>
            </div>
            {move || problem.get().map(|problem| view! { <p class="problem" role="alert">{problem}</p> })}
            <div class="actions editor-foot">
                <Button look=Look::Primary submit=true disabled=busy>
                    "Save"
                </Button>
                <Button on:click=move |_| {
                    conflict.set(None);
                    editing.set(false);
                }>"Close"</Button>
                <span class="hint">"Ctrl+S saves. What you type is kept in this browser until then."</span>
            </div>
        </form>
    }
}

fn keep(draft: RwSignal<Draft>, stored: StoredValue<Draft>, id: Uuid) {
    draft.with_untracked(|draft| {
        if stored.with_value(|stored| stored == draft) {
            Draft::forget(id);
        } else {
            draft.keep(id);
        }
    });
}

/// Goes on with the merge: its text with both sides marked, on top of the version that stands now.
fn take(conflict: &SaveConflict, draft: RwSignal<Draft>, body: RwSignal<String>) {
    draft.try_update(|draft| {
        draft.base_version = conflict.current_version;
        draft.title.clone_from(&conflict.yours.title);
        draft.body.clone_from(&conflict.merged_text);
    });
    let _ = body.try_set(conflict.merged_text.clone());
}

/// Both sides of a save that met another, and the places to settle.
#[component]
fn Conflict(conflict: SaveConflict, body: RwSignal<String>) -> impl IntoView {
    view! {
        <section class="conflict" aria-label="Conflict">
            <p class="note" role="alert">
                {format!(
                    "Version {} changed the same lines as you. Nothing was overwritten: settle each place, or edit the text below, then save.",
                    conflict.current_version,
                )}
            </p>
            <Places text=body names=("Theirs", "Yours") />
            <details>
                <summary>"Both texts, whole"</summary>
                <div class="sides-whole">
                    <figure>
                        <figcaption>{format!("Theirs, version {}", conflict.current_version)}</figcaption>
                        <pre dir="auto" tabindex="0">{conflict.current.body}</pre>
                    </figure>
                    <figure>
                        <figcaption>"Yours"</figcaption>
                        <pre dir="auto" tabindex="0">{conflict.yours.body}</pre>
                    </figure>
                </div>
            </details>
        </section>
    }
}
