use std::path::Path;
use std::process::{Output, Stdio};

use tokio::process::Command;

use crate::result::Result;

/// Runs a program to its end and gives what it said; a failure says what the program said.
pub async fn run(program: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(program);
    finish(command.args(arguments)).await
}

/// As [`run`], of a command that is made already.
pub async fn finish(command: &mut Command) -> Result<String> {
    let name = command.as_std().get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await;
    let Output { status, stdout, stderr } = output.map_err(|error| format!("{name} cannot be run: {error}"))?;
    if status.success() {
        return Ok(String::from_utf8_lossy(&stdout).into_owned());
    }
    let said = [String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)].concat();
    let end: Vec<&str> = said.lines().rev().take(12).collect();
    Err(format!("{name} failed: {}", end.into_iter().rev().collect::<Vec<_>>().join("\n")).into())
}
