//! The cards of the agent's tool calls: one line until opened, then what went in, what came out, and how long it took.

mod card;
mod cut;
mod details;
mod kind;
mod measure;
mod output;
mod todo;

pub use card::ToolCard;
