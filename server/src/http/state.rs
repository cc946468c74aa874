use std::{net::SocketAddr, sync::Arc};

use axum::extract::FromRef;
use engine::Engine;
use leptos::config::LeptosOptions;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio_util::sync::CancellationToken;
use tower_http::services::ServeDir;

use crate::config::Config;

/// What handlers share; a clone is the same.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    engine: Engine,
    options: LeptosOptions,
    files: ServeDir,
    figures: PrometheusHandle,
    closing: CancellationToken,
    behind_proxy: bool,
    tls: bool,
}

impl State {
    #[must_use]
    pub fn new(
        config: &Config,
        listen: SocketAddr,
        engine: Engine,
        figures: PrometheusHandle,
        closing: CancellationToken,
    ) -> State {
        let files = ServeDir::new(&config.site.root).precompressed_br().precompressed_gzip();
        State(Arc::new(Inner {
            engine,
            options: config.site.options(listen),
            files,
            figures,
            closing,
            behind_proxy: config.behind_proxy,
            tls: config.tls,
        }))
    }

    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    #[must_use]
    pub fn options(&self) -> &LeptosOptions {
        &self.0.options
    }

    /// The files of the built page, compressed beforehand where that was done.
    #[must_use]
    pub fn files(&self) -> ServeDir {
        self.0.files.clone()
    }

    #[must_use]
    pub fn figures(&self) -> &PrometheusHandle {
        &self.0.figures
    }

    /// Cancelled when nothing new is accepted any more and streams are to end.
    #[must_use]
    pub fn closing(&self) -> &CancellationToken {
        &self.0.closing
    }

    #[must_use]
    pub fn behind_proxy(&self) -> bool {
        self.0.behind_proxy
    }

    #[must_use]
    pub fn tls(&self) -> bool {
        self.0.tls
    }
}

impl FromRef<State> for Engine {
    fn from_ref(state: &State) -> Engine {
        state.engine().clone()
    }
}

impl FromRef<State> for LeptosOptions {
    fn from_ref(state: &State) -> LeptosOptions {
        state.options().clone()
    }
}
