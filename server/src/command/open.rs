use engine::Engine;

use crate::{
    config::{Config, Database},
    postgres::Private,
};

/// The engine with the Postgres that it stands on.
pub struct Opened {
    pub engine: Engine,
    private: Option<Private>,
}

/// Starts the Postgres where it is ours to start, migrates, and starts the engine.
///
/// # Errors
/// A sentence.
pub async fn open(config: &Config) -> Result<Opened, String> {
    let (url, private) = match &config.database {
        Database::Given(url) => (url.clone(), None),
        Database::Private => {
            let private = Private::open(&config.data).await?;
            (private.url(), Some(private))
        }
    };
    match Engine::start(config.engine(url)).await {
        Ok(engine) => Ok(Opened { engine, private }),
        Err(error) => {
            if let Some(private) = private {
                private.close().await;
            }
            Err(sentence(&error))
        }
    }
}

impl Opened {
    /// Ends what runs, then leaves the Postgres.
    pub async fn close(self) {
        self.engine.shutdown().await;
        if let Some(private) = self.private {
            private.close().await;
        }
    }
}

/// What the person at the terminal reads: also what the database said, which others do not get to see.
pub fn sentence(error: &engine::Error) -> String {
    match error {
        engine::Error::Database(cause) => format!("Postgres could not be used: {cause}."),
        other => other.to_string(),
    }
}
