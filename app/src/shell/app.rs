use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::Router;

use super::{notices::Notices, top::TopBar};
use crate::{
    chat::{Drawer, provide_drawer},
    routes::AppRoutes,
    state::Toasts,
    ui::time::Clock,
};

/// The whole application.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    Clock::provide();
    Toasts::provide();
    view! {
        <Title formatter=|title: String| if title.is_empty() { "Confab".to_owned() } else { format!("{title} · Confab") } />
        <Router>
            <Frame />
        </Router>
    }
}

#[component]
fn Frame() -> impl IntoView {
    provide_drawer();
    view! {
        <a class="skip" href="#main">
            "Skip to content"
        </a>
        <div class="broken" role="alert">
            "This page stopped working. " <a href="">"Reload it"</a> " to go on; drafts are kept."
        </div>
        <div class="app">
            <TopBar />
            <main id="main" class="page" tabindex="-1">
                <AppRoutes />
            </main>
            <Drawer />
        </div>
        <Notices />
    }
}
