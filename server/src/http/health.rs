//! Whether the process lives, whether it can work, and its figures.

use axum::{extract, http::header, response::IntoResponse};

use utoipa_axum::{router::OpenApiRouter, routes};

use super::{State, refusal::Result};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(alive)).routes(routes!(ready)).routes(routes!(figures))
}

/// The process lives
#[utoipa::path(get, path = "/healthz", tag = "operations", security(()), responses((status = OK, body = String)))]
async fn alive() -> &'static str {
    "ok\n"
}

/// The process can work: the database answers, its schema is the one of this program, and the process is not about to end
#[utoipa::path(get, path = "/readyz", tag = "operations", security(()), responses((status = OK, body = String)))]
async fn ready(extract::State(state): extract::State<State>) -> Result<&'static str> {
    if state.closing().is_cancelled() {
        return Err(engine::Error::Unavailable("The server is about to end.".to_owned()).into());
    }
    engine::store::ready(state.engine().pool()).await?;
    Ok("ready\n")
}

/// Figures for Prometheus
#[utoipa::path(get, path = "/metrics", tag = "operations", security(()), responses((status = OK, body = String)))]
async fn figures(extract::State(state): extract::State<State>) -> impl IntoResponse {
    let pool = state.engine().pool();
    metrics::gauge!("confab_database_connections").set(f64::from(pool.size()));
    metrics::gauge!("confab_database_connections_idle").set(u32::try_from(pool.num_idle()).map_or(0.0, f64::from));
    state.figures().run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], state.figures().render())
}
