use leptos::prelude::*;
use leptos_meta::Title;

use crate::ui::Failure;

/// For an address that leads nowhere, and for what is not the reader's to see.
#[component]
pub fn NotFound() -> impl IntoView {
    view! {
        <Title text="Not found" />
        <Failure title="Not found" detail="There is nothing here, or it is not yours to see.">
            <a class="btn ghost" href="/">
                "To your projects"
            </a>
        </Failure>
    }
}
