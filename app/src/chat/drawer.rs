use leptos::prelude::*;

/// Makes the drawer's state known to everything below the shell. Called once, by the application.
pub fn provide_drawer() {}

/// The drawer at the right edge, beside the page.
#[component]
pub fn Drawer() -> impl IntoView {}
