use leptos::prelude::*;

use crate::state::growing::Growing;
use crate::ui::markdown::copy_code;

/// A text of Markdown, block by block: a block that is closed is drawn once.
#[component]
pub fn Words(text: Growing) -> impl IntoView {
    let count = text.count();
    view! {
        <div class="markdown" on:click=copy_code>
            <For
                each=move || 0..count.get()
                key=|place| *place
                children=move |place| {
                    let block = text.block(place);
                    view! { <div class="block" inner_html=move || block.read().to_string()></div> }
                }
            />
        </div>
    }
}
