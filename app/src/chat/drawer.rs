use leptos::prelude::*;

use super::{edge::Edge, header::Header};
use crate::request_cookies;
use crate::state::drawer::{DrawerState, Kept};

/// Makes the drawer's state known to everything below the shell. Called once, by the application.
pub fn provide_drawer() {
    let kept = SharedValue::new(|| Kept::of_cookies(&request_cookies())).into_inner();
    let drawer = DrawerState::new(kept);
    provide_context(drawer);
    // in the browser only, after the first render
    Effect::new(move |_| drawer.attach());
}

/// The drawer at the right edge, beside the page.
#[component]
pub fn Drawer() -> impl IntoView {
    let drawer = expect_context::<DrawerState>();
    view! {
        <aside
            id="chat"
            class="drawer"
            class:full=move || drawer.full()
            aria-label="Chat"
            hidden=move || !drawer.open()
        >
            <Edge />
            <Header />
        </aside>
    }
}
