//! Processor time from `/proc`, whole families of processes at a time: a server with its children, Postgres with its backends.

use std::collections::{HashMap, HashSet};
use std::fs;

/// Ticks in a second, as Linux gives them to every program.
const TICKS: f64 = 100.0;

struct Process {
    pid: u32,
    parent: u32,
    /// Its own time and that of its children that ended, in ticks.
    ticks: u64,
}

/// Milliseconds that these processes, all below them and all of theirs that ended have run so far.
pub fn milliseconds(roots: &[u32]) -> f64 {
    let processes = all();
    let mut children: HashMap<u32, Vec<&Process>> = HashMap::new();
    for process in &processes {
        children.entry(process.parent).or_default().push(process);
    }
    let mut counted = HashSet::new();
    let mut waiting: Vec<u32> = roots.to_vec();
    let mut ticks = 0;
    while let Some(pid) = waiting.pop() {
        if !counted.insert(pid) {
            continue;
        }
        ticks += processes.iter().find(|process| process.pid == pid).map_or(0, |process| process.ticks);
        waiting.extend(children.get(&pid).into_iter().flatten().map(|child| child.pid));
    }
    in_milliseconds(ticks)
}

/// Milliseconds that all processors of the machine were busy so far.
pub fn whole_machine() -> f64 {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let fields: Vec<u64> = text
        .lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .skip(1)
        .filter_map(|field| field.parse().ok())
        .collect();
    // user, nice, system, idle, iowait, irq, softirq: all but the two in which nothing ran
    in_milliseconds(
        fields
            .iter()
            .enumerate()
            .filter(|(place, _)| *place < 7 && !matches!(place, 3 | 4))
            .map(|(_, ticks)| ticks)
            .sum(),
    )
}

fn all() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| process(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn process(pid: u32) -> Option<Process> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // the name, in brackets, may hold anything
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Process { pid, parent: fields.get(1)?.parse().ok()?, ticks })
}

#[expect(clippy::cast_precision_loss, reason = "ticks of a machine's life are far below 2^52")]
fn in_milliseconds(ticks: u64) -> f64 {
    ticks as f64 * 1_000.0 / TICKS
}
