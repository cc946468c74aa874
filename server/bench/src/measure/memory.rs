use std::fs;

use crate::result::Result;

/// MiB that a process holds in memory, its share of what it shares (PSS).
pub fn mebibytes(pid: u32) -> Result<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let kibibytes: f64 = text
        .lines()
        .find_map(|line| line.strip_prefix("Pss:")?.trim().strip_suffix(" kB")?.trim().parse().ok())
        .ok_or("the kernel does not tell a process's memory")?;
    Ok(kibibytes / 1_024.0)
}
