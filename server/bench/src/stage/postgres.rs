use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::database::Database;
use super::program::{finish, run};
use crate::result::Result;

/// A Postgres of the run's own, as it comes: it syncs every commit to disk. Unix socket only. It ends when this is dropped.
pub struct Postgres {
    bin: PathBuf,
    /// Holds the socket and the data.
    folder: PathBuf,
    pid: u32,
}

impl Postgres {
    pub async fn start(parent: &Path) -> Result<Postgres> {
        let bin = bin()?;
        let folder = parent.join("postgres");
        std::fs::create_dir(&folder)?;
        let mut postgres = Postgres { bin, folder, pid: 0 };
        let (data, log) = (postgres.at("data"), postgres.at("log"));
        let folder = postgres.folder.display().to_string();
        if is_root() {
            run(Path::new("chown"), &["postgres:", &folder]).await?;
        }
        let init = [
            "--username",
            "postgres",
            "--auth",
            "trust",
            "--encoding",
            "UTF8",
            "--locale",
            "C.UTF-8",
            "--pgdata",
            &data,
        ];
        finish(&mut postgres.owner("initdb", &init).into()).await?;
        let options = format!("-k {folder} -c listen_addresses=''");
        let start = ["--pgdata", &data, "--log", &log, "--options", &options, "--wait", "start"];
        let mut start = postgres.owner("pg_ctl", &start);
        // the server outlives pg_ctl and would hold its output open
        start.stdout(Stdio::null()).stderr(Stdio::null());
        let status = tokio::process::Command::from(start).stdin(Stdio::null()).status().await?;
        let pid = std::fs::read_to_string(format!("{data}/postmaster.pid")).unwrap_or_default();
        match pid.lines().next().and_then(|pid| pid.parse().ok()) {
            Some(pid) if status.success() => postgres.pid = pid,
            _ => {
                return Err(
                    format!("Postgres did not start: {}", std::fs::read_to_string(&log).unwrap_or_default()).into()
                );
            }
        }
        Ok(postgres)
    }

    /// A new, empty database.
    pub async fn create(&self, name: &str) -> Result<Database> {
        let database = Database::new(&self.bin, &self.folder, name);
        let maintenance = Database::new(&self.bin, &self.folder, "postgres");
        maintenance.run(&format!("create database {name}"), &[]).await?;
        Ok(database)
    }

    pub const fn pid(&self) -> u32 {
        self.pid
    }

    /// Version and the settings that decide what a commit costs.
    pub async fn about(&self) -> Result<String> {
        let maintenance = Database::new(&self.bin, &self.folder, "postgres");
        let settings =
            "select split_part(current_setting('server_version'), ' ', 1) || ', fsync ' || current_setting('fsync')
            || ', synchronous_commit ' || current_setting('synchronous_commit')";
        Ok(maintenance.run(settings, &[]).await?.trim().to_owned())
    }

    fn at(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// A command of Postgres as the user that owns the data: Postgres refuses to run as root.
    fn owner(&self, program: &str, arguments: &[&str]) -> Command {
        let program = self.bin.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(arguments).current_dir(&self.folder);
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let data = self.at("data");
        let mut stop = self.owner("pg_ctl", &["--pgdata", &data, "--mode", "immediate", "--wait", "--silent", "stop"]);
        let _ = stop.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

fn is_root() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| status.contains("\nUid:\t0\t"))
}

/// The folder with the programs of the newest Postgres on the machine.
fn bin() -> Result<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<(u32, PathBuf)> = versions
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            let bin = entry.path().join("bin");
            (bin.join("initdb").exists() && bin.join("pgbench").exists()).then_some((version, bin))
        })
        .collect();
    found.sort();
    found.pop().map(|(_, bin)| bin).ok_or_else(|| "no Postgres with pgbench under /usr/lib/postgresql".into())
}
