//! How things are measured: the clock, processor time, memory, and what a list of numbers says.

pub mod clock;
pub mod memory;
pub mod processor;
pub mod statistics;
