//! The HTTP edge: parse, find out who asks, call one command of the engine, answer in wire types. Decides nothing.

mod address;
mod files;
mod headers;
pub mod health;
mod limits;
mod observe;
mod origin;
mod page;
mod panic;
pub mod refusal;
pub mod session;
pub mod sse;
mod state;

use axum::{Router, extract::DefaultBodyLimit, middleware};
pub use state::State;
use tower_http::{
    CompressionLevel,
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer, Predicate,
        predicate::{DefaultPredicate, SizeAbove},
    },
    limit::RequestBodyLimitLayer,
};

use crate::api;

/// Everything that answers.
pub fn router(state: State) -> Router {
    let signed = api::routes()
        .merge(page::routes(&state))
        .fallback(page::fallback)
        // the last layer is the first to see a request
        .layer(middleware::from_fn_with_state(state.clone(), session::find_who_asks))
        .layer(session::layer(&state))
        .layer(middleware::from_fn(origin::check));
    let small = CompressionLayer::new()
        .quality(CompressionLevel::Precise(4))
        .compress_when(DefaultPredicate::new().and(SizeAbove::new(1_024)));
    let (health, _) = health::routes().split_for_parts();
    health
        .merge(signed)
        // also for bodies that server functions read by themselves
        .layer(RequestBodyLimitLayer::new(limits::BODY))
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn(limits::hold))
        .layer(small)
        .layer(CatchPanicLayer::custom(panic::contained))
        .layer(middleware::from_fn_with_state(state.clone(), headers::add))
        .layer(middleware::from_fn_with_state(state.clone(), observe::observe))
        .with_state(state)
}
