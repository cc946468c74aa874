//! The page: rendered by leptos, with its server functions and its files.

use std::env;

use app::{App, shell};
use axum::{
    Router,
    extract::{self, Request},
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use engine::Engine;
use leptos::{nonce::use_nonce, prelude::provide_context, prelude::use_context};
use leptos_axum::{LeptosRoutes, ResponseOptions, generate_route_list, render_app_async_with_context};

use super::{State, files, headers, refusal::Refusal, session};

/// Every page and every server function.
pub fn routes(state: &State) -> Router<State> {
    let routes = generate_route_list(App);
    let options = state.options().clone();
    Router::new()
        .leptos_routes_with_context(state, routes, surroundings(state.engine().clone()), move || shell(options.clone()))
}

/// What pages and server functions find around them.
fn surroundings(engine: Engine) -> impl Fn() + Clone + Send + Sync + 'static {
    let watched = env::var_os("LEPTOS_WATCH").is_some();
    move || {
        provide_context(engine.clone());
        if let Some(door) = use_context::<Parts>().and_then(|parts| session::door(&parts.extensions)) {
            provide_context(door);
        }
        // a server function draws nothing and has no nonce
        if let (Some(nonce), Some(response)) = (use_nonce(), use_context::<ResponseOptions>())
            && let Ok(policy) = HeaderValue::from_str(&headers::page_policy(&nonce.to_string(), watched))
        {
            response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
}

/// All other addresses: a file, or the page that says that there is nothing.
pub async fn fallback(extract::State(state): extract::State<State>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    if let Some(file) = files::find(&state, &request).await {
        return file;
    }
    let path = request.uri.path();
    if path.starts_with("/fn/") {
        return Refusal::new(
            StatusCode::NOT_FOUND,
            "stale",
            "This page is older than the server. Reload it to go on; drafts are kept.",
        )
        .into_response();
    }
    if files::is_of_a_file(path) || !matches!(request.method, Method::GET | Method::HEAD) {
        return Refusal::new(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.").into_response();
    }
    let options = state.options().clone();
    let draw = render_app_async_with_context(surroundings(state.engine().clone()), move || shell(options.clone()));
    let mut page = draw(Request::from_parts(request, body)).await;
    if page.status() == StatusCode::OK {
        *page.status_mut() = StatusCode::NOT_FOUND;
    }
    page
}
