use leptos::prelude::*;

use super::cut::{broken, cut};

/// A text as it came, in fixed width; of a long one the beginning, and the rest on demand.
#[component]
pub fn Output(#[prop(into)] text: String, #[prop(into)] label: String) -> impl IntoView {
    let first = cut(&text);
    let left_out = first.left_out;
    let whole = RwSignal::new(false);
    let text = StoredValue::new(text);
    let shown = move || if whole.get() { text.with_value(|text| broken(text)) } else { first.text.clone() };
    view! {
        <pre class="output" dir="ltr" tabindex="0" role="group" aria-label=label>{shown}</pre>
        <Show when=move || left_out && !whole.get()>
            <p class="cut">
                <span>"This is the beginning of a long text."</span>
                <button type="button" class="btn plain" on:click=move |_| whole.set(true)>"Show all"</button>
            </p>
        </Show>
    }
}
