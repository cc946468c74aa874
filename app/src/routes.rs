//! The route table, and the addresses that links are made of.

use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{Route, Routes},
    path,
};

use crate::page;

/// All pages. Each is rendered whole on the server, with its data.
#[component]
pub fn AppRoutes() -> impl IntoView {
    view! {
        <Routes fallback=page::NotFound transition=false>
            <Route path=path!("/") view=page::Projects ssr=SsrMode::Async />
            <Route path=path!("/sign-in") view=page::SignIn ssr=SsrMode::Async />
            <Route path=path!("/p/:project") view=page::Board ssr=SsrMode::Async />
            <Route path=path!("/p/:project/plans") view=page::Plans ssr=SsrMode::Async />
            <Route path=path!("/p/:project/bugs") view=page::Bugs ssr=SsrMode::Async />
            <Route path=path!("/p/:project/initiatives/:slug") view=page::Record ssr=SsrMode::Async />
            <Route path=path!("/p/:project/plans/:slug") view=page::Record ssr=SsrMode::Async />
            <Route path=path!("/p/:project/bugs/:slug") view=page::Record ssr=SsrMode::Async />
            <Route path=path!("/audit") view=page::Audit ssr=SsrMode::Async />
            <Route path=path!("/settings/account") view=page::Account ssr=SsrMode::Async />
        </Routes>
    }
}
