use leptos::{html, prelude::*};

use super::{button::IconButton, icon::IconName};

/// A native modal dialog. Escape closes it and nothing else; focus returns to where it was.
#[component]
pub fn Dialog(
    open: RwSignal<bool>,
    /// Unique on the page.
    #[prop(into)]
    id: String,
    #[prop(into)] title: String,
    #[prop(optional)] wide: bool,
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let heading = format!("{id}-title");
    let labelled = heading.clone();
    view! {
        <dialog
            node_ref=node
            class=if wide { "dialog wide" } else { "dialog" }
            id=id
            aria-labelledby=labelled
            on:close=move |_| open.set(false)
            on:keydown=|event| {
                if event.key() == "Escape" {
                    event.stop_propagation();
                }
            }
        >
            <Show when=move || open.get()>
                <header class="dialog-head">
                    <h2 id=heading.clone()>{title.clone()}</h2>
                    <IconButton label="Close" icon=IconName::Close on:click=move |_| open.set(false) />
                </header>
                {children()}
            </Show>
        </dialog>
    }
}
