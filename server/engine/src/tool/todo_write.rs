use schemars::JsonSchema;
use serde::Deserialize;
use wire::access::Scope;
use wire::tool::{TodoItem, TodoState};

use super::context::ToolContext;
use super::definition::{Definition, ToolKind};
use super::outcome::ToolOutcome;
use crate::text::storable;

pub(super) struct TodoWrite;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The whole list, in order; it takes the place of the one before.
    items: Vec<Item>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    text: String,
    state: State,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum State {
    Pending,
    Active,
    Done,
}

const MOST_ITEMS: usize = 50;
const MOST_TEXT: usize = 500;

impl Definition for TodoWrite {
    const NAME: &'static str = "TodoWrite";
    const DESCRIPTION: &'static str = "Writes this turn's list of steps, which the person sees. Give the whole list each time, with the state of each \
        item; at most one is active. For work of three steps and more.";
    const KIND: ToolKind = ToolKind::Meta;
    const SCOPES: &'static [Scope] = &[];
    const LABEL: &'static str = "items";
    type Input = Input;

    async fn run(_: &ToolContext, input: Input) -> ToolOutcome {
        if input.items.len() > MOST_ITEMS {
            return ToolOutcome::error(format!("{} items are too many; the most is {MOST_ITEMS}.", input.items.len()));
        }
        let mut items = Vec::with_capacity(input.items.len());
        for (at, item) in input.items.iter().enumerate() {
            let text = item.text.trim();
            if text.is_empty() || text.len() > MOST_TEXT {
                return ToolOutcome::error(format!("Item {} needs a text of 1 to {MOST_TEXT} bytes.", at + 1));
            }
            let state = match item.state {
                State::Pending => TodoState::Pending,
                State::Active => TodoState::Active,
                State::Done => TodoState::Done,
            };
            items.push(TodoItem { text: storable(text).into_owned(), state });
        }
        let count = |state| items.iter().filter(|item| item.state == state).count();
        if count(TodoState::Active) > 1 {
            return ToolOutcome::error(format!(
                "{} items are active; work on one at a time.",
                count(TodoState::Active)
            ));
        }
        let said = format!(
            "The list has {} items: {} done, {} active, {} pending.",
            items.len(),
            count(TodoState::Done),
            count(TodoState::Active),
            count(TodoState::Pending)
        );
        ToolOutcome { todo: Some(items), ..ToolOutcome::said(&said, "") }
    }
}
