use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::program::finish;
use crate::result::Result;

/// One database of the run's Postgres, and Postgres' own tools on it. SQL goes through `psql`, from the files in `sql/`.
pub struct Database {
    bin: PathBuf,
    /// Of the socket.
    host: String,
    name: String,
}

/// What a run of pgbench gave.
pub struct Pgbench {
    pub transactions_a_second: f64,
}

impl Database {
    pub fn new(bin: &Path, host: &Path, name: &str) -> Database {
        Database { bin: bin.to_owned(), host: host.display().to_string(), name: name.to_owned() }
    }

    pub fn url(&self) -> String {
        format!("postgres://postgres@localhost/{}?host={}", self.name, self.host)
    }

    /// Runs SQL in one transaction; gives what it answers, bare. `:'name'` in it stands for a variable.
    pub async fn run(&self, sql: &str, variables: &[(&str, &str)]) -> Result<String> {
        let mut psql = self.tool("psql");
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]);
        for (name, value) in variables {
            psql.arg("-v").arg(format!("{name}={value}"));
        }
        let mut psql = psql
            .arg("-d")
            .arg(&self.name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        if let Some(mut input) = psql.stdin.take() {
            input.write_all(sql.as_bytes()).await?;
        }
        let output = psql.wait_with_output().await?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(format!("psql: {}", String::from_utf8_lossy(&output.stderr)).into())
    }

    /// Runs a script of pgbench on so many connections for so long.
    pub async fn pgbench(&self, script: &Path, clients: usize, seconds: usize) -> Result<Pgbench> {
        let mut command = self.tool("pgbench");
        command.args(["--no-vacuum", "--client", &clients.to_string(), "--jobs", "1", "--time", &seconds.to_string()]);
        let said = finish(command.arg("--file").arg(script).arg(&self.name)).await?;
        let rate = said.lines().find_map(|line| line.strip_prefix("tps = ")?.split_whitespace().next()?.parse().ok());
        rate.map(|transactions_a_second| Pgbench { transactions_a_second })
            .ok_or_else(|| format!("pgbench gave no rate: {said}").into())
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.bin.join(name));
        command.env("PGHOST", &self.host).env("PGUSER", "postgres");
        command
    }
}
