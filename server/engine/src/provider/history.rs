//! Makes a conversation one that every provider accepts, so that no single bad item kills a chat.

use super::image::{self, Verdict};
use super::json::{value_without_nul, without_nul};
use super::{Block, Item, ToolResult};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The result of a call that never got one.
pub const CANCELLED: &str = "cancelled by the user";

/// Bytes of one text block.
const LONGEST_TEXT: usize = 512 << 10;

/// Bytes of one tool result.
const LONGEST_RESULT: usize = 128 << 10;

/// Characters of a call's id, by the stricter provider.
const LONGEST_ID: usize = 40;

/// Characters of a tool's name, by the stricter provider.
const LONGEST_NAME: usize = 64;

/// Mends a history. Mending twice is the same as mending once, and a valid history is not changed. What holds afterwards:
///
/// - The first item is the user's; no two items of one role stand side by side; none is empty.
/// - Every tool call has exactly one result, in an item directly after the one with the calls, in the calls' order. One that was missing
///   says [`CANCELLED`] and is an error; a result without a call is dropped. Nothing follows a call inside its item but other calls, and
///   reasoning, whose place the provider decided.
/// - Call ids are unique; ids and names have only letters that every provider takes; inputs are objects.
/// - No text is blank, holds NUL, or is longer than a stated size; what was cut says so. (Half characters cannot be in a `String`.)
/// - Images are of a type and size that models take, with the type their content has; others became a note, or their source.
/// - Reasoning is neither changed nor moved. Which of it may be sent depends on the model and is the dialect's matter.
#[must_use]
pub fn mend(items: Vec<Item>) -> Vec<Item> {
    let mut conversation = Conversation::default();
    for item in items {
        match item {
            Item::User(blocks) => conversation.user(blocks),
            Item::Assistant(blocks) => conversation.assistant(blocks),
            Item::ToolResults(results) => results.into_iter().for_each(|result| conversation.result(result)),
        }
    }
    conversation.into_items()
}

/// The history with a note in place of every image: for a conversation that was refused because of one.
#[must_use]
pub fn without_images(items: Vec<Item>) -> Vec<Item> {
    let strip = |blocks: Vec<Block>| {
        let note = |block| match block {
            Block::Image { .. } => note("the provider could not read it"),
            other => other,
        };
        blocks.into_iter().map(note).collect()
    };
    items
        .into_iter()
        .map(|item| match item {
            Item::User(blocks) => Item::User(strip(blocks)),
            Item::Assistant(blocks) => Item::Assistant(strip(blocks)),
            Item::ToolResults(results) => Item::ToolResults(results),
        })
        .collect()
}

#[derive(Default)]
struct Conversation {
    turns: Vec<Turn>,
    ids: HashSet<String>,
}

enum Turn {
    User(Vec<Block>),
    Assistant(Vec<Said>),
}

enum Said {
    Block(Block),
    Call(Call),
}

struct Call {
    /// As the model gave it; results name it.
    original: String,
    id: String,
    name: String,
    input: Value,
    malformed: Option<String>,
    result: Option<ToolResult>,
}

impl Conversation {
    fn user(&mut self, blocks: Vec<Block>) {
        let blocks: Vec<Block> = blocks.into_iter().filter_map(said_by_user).collect();
        match self.turns.last_mut() {
            _ if blocks.is_empty() => {}
            Some(Turn::User(before)) => before.extend(blocks),
            _ => self.turns.push(Turn::User(blocks)),
        }
    }

    fn assistant(&mut self, blocks: Vec<Block>) {
        // calls of two items never share one: the results of the first stand between them
        let mut fresh = self.has_calls();
        for block in blocks {
            let said = match block {
                Block::ToolCall { id, name, input, malformed } => {
                    Some(Said::Call(self.call(id, name, input, malformed)))
                }
                other => said_by_assistant(other).map(Said::Block),
            };
            let Some(said) = said else { continue };
            // a text after a call is said after the call's result
            fresh = fresh || self.has_calls() && matches!(said, Said::Block(Block::Text { .. }));
            match self.turns.last_mut() {
                Some(Turn::Assistant(before)) if !fresh => before.push(said),
                _ => self.turns.push(Turn::Assistant(vec![said])),
            }
            fresh = false;
        }
    }

    /// Whether the conversation ends with an assistant's turn that calls.
    fn has_calls(&self) -> bool {
        let is_call = |said: &Said| matches!(said, Said::Call(_));
        matches!(self.turns.last(), Some(Turn::Assistant(said)) if said.iter().any(is_call))
    }

    fn call(&mut self, original: String, name: String, input: Value, malformed: Option<String>) -> Call {
        let id = self.unique(&original);
        let name = fitting(&name, LONGEST_NAME, "unknown");
        Call { original, id, name, input: object(input), malformed, result: None }
    }

    fn unique(&mut self, original: &str) -> String {
        let base = fitting(original, LONGEST_ID, "call");
        let mut id = base.clone();
        let mut number = 2;
        while !self.ids.insert(id.clone()) {
            let suffix = format!("_{number}");
            id = format!("{}{suffix}", &base[..base.len().min(LONGEST_ID - suffix.len())]);
            number += 1;
        }
        id
    }

    /// Gives a result to the newest turn with an open call of this id, there to the first one.
    fn result(&mut self, result: ToolResult) {
        let open = self.turns.iter_mut().rev().find_map(|turn| match turn {
            Turn::Assistant(said) => said.iter_mut().find_map(|said| match said {
                Said::Call(call) if call.result.is_none() && call.original == result.call_id => Some(call),
                Said::Call(_) | Said::Block(_) => None,
            }),
            Turn::User(_) => None,
        });
        if let Some(call) = open {
            call.result = Some(result);
        }
    }

    fn into_items(self) -> Vec<Item> {
        let mut items = vec![];
        if matches!(self.turns.first(), Some(Turn::Assistant(_))) {
            items.push(Item::User(vec![Block::Text {
                text: "(The beginning of the conversation is not shown.)".into(),
            }]));
        }
        for turn in self.turns {
            match turn {
                Turn::User(blocks) => items.push(Item::User(blocks)),
                Turn::Assistant(said) => {
                    let mut results = vec![];
                    let blocks = said.into_iter().map(|said| match said {
                        Said::Block(block) => block,
                        Said::Call(call) => {
                            let (block, result) = call.into_parts();
                            results.push(result);
                            block
                        }
                    });
                    items.push(Item::Assistant(blocks.collect()));
                    if !results.is_empty() {
                        items.push(Item::ToolResults(results));
                    }
                }
            }
        }
        items
    }
}

impl Call {
    fn into_parts(self) -> (Block, ToolResult) {
        let Self { id, name, input, malformed, result, .. } = self;
        let (content, is_error) =
            result.map_or_else(|| (CANCELLED.into(), true), |result| (result.content, result.is_error));
        let content = match cut(without_nul(content), LONGEST_RESULT) {
            blank if blank.trim().is_empty() => "(no output)".into(),
            content => content,
        };
        let result = ToolResult { call_id: id.clone(), name: name.clone(), content, is_error };
        (Block::ToolCall { id, name, input, malformed }, result)
    }
}

fn said_by_user(block: Block) -> Option<Block> {
    match block {
        Block::Text { text } => said(text),
        Block::Image { data_base64, .. } => match image::examine(&data_base64) {
            Verdict::Take(media_type) => Some(Block::Image { media_type: media_type.into(), data_base64 }),
            Verdict::Source(source) => said(source),
            Verdict::LeaveOut(reason) => Some(note(reason)),
        },
        Block::Reasoning { .. } | Block::ToolCall { .. } => None,
    }
}

fn said_by_assistant(block: Block) -> Option<Block> {
    match block {
        Block::Text { text } => said(text),
        Block::Reasoning { ref text, ref signature, ref redacted, .. } => {
            (!text.is_empty() || signature.is_some() || redacted.is_some()).then_some(block)
        }
        Block::Image { .. } => Some(note("a model's own images cannot be sent back")),
        Block::ToolCall { .. } => None,
    }
}

fn said(text: String) -> Option<Block> {
    let text = cut(without_nul(text), LONGEST_TEXT);
    (!text.trim().is_empty()).then_some(Block::Text { text })
}

fn note(reason: &str) -> Block {
    Block::Text { text: format!("[Image left out: {reason}.]") }
}

/// Cuts at the end of a character, with a note, so that text and note fit into the size.
fn cut(text: String, longest: usize) -> String {
    if text.len() <= longest {
        return text;
    }
    let keep = text.floor_char_boundary(longest - 64);
    format!("{}\n[Cut here: {} more bytes are not shown.]", &text[..keep], text.len() - keep)
}

/// Letters that every provider takes, not too many of them, and not none.
fn fitting(text: &str, longest: usize, otherwise: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let text: String = text.chars().take(longest).map(|letter| if fits(letter) { letter } else { '_' }).collect();
    if text.is_empty() { otherwise.to_owned() } else { text }
}

fn object(input: Value) -> Value {
    match input {
        Value::Object(_) => value_without_nul(input),
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => value_without_nul(Value::Object(fields)),
            _ => Value::Object(Map::new()),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => Value::Object(Map::new()),
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
