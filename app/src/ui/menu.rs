use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Node};

use super::dom;

/// A button with a menu of things to do. Arrows, Home, End and Escape work as menus do; choosing closes it.
#[component]
pub fn Menu(
    /// Accessible name of the button and of the menu.
    #[prop(into)]
    label: Signal<String>,
    /// Accessible name of the menu, where it is another than the button's.
    #[prop(optional)]
    list: Option<&'static str>,
    #[prop(optional, into)] class: String,
    /// Opens towards the left, for a button at the right edge.
    #[prop(optional)]
    end: bool,
    /// What the button shows.
    face: ViewFn,
    children: ChildrenFn,
) -> impl IntoView {
    let listed = list;
    let open = RwSignal::new(false);
    let root = NodeRef::<html::Div>::new();
    let button = NodeRef::<html::Button>::new();
    let list = NodeRef::<html::Div>::new();
    let close = move || {
        open.set(false);
        if let Some(button) = button.get_untracked() {
            let _ = button.focus();
        }
    };
    // the menu is there only after the signal has drawn it
    Effect::new(move |_| {
        if open.get()
            && let Some(list) = list.get()
        {
            step(&list, 0, true);
        }
    });
    let on_key = move |event: web_sys::KeyboardEvent| {
        if dom::is_composing(&event) {
            return;
        }
        let Some(list) = list.get_untracked() else { return };
        match event.key().as_str() {
            "Escape" => close(),
            "ArrowDown" => step(&list, 1, false),
            "ArrowUp" => step(&list, -1, false),
            "Home" => step(&list, 0, true),
            "End" => step(&list, -1, true),
            "Tab" => return open.set(false),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let left = move |event: web_sys::FocusEvent| {
        let to = event.related_target().and_then(|target| target.dyn_into::<Node>().ok());
        if !root.get_untracked().is_some_and(|root| root.contains(to.as_ref())) {
            open.set(false);
        }
    };
    view! {
        <div class="menu" node_ref=root on:focusout=left>
            <button
                type="button"
                class=class
                node_ref=button
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                aria-label=label
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {face.run()}
            </button>
            <Show when=move || open.get()>
                <div
                    class=if end { "menu-list end" } else { "menu-list" }
                    role="menu"
                    tabindex="-1"
                    aria-label=move || listed.map_or_else(|| label.get(), ToOwned::to_owned)
                    node_ref=list
                    on:keydown=on_key
                    on:click=move |event| {
                        if dom::closest(&event, "[role^=menuitem]").is_some() {
                            close();
                        }
                    }
                >
                    {children()}
                </div>
            </Show>
        </div>
    }
}

/// Moves the focus among the items: by `by` from the present one, or from the start (end, for a negative step).
fn step(list: &HtmlElement, by: i32, anew: bool) {
    let Ok(found) = list.query_selector_all("[role^=menuitem]:not([disabled])") else { return };
    let items: Vec<HtmlElement> =
        (0..found.length()).filter_map(|at| found.item(at)?.dyn_into::<HtmlElement>().ok()).collect();
    if items.is_empty() {
        let _ = list.focus();
        return;
    }
    let count = i32::try_from(items.len()).unwrap_or(i32::MAX);
    let active = document().active_element();
    let at = items.iter().position(|item| active.as_ref() == Some(item.as_ref()));
    let next = match (anew, at) {
        (true, _) | (false, None) => by.rem_euclid(count),
        (false, Some(at)) => (i32::try_from(at).unwrap_or(0) + by).rem_euclid(count),
    };
    if let Some(item) = items.get(usize::try_from(next).unwrap_or(0)) {
        let _ = item.focus();
    }
}

/// One thing to do in a [`Menu`].
#[component]
pub fn MenuItem(children: Children) -> impl IntoView {
    view! {
        <button type="button" role="menuitem" tabindex="-1" class="menu-item">
            {children()}
        </button>
    }
}
