use std::{fs::File, path::Path};

use super::place::Place;

/// Held by whoever makes, starts or stops the cluster; open again when dropped, also by a process that is killed.
pub struct Gate(#[expect(dead_code, reason = "held, not read")] File);

impl Gate {
    /// Waits for its turn.
    ///
    /// # Errors
    /// A sentence.
    pub async fn pass(place: &Place) -> Result<Gate, String> {
        hold(&place.folder.join("gate.lock"), File::lock).await.map(Gate)
    }
}

/// This process is one of those who use the cluster.
pub struct Users(File);

impl Users {
    /// # Errors
    /// A sentence.
    pub async fn join(place: &Place) -> Result<Users, String> {
        hold(&place.folder.join("users.lock"), File::lock_shared).await.map(Users)
    }

    /// Leaves; whether nobody else is left. Asked behind the gate, so that nobody joins meanwhile.
    #[must_use]
    pub fn was_the_last(self) -> bool {
        self.0.unlock().is_ok() && self.0.try_lock().is_ok()
    }
}

async fn hold(path: &Path, lock: fn(&File) -> std::io::Result<()>) -> Result<File, String> {
    let path = path.to_owned();
    let held = tokio::task::spawn_blocking(move || {
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        file.and_then(|file| lock(&file).map(|()| file))
            .map_err(|error| format!("{} cannot be locked: {error}.", path.display()))
    });
    held.await.map_err(|error| format!("The lock of the private Postgres cannot be had: {error}."))?
}
