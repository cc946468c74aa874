//! The sample organisation: data, loaded through the same commands that people use.

mod records;
mod seed;
#[cfg(test)]
mod tests;

pub use seed::seed;
