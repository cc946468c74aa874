//! The HTTP edge: parse, find out who asks, call one command of the engine, answer in wire types. Decides nothing.

mod address;
mod files;
mod headers;
pub mod health;
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
};

use crate::api;

/// The largest body that is read; what a room takes more of it says itself.
const BODY: usize = 1_536 * 1_024;

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
        .layer(DefaultBodyLimit::max(BODY))
        .layer(small)
        .layer(CatchPanicLayer::custom(panic::contained))
        .layer(middleware::from_fn_with_state(state.clone(), headers::add))
        .layer(middleware::from_fn_with_state(state.clone(), observe::observe))
        .with_state(state)
}
