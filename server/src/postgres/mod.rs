//! The private Postgres: a cluster of our own under the data folder, for an installation that was given no `DATABASE_URL`.
//!
//! Only a Unix socket in a folder that nobody else may enter, no port. Several processes of one data folder share it (`serve` and a
//! `user token` beside it): whoever comes first starts it, whoever goes last stops it. What a process that was killed left running is
//! taken over by the next. Never here: a query.

mod account;
mod binaries;
mod cluster;
mod lock;
mod pid;
mod place;

use std::path::Path;

use account::Account;
use binaries::Binaries;
use cluster::Cluster;
use lock::{Gate, Users};
use place::Place;

/// The private Postgres, in use by this process.
pub struct Private {
    cluster: Cluster,
    place: Place,
    users: Option<Users>,
}

impl Private {
    /// Makes the cluster where there is none, starts it where it does not run, and joins those who use it.
    ///
    /// # Errors
    /// A sentence that says what is missing and what to do.
    pub async fn open(data: &Path) -> Result<Private, String> {
        std::fs::create_dir_all(data)
            .map_err(|error| format!("The data folder {} cannot be made: {error}.", data.display()))?;
        let account = Account::find()?;
        let place = Place::find(data, &account)?;
        let binaries = Binaries::find(&place.data())?;
        let cluster = Cluster { account, binaries };
        // one at a time makes, starts and stops
        let gate = Gate::pass(&place).await?;
        cluster.make(&place).await?;
        if !pid::is_running(&place) {
            pid::forget_a_dead_one(&place)?;
            cluster.start(&place).await?;
        }
        cluster.make_database(&place).await?;
        let users = Some(Users::join(&place).await?);
        drop(gate);
        Ok(Private { cluster, place, users })
    }

    /// How to reach it.
    #[must_use]
    pub fn url(&self) -> String {
        self.place.url()
    }

    /// Leaves it, and stops it when nobody else uses it. What goes wrong is logged: the next start mends it.
    pub async fn close(mut self) {
        let Some(users) = self.users.take() else { return };
        let gate = match Gate::pass(&self.place).await {
            Ok(gate) => gate,
            Err(error) => {
                tracing::warn!(%error, "the private Postgres keeps running");
                return;
            }
        };
        if users.was_the_last()
            && let Err(error) = self.cluster.stop(&self.place).await
        {
            tracing::warn!(%error, "the private Postgres keeps running");
        }
        drop(gate);
    }
}
