use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{self, Command};

use crate::result::Result;

/// A process of ours that says on its first line where it listens; it ends when this is dropped.
pub struct Child {
    process: process::Child,
    says: String,
}

impl Child {
    /// This program again, as another part.
    pub async fn ourselves(arguments: &[&str]) -> Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        let mut process =
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
        let out = process.stdout.take().ok_or("a child has no output")?;
        let says =
            BufReader::new(out).lines().next_line().await?.ok_or_else(|| format!("{arguments:?} said nothing"))?;
        Ok(Child { process, says })
    }

    /// The address that it said.
    pub fn says(&self) -> &str {
        &self.says
    }

    pub fn pid(&self) -> u32 {
        self.process.id().unwrap_or_default()
    }
}

/// What a child says to the one who started it.
pub fn say_where(address: &str) {
    println!("{address}");
}
