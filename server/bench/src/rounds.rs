use std::time::Instant;

use crate::figure::{FIGURES, Reading};
use crate::line::Line;
use crate::measure::processor;
use crate::report::{Machine, report};
use crate::result::Result;
use crate::stage::Stage;

/// What the rounds gave for one figure.
#[derive(Default)]
pub struct Given {
    /// One list a round, one reading a row.
    pub rounds: Vec<Vec<Reading>>,
    /// Why rounds gave nothing.
    pub failures: Vec<String>,
}

/// Sets the stage, runs all rounds and prints the table.
pub async fn run(line: &Line) -> Result<()> {
    let start = Instant::now();
    let mut machine = Machine::look();
    eprintln!("bench: load {} before the start", machine.load);
    let stage = Stage::set(line.quick).await?;
    machine.postgres = stage.postgres.about().await?;
    let wanted: Vec<_> =
        FIGURES.iter().filter(|figure| figure.rows.iter().any(|row| line.wants(row.id))).copied().collect();
    let mut given: Vec<Given> = wanted.iter().map(|_| Given::default()).collect();
    let (busy, ours) = (processor::whole_machine(), stage.all_processor());
    let began = Instant::now();
    for round in 1..=line.count() {
        for (figure, given) in wanted.iter().zip(&mut given) {
            let at = Instant::now();
            let ids: Vec<&str> = figure.rows.iter().map(|row| row.id).collect();
            match (figure.measure)(&stage).await {
                Ok(readings) => {
                    let shown: Vec<String> = readings.iter().map(|reading| format!("{:.3}", reading.value)).collect();
                    let took = at.elapsed().as_secs_f64();
                    eprintln!("bench: round {round}, {}: {} ({took:.1} s)", ids.join(" "), shown.join(" "));
                    given.rounds.push(readings);
                }
                Err(error) => {
                    eprintln!("bench: round {round}, {}: FAILED: {error}", ids.join(" "));
                    given.failures.push(error.to_string());
                }
            }
        }
    }
    let others = (processor::whole_machine() - busy) - (stage.all_processor() - ours);
    machine.others = others.max(0.0) / 1_000.0 / began.elapsed().as_secs_f64();
    drop(stage);
    let table = report(line, &machine, &wanted, &given, start.elapsed());
    println!("{table}");
    if let Some(file) = &line.out {
        std::fs::write(file, &table).map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
    }
    Ok(())
}
