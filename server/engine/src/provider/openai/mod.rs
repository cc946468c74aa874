//! OpenAI Chat Completions, streaming, as OpenAI and the many compatible servers speak it.
//! Source: <https://platform.openai.com/docs/api-reference/chat-streaming>.

mod reader;
mod request;

pub(super) use reader::Reader;
pub(super) use request::body;

pub(super) const PATH: &str = "/v1/chat/completions";
