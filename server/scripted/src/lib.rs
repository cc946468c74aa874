//! A model provider that follows a script, over the real wire protocols. For tests and benchmarks only.
//!
//! One server speaks Anthropic Messages (`POST /v1/messages`) and OpenAI Chat Completions (`POST /v1/chat/completions`), streaming only,
//! and answers `GET /v1/models`. What it answers is a [`Script`]: an ordered list of steps, each a list of actions (text, reasoning, tool
//! calls, usage, waits, faults). The API key of a request names the script, so tests that run side by side share one server and each
//! uses a key of its own.
//!
//! From Rust: [`Scripted::start`], [`Scripted::script`]. From elsewhere: the binary `scripted [--listen ADDRESS]` and
//! - `POST /script`: a [`Script`] with its `key`; replaces that key's script, records and gates;
//! - `POST /release` `{key, gate?, count?}`: lets requests that wait at a `hold` go on;
//! - `GET /requests?key=`: every request so far, with its body and how its answer ended.
//!
//! It never judges what a client should have sent, except in `strict` mode, where it refuses what the real providers refuse.

mod anthropic;
mod dialect;
mod openai;
mod player;
mod script;
mod server;
mod state;
mod strict;
mod tokens;

pub use dialect::Dialect;
pub use script::{Action, Call, Framing, Script, Step, Usage, UsageOn, When, Wire};
pub use server::Scripted;
pub use state::{Ending, Record};
