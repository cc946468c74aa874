//! Whether the process lives, whether it can work, and its figures.

use axum::{extract, http::header, response::IntoResponse};

use super::{State, refusal::Result};

pub async fn alive() -> &'static str {
    "ok\n"
}

/// The database answers and its schema is the one of this program; and we are not about to end.
pub async fn ready(extract::State(state): extract::State<State>) -> Result<&'static str> {
    if state.closing().is_cancelled() {
        return Err(engine::Error::Unavailable("The server is about to end.".to_owned()).into());
    }
    engine::store::ready(state.engine().pool()).await?;
    Ok("ready\n")
}

pub async fn figures(extract::State(state): extract::State<State>) -> impl IntoResponse {
    let pool = state.engine().pool();
    metrics::gauge!("confab_database_connections").set(f64::from(pool.size()));
    metrics::gauge!("confab_database_connections_idle").set(u32::try_from(pool.num_idle()).map_or(0.0, f64::from));
    state.figures().run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], state.figures().render())
}
