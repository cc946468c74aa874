//! The audit log as it is read. What is written there is written by the commands, in their own transactions.

mod export;
mod list;
#[cfg(test)]
mod tests;

pub use export::export;
pub use list::list;
