use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{components::Router, hooks::use_location};

use super::{guard::Guard, jump::Jump, notices::Notices, side::SideBar, top::TopBar};
use crate::{
    chat::{Drawer, provide_drawer},
    live::Live,
    routes::AppRoutes,
    state::{Place, Session, Toasts},
    ui::time::Clock,
};

/// The whole application.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    Clock::provide();
    Toasts::provide();
    Live::provide();
    Session::provide();
    let title = |title: String| if title.is_empty() { "Confab".to_owned() } else { format!("{title} · Confab") };
    view! {
        <Title formatter=title />
        <Router>
            <Frame />
        </Router>
    }
}

/// What stands around the page. The sign-in stands alone.
#[component]
fn Frame() -> impl IntoView {
    Place::provide();
    provide_drawer();
    let session = expect_context::<Session>();
    expect_context::<Live>().open(move || session.is_signed_in());
    let path = use_location().pathname;
    let alone = Memo::new(move |_| path.get() == "/sign-in");
    let menu = RwSignal::new(false);
    let jump = RwSignal::new(false);
    view! {
        <a class="skip" href="#main">
            "Skip to content"
        </a>
        <div class="broken" role="alert">
            "This page stopped working. "
            <a href="" rel="external">
                "Reload it"
            </a>
            " to go on; drafts are kept."
        </div>
        <div class="app" class:bare=alone>
            <Guard />
            <Show when=move || !alone.get()>
                <TopBar menu jump />
                <SideBar menu />
            </Show>
            <main id="main" class="page" tabindex="-1">
                <AppRoutes />
            </main>
            <Show when=move || !alone.get()>
                <Drawer />
                <Jump open=jump />
            </Show>
        </div>
        <Notices />
    }
}
