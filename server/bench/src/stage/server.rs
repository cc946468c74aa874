use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};

use super::database::Database;
use crate::client::{PROVIDER_KEY, http};
use crate::result::Result;

/// A running Confab; it ends when this is dropped.
pub struct Server {
    process: Child,
    url: String,
    log: PathBuf,
    started: Instant,
}

const PATIENCE: Duration = Duration::from_secs(60);

impl Server {
    /// Starts the release binary and waits until it answers.
    pub async fn start(data: &Path, database: &Database, provider: &str, demo: bool) -> Result<Server> {
        let mut server = Server::spawn(data, database, provider, demo)?;
        server.answers("/healthz", |_| true).await?;
        Ok(server)
    }

    /// Starts the release binary.
    pub fn spawn(data: &Path, database: &Database, provider: &str, demo: bool) -> Result<Server> {
        std::fs::create_dir_all(data)?;
        let address = free_address()?;
        let log = data.join("log");
        let mut command = Command::new(binary()?);
        command.arg("serve");
        if demo {
            command.arg("--demo");
        }
        command
            .env("LEPTOS_SITE_ADDR", &address)
            .env("LEPTOS_ENV", "PROD")
            .env("CONFAB_DATA", data)
            .env("DATABASE_URL", database.url())
            .env("CONFAB_PROVIDER", "anthropic")
            .env("CONFAB_BASE_URL", provider)
            .env("CONFAB_API_KEY", PROVIDER_KEY)
            .env("CONFAB_MODEL", "scripted")
            // as it is configured out of the box, whatever the shell says
            .env_remove("RUST_LOG")
            .current_dir(data)
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&log)?)
            .stderr(std::fs::File::options().append(true).open(&log)?)
            .kill_on_drop(true);
        let started = Instant::now();
        let process = command.spawn().map_err(|error| format!("{} cannot be run: {error}", binary_name()))?;
        Ok(Server { process, url: format!("http://{address}"), log, started })
    }

    /// Waits until an address answers well and as wanted; gives how long after the start that was.
    pub async fn answers(&mut self, path: &str, wanted: impl Fn(&str) -> bool) -> Result<Duration> {
        let client = http::fresh()?;
        while self.started.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait()? {
                return Err(format!("Confab ended with {status}: {}", self.said()).into());
            }
            if let Ok(answer) = client.get(format!("{}{path}", self.url)).send().await
                && answer.status().is_success()
                && let Ok(text) = answer.text().await
                && wanted(&text)
            {
                return Ok(self.started.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        Err(format!("Confab did not answer {path} within {PATIENCE:?}: {}", self.said()).into())
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn pid(&self) -> u32 {
        self.process.id().unwrap_or_default()
    }

    fn said(&self) -> String {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let end: Vec<&str> = log.lines().rev().take(12).collect();
        end.into_iter().rev().collect::<Vec<_>>().join("\n")
    }
}

fn binary_name() -> String {
    binary().map_or_else(|_| "confab".to_owned(), |path| path.display().to_string())
}

/// The `confab` that lies beside this program, built in the same profile; `CONFAB_BIN` names another.
fn binary() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("CONFAB_BIN") {
        return Ok(path.into());
    }
    Ok(std::env::current_exe()?.with_file_name("confab"))
}

fn free_address() -> Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}
