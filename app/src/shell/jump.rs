use leptos::{html, prelude::*, task::spawn_local};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use wire::record::JumpHit;

use crate::{
    api::{Refusal, record::jump},
    ui::{Badge, dom},
};

/// The palette that leads to any record, project or chat by a few letters of its name: Ctrl+K opens it from everywhere.
#[component]
pub fn Jump(open: RwSignal<bool>) -> impl IntoView {
    // runs in the browser only
    Effect::new(move |_| {
        let handle = window_event_listener(leptos::ev::keydown, move |event| {
            if event.key().eq_ignore_ascii_case("k") && (event.ctrl_key() || event.meta_key()) && !event.alt_key() {
                event.prevent_default();
                open.set(true);
            }
        });
        on_cleanup(move || handle.remove());
    });
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                let _ = dialog.show_modal();
                dom::focus("#jump-words");
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog
            node_ref=node
            class="dialog jump"
            aria-label="Jump to record or chat"
            on:close=move |_| open.set(false)
            on:click=move |event| {
                // the dialog itself is hit only outside its content
                if dom::closest(&event, ".jump-body").is_none() {
                    open.set(false);
                }
            }
        >
            <Show when=move || open.get()>
                <Palette open />
            </Show>
        </dialog>
    }
}

/// What the palette shows: the hits for the words they were asked for.
#[derive(Clone, PartialEq)]
enum Hits {
    Nothing,
    Found(String, Vec<JumpHit>),
    Failed(Refusal),
}

#[component]
fn Palette(open: RwSignal<bool>) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let hits = RwSignal::new(Hits::Nothing);
    let at = RwSignal::new(0_usize);
    let asked = StoredValue::new(0_u32);
    // each key asks; of the answers only the one to the last question counts
    let ask = move || {
        let Some(number) = asked.try_update_value(|asked| {
            *asked += 1;
            *asked
        }) else {
            return;
        };
        let q = words.get_untracked();
        spawn_local(async move {
            let answer = jump(q.clone()).await;
            if asked.try_get_value() == Some(number) {
                let _ = at.try_set(0);
                let _ = hits.try_set(match answer {
                    Ok(found) => Hits::Found(q, found),
                    Err(refusal) => Hits::Failed(refusal),
                });
            }
        });
    };
    // with nothing typed yet it offers what the server thinks of first
    Effect::new(move |_| ask());
    let count = move || hits.with_untracked(|hits| if let Hits::Found(_, found) = hits { found.len() } else { 0 });
    let navigate = use_navigate();
    let go = move |index: usize| {
        let href = hits.with_untracked(|hits| match hits {
            Hits::Found(_, found) => found.get(index).map(|hit| hit.href.clone()),
            _ => None,
        });
        if let Some(href) = href {
            open.set(false);
            navigate(&href, NavigateOptions::default());
        }
    };
    let go = StoredValue::new(go);
    let on_key = move |event: web_sys::KeyboardEvent| {
        if dom::is_composing(&event) {
            return;
        }
        let count = count();
        match event.key().as_str() {
            "ArrowDown" if count > 0 => at.update(|at| *at = (*at + 1) % count),
            "ArrowUp" if count > 0 => at.update(|at| *at = (*at + count - 1) % count),
            "Enter" => go.with_value(|go| go(at.get_untracked())),
            _ => return,
        }
        event.prevent_default();
        if let Some(option) = document().get_element_by_id(&option_id(at.get_untracked())) {
            option.scroll_into_view_with_bool(false);
        }
    };
    view! {
        <div class="jump-body">
            <input
                id="jump-words"
                class="jump-words"
                type="text"
                role="combobox"
                autocomplete="off"
                spellcheck="false"
                placeholder="Jump to a project, record or chat"
                aria-label="Jump to record or chat"
                aria-expanded="true"
                aria-controls="jump-list"
                aria-activedescendant=move || {
                    hits.with(|hits| matches!(hits, Hits::Found(_, found) if !found.is_empty()))
                        .then(|| option_id(at.get()))
                }
                on:input:target=move |event| {
                    words.set(event.target().value());
                    ask();
                }
                on:keydown=on_key
            />
            <ul id="jump-list" class="plain jump-list" role="listbox" aria-label="Hits">
                {move || match hits.get() {
                    Hits::Found(_, found) => {
                        found
                            .into_iter()
                            .enumerate()
                            .map(|(index, hit)| {
                                view! {
                                    <li
                                        id=option_id(index)
                                        role="option"
                                        aria-selected=move || (at.get() == index).to_string()
                                        on:click=move |_| go.with_value(|go| go(index))
                                        on:pointermove=move |_| {
                                            if at.get_untracked() != index {
                                                at.set(index);
                                            }
                                        }
                                    >
                                        <Badge>{hit.kind}</Badge>
                                        <span class="jump-title" dir="auto">
                                            {hit.title}
                                        </span>
                                        <span class="jump-context" dir="auto">
                                            {hit.context}
                                        </span>
                                    </li>
                                }
                            })
                            .collect_view()
                            .into_any()
                    }
                    Hits::Nothing | Hits::Failed(_) => ().into_any(),
                }}
            </ul>
            <p class="jump-state" role="status">
                {move || hits.with(|hits| match hits {
                    Hits::Nothing => "Looking…".to_owned(),
                    Hits::Found(q, found) if found.is_empty() && q.trim().is_empty() => "Type a few letters of a name.".to_owned(),
                    Hits::Found(q, found) if found.is_empty() => format!("Nothing is called “{}”.", q.trim()),
                    Hits::Found(_, found) if found.len() == 1 => "1 hit".to_owned(),
                    Hits::Found(_, found) => format!("{} hits", found.len()),
                    Hits::Failed(refusal) => refusal.detail(),
                })}
                <span class="jump-keys" aria-hidden="true">
                    "↑ ↓ choose · Enter go · Esc close"
                </span>
            </p>
        </div>
    }
}

fn option_id(index: usize) -> String {
    format!("jump-{index}")
}
