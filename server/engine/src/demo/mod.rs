//! The sample organisation: data, loaded through the same commands that people use.

mod records;
mod seed;

pub use seed::seed;
