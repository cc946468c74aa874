//! Anthropic Messages, streaming, as of `anthropic-version: 2023-06-01`. Source: <https://docs.anthropic.com/en/api/messages-streaming>.

mod reader;
mod request;

pub(super) use reader::Reader;
pub(super) use request::body;

pub(super) const PATH: &str = "/v1/messages";
pub(super) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");
