//! The table, in Markdown that stands well in a README.

use std::fmt::Write;
use std::time::Duration;

use crate::figure::{Figure, Goal, Reading, Row};
use crate::line::Line;
use crate::measure::statistics::median;
use crate::rounds::Given;

/// What the figures were measured on.
pub struct Machine {
    date: String,
    processors: usize,
    model: String,
    /// GiB.
    memory: f64,
    pub postgres: String,
    /// The load of the last minute, before anything of ours ran.
    pub load: String,
    /// Processors that other programs kept busy during the rounds.
    pub others: f64,
}

impl Machine {
    pub fn look() -> Machine {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let (info, memory) = (read("/proc/cpuinfo"), read("/proc/meminfo"));
        let after = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name));
            line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
        };
        let kibibytes: f64 = after(&memory, "MemTotal").trim_end_matches(" kB").parse().unwrap_or_default();
        let date = std::process::Command::new("date").arg("--iso-8601").output();
        Machine {
            date: date.map(|date| String::from_utf8_lossy(&date.stdout).trim().to_owned()).unwrap_or_default(),
            processors: std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
            model: after(&info, "model name"),
            memory: kibibytes / 1_048_576.0,
            postgres: String::new(),
            load: read("/proc/loadavg").split(' ').next().unwrap_or("?").to_owned(),
            others: 0.0,
        }
    }
}

pub fn report(line: &Line, machine: &Machine, figures: &[&Figure], given: &[Given], took: Duration) -> String {
    let rows = figures.iter().zip(given).flat_map(|(figure, given)| {
        figure
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| line.wants(row.id))
            .map(move |(place, row)| (row, place, given))
    });
    let mut met = 0;
    let mut all = 0;
    let mut table = String::new();
    for (row, place, given) in rows {
        all += 1;
        let readings: Vec<Reading> = given.rounds.iter().filter_map(|round| round.get(place)).copied().collect();
        let summary = Summary::of(row, &readings);
        met += usize::from(summary.as_ref().is_some_and(|summary| summary.met));
        let _ = match summary {
            Some(summary) => writeln!(
                table,
                "| {} | {} | {} | {} | {} | {} | {} |",
                row.id,
                row.what,
                goal(row),
                summary.measured,
                summary.baseline,
                summary.ratio,
                if summary.met { "yes" } else { "**no**" }
            ),
            None => {
                let why =
                    given.failures.last().map_or("no round ran", String::as_str).replace('|', "/").replace('\n', " ");
                writeln!(table, "| {} | {} | {} | not measured: {why} | | | **no** |", row.id, row.what, goal(row))
            }
        };
    }
    let rounds = line.count();
    let Machine { date, processors, model, memory, postgres, load, others } = machine;
    let kept = if rounds == 1 {
        "one round"
    } else {
        "interleaved rounds, the median of each figure kept, lowest and highest behind it"
    };
    let count = if rounds == 1 { String::new() } else { format!("{rounds} ") };
    format!(
        "Measured on {date} with `scripts/bench{}` in {:.0} s: {count}{kept}. {processors} processors ({model}), {memory:.0} GiB; Postgres {postgres}. \
         Load {load} before the start; other programs kept {others:.1} of the processors busy meanwhile. {met} of {all} met.\n\n\
         | # | what | goal | Confab | beside it | ratio | met |\n|---|---|---|---|---|---|---|\n{table}",
        if line.quick { " --quick" } else { "" },
        took.as_secs_f64()
    )
}

struct Summary {
    measured: String,
    baseline: String,
    ratio: String,
    met: bool,
}

impl Summary {
    fn of(row: &Row, readings: &[Reading]) -> Option<Summary> {
        let values: Vec<f64> = readings.iter().map(|reading| reading.value).collect();
        let value = median(&values)?;
        let (low, high) = values.iter().fold((value, value), |(low, high), value| (low.min(*value), high.max(*value)));
        let spread = if values.len() > 1 { format!(" ({}–{})", short(low), short(high)) } else { String::new() };
        let baseline = median(&readings.iter().filter_map(|reading| reading.baseline).collect::<Vec<_>>());
        let ratios: Vec<f64> = readings
            .iter()
            .filter_map(|reading| reading.baseline.filter(|baseline| *baseline > 0.0).map(|it| reading.value / it))
            .collect();
        let ratio = median(&ratios);
        let met = match row.goal {
            Goal::AtMost(most) => value <= most,
            Goal::RatioAtLeast(least) => ratio? >= least,
            Goal::RatioAtMost(most) => ratio? <= most,
        };
        Some(Summary {
            measured: format!("{}{spread}", with_unit(value, row.unit)),
            baseline: match (baseline, row.baseline) {
                (Some(value), Some(name)) => format!("{name}: {}", with_unit(value, row.unit)),
                _ => String::new(),
            },
            ratio: ratio.map(|ratio| format!("{} ×", short(ratio))).unwrap_or_default(),
            met,
        })
    }
}

fn goal(row: &Row) -> String {
    match row.goal {
        Goal::AtMost(most) => format!("≤ {}", with_unit(most, row.unit)),
        Goal::RatioAtLeast(least) => format!("≥ {least} ×"),
        Goal::RatioAtMost(most) => format!("≤ {most} ×"),
    }
}

fn with_unit(value: f64, unit: &str) -> String {
    match unit {
        "" => short(value),
        "/s" => format!("{}/s", short(value)),
        unit => format!("{} {unit}", short(value)),
    }
}

/// As many digits as say something.
fn short(value: f64) -> String {
    let text = match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    let digits = text.trim_start_matches('-').len();
    if text.contains('.') || digits <= 3 {
        return text;
    }
    // thousands apart
    let mut out = String::new();
    for (place, digit) in text.chars().enumerate() {
        if place > 0 && (text.len() - place) % 3 == 0 && digit.is_ascii_digit() && !out.ends_with('-') {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Row = Row { id: "G0", what: "x", unit: "/s", goal: Goal::RatioAtLeast(0.5), baseline: Some("*relay*") };

    #[test]
    fn the_ratio_is_taken_in_each_round() {
        let readings = [Reading::beside(1.0, 1.0), Reading::beside(4.0, 10.0), Reading::beside(10.0, 20.0)];
        let summary = Summary::of(&ROW, &readings).unwrap();
        assert_eq!((summary.ratio.as_str(), summary.met), ("0.5 ×", true));
        assert_eq!(summary.measured, "4/s (1–10)");
        assert_eq!(summary.baseline, "*relay*: 10/s");
        assert!(Summary::of(&ROW, &[]).is_none());
        assert!(Summary::of(&ROW, &[Reading::alone(1.0)]).is_none(), "a ratio without a baseline is no figure");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(0.0), "0");
        assert_eq!(short(1.404), "1.4");
        assert_eq!(short(12.04), "12");
        assert_eq!(short(1_234_567.8), "1,234,568");
        assert_eq!(short(-1_234.0), "-1,234");
    }
}
