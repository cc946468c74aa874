//! The route table, and the addresses that links are made of.

use std::fmt::Write;

use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{Route, Routes},
    path,
};

use wire::record::RecordKind;

use crate::{
    page,
    ui::markdown::{Target, target},
};

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
            <Route path=path!("/turns/:id") view=page::Turn ssr=SsrMode::Async />
            <Route path=path!("/audit") view=page::Audit ssr=SsrMode::Async />
            <Route path=path!("/settings/account") view=page::Account ssr=SsrMode::Async />
        </Routes>
    }
}

#[must_use]
pub fn project_href(slug: &str) -> String {
    format!("/p/{slug}")
}

#[must_use]
pub fn record_href(project: &str, kind: RecordKind, slug: &str) -> String {
    format!("/p/{project}/{}/{slug}", kind.folder())
}

/// The sign-in, with the address to go back to.
#[must_use]
pub fn sign_in_href(next: &str) -> String {
    if next == "/" { "/sign-in".to_owned() } else { format!("/sign-in?next={}", encoded(next)) }
}

/// An address of this site to go to after the sign-in; `/` where none was given or it leads elsewhere.
#[must_use]
pub fn own_address(next: Option<&str>) -> String {
    match next.map(target) {
        Some(Target::Own(address)) if address.starts_with('/') => address,
        _ => "/".to_owned(),
    }
}

/// A text as the value of a query parameter.
#[must_use]
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_stays_on_this_site() {
        assert_eq!(own_address(Some("/p/a?chat=1")), "/p/a?chat=1");
        for elsewhere in ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "x", ""] {
            assert_eq!(own_address(Some(elsewhere)), "/", "{elsewhere}");
        }
        assert_eq!(own_address(None), "/");
        assert_eq!(sign_in_href("/p/a?b=ü&c"), "/sign-in?next=/p/a%3Fb%3D%C3%BC%26c");
    }
}
