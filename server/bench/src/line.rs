use clap::{Parser, Subcommand};

/// Measures Confab against its promised figures and prints the table as Markdown.
#[derive(Debug, Parser)]
#[command(name = "bench", version)]
pub struct Line {
    /// One round and smaller counts: to see that all is well, not to publish
    #[arg(long)]
    pub quick: bool,
    /// Only these figures, such as G1,G7
    #[arg(long, value_delimiter = ',', value_name = "FIGURES")]
    pub only: Vec<String>,
    /// Interleaved rounds, of which the median is kept; 3, or 1 with --quick
    #[arg(long, value_name = "COUNT")]
    pub rounds: Option<usize>,
    /// Write the table here as well
    #[arg(long, value_name = "FILE")]
    pub out: Option<std::path::PathBuf>,
    #[command(subcommand)]
    pub part: Option<Part>,
}

/// What the benchmark starts of itself as processes of their own.
#[derive(Debug, Subcommand)]
pub enum Part {
    /// The scripted provider
    Provider,
    /// The bare relay
    Relay {
        #[arg(long)]
        provider: String,
    },
}

impl Line {
    pub fn count(&self) -> usize {
        self.rounds.unwrap_or(if self.quick { 1 } else { 3 }).max(1)
    }

    /// Whether a figure was asked for.
    pub fn wants(&self, id: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only.trim().eq_ignore_ascii_case(id))
    }
}
