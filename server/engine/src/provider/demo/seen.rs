use serde_json::Value;

use super::super::{Block, Item, Request};

/// What the conversation holds for the step that comes next.
pub(super) struct Seen {
    /// The person's last message.
    pub request: String,
    /// The calls made since, with their results, in order.
    pub done: Vec<Done>,
    /// Calls of the whole conversation.
    pub calls_before: usize,
    /// The file that the chat is about.
    pub anchor: Option<String>,
    /// The tools that may be called.
    pub tools: Vec<String>,
}

pub(super) struct Done {
    pub name: String,
    pub input: Value,
    pub result: String,
    pub is_error: bool,
}

impl Seen {
    pub fn of(request: &Request) -> Seen {
        let last = request.items.iter().rposition(|item| matches!(item, Item::User(_)));
        let (asked, since) = match last {
            Some(place) => (said(&request.items[place]), &request.items[place + 1..]),
            None => (String::new(), &request.items[..]),
        };
        Seen {
            request: asked,
            done: done(since),
            calls_before: request.items.iter().map(|item| calls(item).count()).sum(),
            anchor: anchor(&request.system),
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
        }
    }

    pub fn may(&self, tool: &str) -> bool {
        self.tools.iter().any(|known| known == tool)
    }

    /// The last call of a tool since the person spoke.
    pub fn last(&self, tool: &str) -> Option<&Done> {
        self.done.iter().rfind(|done| done.name == tool)
    }
}

/// The last text of the person's: what was joined before it belongs to earlier messages.
fn said(item: &Item) -> String {
    let Item::User(blocks) = item else { return String::new() };
    let texts = blocks.iter().rev().filter_map(|block| match block {
        Block::Text { text } => Some(text.clone()),
        _ => None,
    });
    texts.into_iter().next().unwrap_or_default()
}

fn calls(item: &Item) -> impl Iterator<Item = (&String, &String, &Value)> {
    let blocks = match item {
        Item::Assistant(blocks) => blocks.as_slice(),
        Item::User(_) | Item::ToolResults(_) => &[],
    };
    blocks.iter().filter_map(|block| match block {
        Block::ToolCall { id, name, input, .. } => Some((id, name, input)),
        _ => None,
    })
}

fn done(items: &[Item]) -> Vec<Done> {
    let results: Vec<_> = items
        .iter()
        .flat_map(|item| match item {
            Item::ToolResults(results) => results.as_slice(),
            _ => &[],
        })
        .collect();
    let made = items.iter().flat_map(calls);
    made.filter_map(|(id, name, input)| {
        let result = results.iter().find(|result| result.call_id == *id)?;
        Some(Done {
            name: name.clone(),
            input: input.clone(),
            result: result.content.clone(),
            is_error: result.is_error,
        })
    })
    .collect()
}

/// As the system prompt names it.
fn anchor(system: &str) -> Option<String> {
    let (_, after) = system.split_once("\nThis chat is about the ")?;
    let (_, after) = after.split_once('`')?;
    let (path, _) = after.split_once('`')?;
    Some(path.to_owned())
}
