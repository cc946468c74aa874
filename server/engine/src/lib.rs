//! All of Confab that must hold without HTTP or a browser: records and their versions, chats and their turns, and the feed
//! by which every change reaches every open page.
//!
//! Every command takes the [`Engine`], then the [`access::Actor`] on whose behalf it acts, and begins with [`access::may`]. What it
//! changes it changes in one [`store::Tx`], which publishes after its commit. Never here: axum, leptos, a cookie, a page.

pub mod access;
pub mod agent;
pub mod audit;
pub mod chat;
mod clock;
mod config;
pub mod demo;
mod error;
pub mod feed;
mod organisation;
mod paging;
pub mod person;
pub mod project;
pub mod provider;
pub mod record;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod token;
pub mod tool;
pub mod turn;
pub mod workspace;

use std::sync::Arc;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

pub use clock::{Clock, SystemClock};
pub use config::{Config, ModelConfig, ProviderKind};
pub use error::{Error, Result};
pub use feed::Feed;
use provider::{Provider, ProviderError};
use store::Tx;

/// The running engine of one node; a clone is the same engine.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    pool: PgPool,
    clock: Arc<dyn Clock>,
    config: Config,
    feed: Feed,
    tools: Arc<tool::Registry>,
    demo: Arc<dyn Provider>,
    /// The model behind HTTP, if one is configured; or why it cannot be reached.
    remote: Option<std::result::Result<Arc<dyn Provider>, ProviderError>>,
    running: turn::Running,
    node_id: Uuid,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Engine {
    /// Connects, migrates, and starts what runs in the background.
    ///
    /// # Errors
    /// When Postgres cannot be reached or its schema cannot be brought up to date.
    pub async fn start(config: Config) -> Result<Engine> {
        Self::start_with(config, Arc::new(SystemClock)).await
    }

    /// As [`Engine::start`], with a clock of the caller's.
    ///
    /// # Errors
    /// As [`Engine::start`].
    pub async fn start_with(config: Config, clock: Arc<dyn Clock>) -> Result<Engine> {
        let options: PgConnectOptions = config
            .database_url
            .parse()
            .map_err(|error| Error::Unavailable(format!("DATABASE_URL cannot be read: {error}.")))?;
        // a connection is never held while waiting for a model, a tool or a client; who forgets is cut off
        let options = options
            .application_name("confab")
            .options([("idle_in_transaction_session_timeout", "30000"), ("statement_timeout", "30000")]);
        let pool = PgPoolOptions::new()
            .max_connections(config.connections)
            .acquire_timeout(std::time::Duration::from_secs(10))
            .connect_with(options)
            .await?;
        store::migrate(&pool).await?;
        let engine = Self::on_pool(pool, config, clock);
        engine.work();
        Ok(engine)
    }

    /// An engine on a database that is reached and up to date. Turns wait until somebody calls [`Engine::work`].
    #[must_use]
    pub fn on_pool(pool: PgPool, config: Config, clock: Arc<dyn Clock>) -> Engine {
        let node_id = clock.id();
        let tasks = TaskTracker::new();
        let stop = CancellationToken::new();
        let feed = Feed::start(pool.clone(), node_id, &tasks, stop.clone());
        let remote = provider::remote(&config.model, config.silence);
        Engine(Arc::new(Inner {
            tools: Arc::new(tool::Registry::built_in()),
            demo: Arc::new(provider::Demo),
            remote,
            running: turn::Running::new(config.turns),
            pool,
            clock,
            config,
            feed,
            node_id,
            tasks,
            stop,
        }))
    }

    /// Takes up turns, here and now and until the shutdown.
    pub fn work(&self) {
        self.spawn(turn::work(self.clone()));
        self.spawn(turn::renew(self.clone()));
    }

    /// Ends what runs in the background and closes the pool. Nothing is lost: what was not finished goes on elsewhere.
    pub async fn shutdown(&self) {
        self.0.stop.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.pool.close().await;
    }

    /// The database; for reads. Writes go through [`Engine::begin`].
    #[must_use]
    pub fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// A transaction that publishes what it appended once it has committed.
    ///
    /// # Errors
    /// When no connection can be had.
    pub async fn begin(&self) -> Result<Tx> {
        Tx::begin(&self.0.pool, self.0.feed.clone(), self.now()).await
    }

    /// Appends to a chat's log in a transaction of its own and publishes: the path of a running turn's text, in one round trip.
    ///
    /// # Errors
    /// [`Error::Fenced`] when another attempt drives the turn.
    pub async fn append(&self, chat_id: Uuid, turn: (Uuid, i32), events: &[wire::event::Event]) -> Result<i64> {
        let (turn_id, attempt) = turn;
        let texts: Vec<String> = events.iter().map(store::event::text).collect();
        let last = {
            let mut connection = self.0.pool.acquire().await?;
            store::event::append(&mut connection, chat_id, Some((turn_id, Some(attempt))), &texts, self.now()).await?
        };
        self.0.feed.publish(chat_id, feed::Frame::numbered(last, Some(turn_id), texts));
        Ok(last)
    }

    #[must_use]
    pub fn now(&self) -> time::OffsetDateTime {
        self.0.clock.now()
    }

    /// A new id: UUIDv7.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.0.clock.id()
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    #[must_use]
    pub fn feed(&self) -> &Feed {
        &self.0.feed
    }

    /// The tools that agents have.
    #[must_use]
    pub fn tools(&self) -> &Arc<tool::Registry> {
        &self.0.tools
    }

    pub(crate) fn demo(&self) -> Arc<dyn Provider> {
        Arc::clone(&self.0.demo)
    }

    pub(crate) fn remote(&self) -> Option<std::result::Result<Arc<dyn Provider>, ProviderError>> {
        self.0.remote.clone()
    }

    pub(crate) fn running(&self) -> &turn::Running {
        &self.0.running
    }

    #[must_use]
    pub fn node_id(&self) -> Uuid {
        self.0.node_id
    }

    /// Cancelled when the node shuts down.
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        &self.0.stop
    }

    /// Runs a task that the shutdown waits for. It must end soon after [`Engine::stopping`] is cancelled.
    pub fn spawn<F>(&self, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.0.tasks.spawn(task);
    }
}
