use crate::script::{Action, Framing, Step, When, Wire};
use crate::{anthropic, openai};
use serde_json::Value;

/// A wire protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Anthropic,
    OpenAi,
}

/// Turns the actions of a step into frames; keeps what a stream needs to know of itself.
pub(crate) enum Encoder {
    Anthropic(anthropic::Encoder),
    OpenAi(openai::Encoder),
}

/// One server-sent event, or a comment, before framing.
pub(crate) struct Frame {
    pub name: Option<String>,
    pub data: String,
    pub comment: bool,
}

impl Frame {
    pub fn named(name: &str, data: &Value) -> Self {
        Self { name: Some(name.into()), data: data.to_string(), comment: false }
    }

    pub fn data(data: impl ToString) -> Self {
        Self { name: None, data: data.to_string(), comment: false }
    }

    pub fn comment(text: &str) -> Self {
        Self { name: None, data: text.into(), comment: true }
    }

    pub fn bytes(&self, wire: Wire) -> String {
        let space = if wire.tight { "" } else { " " };
        let ends = match wire.framing {
            Framing::Lf => ["\n", "\n", "\n"],
            Framing::CrLf => ["\r\n", "\r\n", "\r\n"],
            Framing::Cr => ["\r", "\r", "\r"],
            Framing::Mixed => ["\r\n", "\n", "\r"],
        };
        if self.comment {
            return format!(":{space}{}{}{}", self.data, ends[0], ends[1]);
        }
        let name = self.name.as_ref().map(|name| format!("event:{space}{name}{}", ends[0])).unwrap_or_default();
        format!("{name}data:{space}{}{}{}", self.data, ends[1], ends[2])
    }
}

impl Dialect {
    pub(crate) fn encoder(self, model: &str, step: &Step) -> Encoder {
        match self {
            Self::Anthropic => Encoder::Anthropic(anthropic::Encoder::new(model, step)),
            Self::OpenAi => Encoder::OpenAi(openai::Encoder::new(model, step)),
        }
    }

    /// An error as the body of a refused request.
    pub(crate) fn error(self, kind: &str, message: &str) -> Value {
        match self {
            Self::Anthropic => serde_json::json!({"type": "error", "error": {"type": kind, "message": message}}),
            Self::OpenAi => {
                serde_json::json!({"error": {"type": kind, "message": message, "code": null, "param": null}})
            }
        }
    }

    pub(crate) fn matches(self, when: &When, body: &Value) -> bool {
        let (user, result) = match self {
            Self::Anthropic => anthropic::last_texts(body),
            Self::OpenAi => openai::last_texts(body),
        };
        when.model.as_ref().is_none_or(|model| body["model"] == **model)
            && when.user.as_ref().is_none_or(|part| user.contains(part.as_str()))
            && when.result.as_ref().is_none_or(|part| result.is_some_and(|result| result.contains(part.as_str())))
    }
}

impl Encoder {
    pub fn start(&mut self) -> Vec<Frame> {
        match self {
            Self::Anthropic(encoder) => encoder.start(),
            Self::OpenAi(encoder) => encoder.start(),
        }
    }

    pub fn action(&mut self, action: &Action) -> Vec<Frame> {
        match self {
            Self::Anthropic(encoder) => encoder.action(action),
            Self::OpenAi(encoder) => encoder.action(action),
        }
    }

    /// Begins a text whose deltas follow one by one.
    pub fn open_text(&mut self) -> Vec<Frame> {
        match self {
            Self::Anthropic(encoder) => encoder.open_text(),
            Self::OpenAi(_) => vec![],
        }
    }

    pub fn text_delta(&self, text: &str) -> Frame {
        match self {
            Self::Anthropic(encoder) => encoder.text_delta(text),
            Self::OpenAi(encoder) => encoder.text_delta(text),
        }
    }

    pub fn close_text(&mut self) -> Vec<Frame> {
        match self {
            Self::Anthropic(encoder) => encoder.close_text(),
            Self::OpenAi(_) => vec![],
        }
    }

    /// The stop reason and the usage: all but the terminal event.
    pub fn finish(&mut self) -> Vec<Frame> {
        match self {
            Self::Anthropic(encoder) => encoder.finish(),
            Self::OpenAi(encoder) => encoder.finish(),
        }
    }

    pub fn terminal(&self) -> Frame {
        match self {
            Self::Anthropic(_) => Frame::named("message_stop", &serde_json::json!({"type": "message_stop"})),
            Self::OpenAi(_) => Frame::data("[DONE]"),
        }
    }
}

/// A text in pieces of so many characters, or in one.
pub(crate) fn pieces(text: &str, chunk: Option<usize>) -> Vec<String> {
    let Some(chunk) = chunk.filter(|chunk| *chunk > 0) else { return vec![text.to_owned()] };
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(chunk).map(|piece| piece.iter().collect()).collect()
}

/// The pieces of several texts in turn: first of each, second of each, and so on; each with the number of its text.
pub(crate) fn interleaved(texts: &[Vec<String>]) -> Vec<(usize, &str)> {
    let longest = texts.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .flat_map(|round| {
            texts
                .iter()
                .enumerate()
                .filter_map(move |(number, pieces)| pieces.get(round).map(|piece| (number, piece.as_str())))
        })
        .collect()
}
