use std::{
    fs::{self, File},
    path::Path,
    process::{Output, Stdio},
    time::{Duration, Instant},
};

use tokio::process::{Child, Command};

use super::{account::Account, binaries::Binaries, pid, place::Place};

/// How long Postgres may take to start, also after a crash.
const PATIENCE: Duration = Duration::from_secs(60);

/// The programs of the cluster and the account that runs them.
pub struct Cluster {
    pub account: Account,
    pub binaries: Binaries,
}

impl Cluster {
    fn command(&self, program: &str, place: &Place) -> Command {
        let mut command = self.account.command(&self.binaries.program(program), &place.folder);
        command.stdin(Stdio::null());
        command
    }

    /// Makes the cluster; one that was half made is made again.
    ///
    /// # Errors
    /// A sentence with what `initdb` said.
    pub async fn make(&self, place: &Place) -> Result<(), String> {
        if place.data().join("PG_VERSION").exists() {
            return Ok(());
        }
        let half = place.folder.join("data.half");
        if half.exists() {
            fs::remove_dir_all(&half).map_err(|error| format!("{} cannot be removed: {error}.", half.display()))?;
        }
        tracing::info!(folder = %place.folder.display(), "making a private Postgres");
        let mut said = self.initdb(place, &half, "C.UTF-8").await?;
        if !said.status.success() {
            // not every system has it
            said = self.initdb(place, &half, "C").await?;
        }
        succeeded("initdb", &said)?;
        fs::rename(&half, place.data()).map_err(|error| format!("{} cannot be renamed: {error}.", half.display()))
    }

    async fn initdb(&self, place: &Place, folder: &Path, locale: &str) -> Result<Output, String> {
        let mut command = self.command("initdb", place);
        // whoever may open the socket is trusted, and only the account may
        command
            .arg("--pgdata")
            .arg(folder)
            .args(["--username", "confab", "--auth-local", "trust", "--auth-host", "reject"])
            .args(["--encoding", "UTF8", "--locale", locale, "--no-instructions"]);
        output(command, "initdb").await
    }

    /// Starts it and waits until it takes connections.
    ///
    /// # Errors
    /// A sentence with what its log says.
    pub async fn start(&self, place: &Place) -> Result<(), String> {
        let began = Instant::now();
        loop {
            let log = File::create(place.log())
                .map_err(|error| format!("{} cannot be written: {error}.", place.log().display()))?;
            self.account.own(&place.log())?;
            let child = self.spawn(place, &log)?;
            if wait_until_ready(child, place, began).await? {
                return Ok(());
            }
            let said = fs::read_to_string(place.log()).unwrap_or_default();
            // children of a killed postmaster take a moment to notice
            let passing = ["shared memory block", "lock file", "starting up"].iter().any(|sign| said.contains(sign));
            if !passing || began.elapsed() > Duration::from_secs(15) {
                let last: Vec<&str> = said.lines().rev().take(5).collect();
                return Err(format!(
                    "The private Postgres in {} does not start. Its log says: {}",
                    place.folder.display(),
                    last.into_iter().rev().collect::<Vec<_>>().join(" / ")
                ));
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn spawn(&self, place: &Place, log: &File) -> Result<Child, String> {
        let mut command = self.command("postgres", place);
        let out = log.try_clone().and_then(|out| Ok((out, log.try_clone()?)));
        let (out, err) = out.map_err(|error| format!("{} cannot be written: {error}.", place.log().display()))?;
        let mut socket = std::ffi::OsString::from("unix_socket_directories=");
        socket.push(quoted(&place.socket));
        command
            .arg("-D")
            .arg(place.data())
            .arg("-c")
            .arg(socket)
            .args(["-c", "listen_addresses=", "-c", "unix_socket_permissions=0700", "-c", "max_connections=200"])
            .stdout(out)
            .stderr(err)
            // Ctrl-C in the terminal is for us alone: Postgres is stopped after the turns that still write
            .process_group(0);
        command.spawn().map_err(|error| format!("Postgres cannot be started: {error}."))
    }

    /// Makes the database where there is none.
    ///
    /// # Errors
    /// A sentence.
    pub async fn make_database(&self, place: &Place) -> Result<(), String> {
        let made = place.folder.join("database.made");
        if made.exists() {
            return Ok(());
        }
        let mut command = self.command("createdb", place);
        command.arg("--host").arg(&place.socket).args([
            "--username",
            "confab",
            "--maintenance-db",
            "postgres",
            "confab",
        ]);
        let said = output(command, "createdb").await?;
        if !String::from_utf8_lossy(&said.stderr).contains("already exists") {
            succeeded("createdb", &said)?;
        }
        File::create(&made).map_err(|error| format!("{} cannot be made: {error}.", made.display()))?;
        Ok(())
    }

    /// Stops it: open transactions are rolled back, connections are closed, all is on disk.
    ///
    /// # Errors
    /// A sentence.
    pub async fn stop(&self, place: &Place) -> Result<(), String> {
        let mut command = self.command("pg_ctl", place);
        command.arg("stop").arg("--pgdata").arg(place.data()).args([
            "--mode",
            "fast",
            "--wait",
            "--timeout",
            "60",
            "--silent",
        ]);
        let said = output(command, "pg_ctl").await?;
        succeeded("pg_ctl stop", &said)
    }
}

/// Whether it became ready; not when it ended instead.
async fn wait_until_ready(mut child: Child, place: &Place, began: Instant) -> Result<bool, String> {
    loop {
        if pid::is_running(place) {
            return Ok(true);
        }
        if child.try_wait().is_ok_and(|ended| ended.is_some()) {
            return Ok(false);
        }
        if began.elapsed() > PATIENCE {
            return Err(format!(
                "The private Postgres in {} was not ready within {} seconds. Its log is {}.",
                place.folder.display(),
                PATIENCE.as_secs(),
                place.log().display()
            ));
        }
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
}

async fn output(mut command: Command, name: &str) -> Result<Output, String> {
    command.output().await.map_err(|error| format!("{name} cannot be run: {error}."))
}

fn succeeded(name: &str, said: &Output) -> Result<(), String> {
    if said.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&said.stderr);
    let text = if text.trim().is_empty() { String::from_utf8_lossy(&said.stdout) } else { text };
    Err(format!("{name} failed: {}", text.trim().replace('\n', " / ")))
}

/// A path as one element of a list in Postgres' configuration.
fn quoted(path: &Path) -> std::ffi::OsString {
    let mut quoted = std::ffi::OsString::from("\"");
    quoted.push(path.to_string_lossy().replace('"', "\"\""));
    quoted.push("\"");
    quoted
}
