use std::{fs, path::Path};

use super::place::Place;

/// The lines of `postmaster.pid` that matter: the process, and whether it takes connections.
fn read(place: &Place) -> Option<(u32, bool)> {
    let text = fs::read_to_string(place.data().join("postmaster.pid")).ok()?;
    let mut lines = text.lines();
    let process = lines.next()?.trim().parse().ok()?;
    Some((process, lines.nth(6).is_some_and(|status| status.trim() == "ready")))
}

/// The postmaster of this cluster runs and takes connections.
pub fn is_running(place: &Place) -> bool {
    read(place).is_some_and(|(process, ready)| ready && is_our_postmaster(process, &place.data()))
}

/// The postmaster of this cluster runs, or its file says nothing against it.
pub fn is_there(place: &Place) -> bool {
    read(place).is_some_and(|(process, _)| is_our_postmaster(process, &place.data()))
}

/// Removes a pid file whose process is gone or is something else by now: Postgres itself would take any process of that number,
/// run by the same user, for a second postmaster.
///
/// # Errors
/// A sentence.
pub fn forget_a_dead_one(place: &Place) -> Result<(), String> {
    let file = place.data().join("postmaster.pid");
    if !file.exists() || is_there(place) {
        return Ok(());
    }
    tracing::info!(file = %file.display(), "the private Postgres was not stopped cleanly; its pid file is removed");
    fs::remove_file(&file).map_err(|error| format!("{} is stale and cannot be removed: {error}.", file.display()))
}

/// A postmaster works in its data folder. Where the system does not tell, the number is believed.
fn is_our_postmaster(process: u32, data: &Path) -> bool {
    if !Path::new("/proc/self").exists() {
        return true;
    }
    let process = Path::new("/proc").join(process.to_string());
    let works_here = fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == data);
    let is_postgres = fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim() == "postgres");
    works_here && is_postgres
}
