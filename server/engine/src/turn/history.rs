use uuid::Uuid;
use wire::message::{Part, ToolState};
use wire::turn::Turn;

use crate::provider::{Block, Item, ToolResult};
use crate::store::step::StepRow;
use crate::store::tool_call::ToolCallRow;
use crate::store::turn::Said;

/// What is stored of a thread.
pub(super) struct Stored {
    /// Oldest first.
    pub said: Vec<Said>,
    pub steps: Vec<StepRow>,
    pub calls: Vec<ToolCallRow>,
}

/// Earlier turns whose steps are given back call by call; of older ones only what they said.
const TURNS_IN_FULL: usize = 30;
/// Characters of the conversation that are given back; what is older is left out, and that is said.
const LONGEST: usize = 400_000;

impl Stored {
    /// The turns whose steps the conversation needs: this one, and the latest before it.
    pub fn turns(turn: &Turn, said: &[Said]) -> Vec<Uuid> {
        let mut turns: Vec<Uuid> = said
            .iter()
            .filter(|said| said.agent_id == Some(turn.agent_id))
            .filter_map(|said| said.turn)
            .filter(|(_, caused_by)| *caused_by <= turn.message_id)
            .map(|(id, _)| id)
            .filter(|id| *id != turn.id)
            .collect();
        let first = turns.len().saturating_sub(TURNS_IN_FULL);
        turns.drain(..first);
        turns.push(turn.id);
        turns
    }

    fn of_turn(&self, turn_id: Uuid) -> Vec<Item> {
        let mut items = Vec::new();
        for step in self.steps.iter().filter(|step| step.turn_id == turn_id && !step.blocks.is_empty()) {
            items.push(Item::Assistant(step.blocks.clone()));
            let results: Vec<ToolResult> = self
                .calls
                .iter()
                .filter(|call| call.turn_id == turn_id && call.step == step.number && call.state != ToolState::Active)
                .map(|call| ToolResult {
                    call_id: call.id.clone(),
                    name: call.name.clone(),
                    content: call.output.clone().unwrap_or_default(),
                    is_error: call.state != ToolState::Success,
                })
                .collect();
            if !results.is_empty() {
                items.push(Item::ToolResults(results));
            }
        }
        items
    }
}

/// The conversation that a turn answers: every message of its thread up to the one that caused it, each followed by its own answers, then
/// what the turn itself has said and done so far. Messages that wait behind it are not in it.
pub(super) fn items(turn: &Turn, stored: &Stored) -> Vec<Item> {
    let mut entries: Vec<(Uuid, Uuid, Vec<Item>)> = stored
        .said
        .iter()
        .filter(|said| said.turn.is_none_or(|(id, _)| id != turn.id))
        .map(|said| (said.turn.map_or(said.id, |(_, caused_by)| caused_by), said.id, entry(turn, stored, said)))
        .filter(|(place, ..)| *place <= turn.message_id)
        .collect();
    // an answer's own id may be larger than those of messages that were sent while it was made
    entries.sort_by_key(|(place, id, _)| (*place, *id));
    let mut size = 0;
    let mut first = entries.len();
    while first > 0 {
        size += entries[first - 1].2.iter().map(length).sum::<usize>();
        if size > LONGEST && first < entries.len() {
            break;
        }
        first -= 1;
    }
    let mut items: Vec<Item> = Vec::new();
    if first > 0 {
        items.push(Item::User(vec![text("[The beginning of this conversation is too long and is left out here.]")]));
    }
    items.extend(entries.into_iter().skip(first).flat_map(|(_, _, items)| items));
    items.extend(stored.of_turn(turn.id));
    items
}

fn entry(turn: &Turn, stored: &Stored, said: &Said) -> Vec<Item> {
    let words = words(said);
    match said.agent_id {
        None if said.note => vec![Item::User(vec![text(&format!("[A note by {}]\n{words}", said.name))])],
        None => vec![Item::User(vec![text(&words)])],
        Some(agent_id) if agent_id == turn.agent_id => {
            let steps = said.turn.map(|(id, _)| stored.of_turn(id)).unwrap_or_default();
            if steps.is_empty() && !words.trim().is_empty() { vec![Item::Assistant(vec![text(&words)])] } else { steps }
        }
        // what another agent said is no word of this one
        Some(_) if words.trim().is_empty() => Vec::new(),
        Some(_) => vec![Item::User(vec![text(&format!("[The agent {} said]\n{words}", said.name))])],
    }
}

fn words(said: &Said) -> String {
    let texts = said.parts.iter().filter_map(|part| match part {
        Part::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

fn text(text: &str) -> Block {
    Block::Text { text: text.to_owned() }
}

fn length(item: &Item) -> usize {
    let block = |block: &Block| match block {
        Block::Text { text } | Block::Reasoning { text, .. } => text.len(),
        Block::ToolCall { input, .. } => input.to_string().len(),
        // counted as what it costs a model, not as its bytes
        Block::Image { .. } => 6_000,
    };
    match item {
        Item::User(blocks) | Item::Assistant(blocks) => blocks.iter().map(block).sum(),
        Item::ToolResults(results) => results.iter().map(|result| result.content.len()).sum(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::OffsetDateTime;
    use wire::turn::{Cause, TurnState, Usage};

    use super::*;

    const AGENT: Uuid = Uuid::from_u128(900);

    fn turn(id: u128, message: u128) -> Turn {
        Turn {
            id: Uuid::from_u128(id),
            chat_id: Uuid::nil(),
            thread_id: None,
            message_id: Uuid::from_u128(message),
            agent_id: AGENT,
            agent_name: "Planner".into(),
            state: TurnState::Running,
            cause: Cause::Person,
            skill: None,
            runtime: "loop".into(),
            model: "m".into(),
            iterations: 0,
            tool_calls: 0,
            usage: Usage::default(),
            error: None,
            queued_at: OffsetDateTime::UNIX_EPOCH,
            started_at: None,
            first_token_at: None,
            ended_at: None,
        }
    }

    fn said(id: u128, turn: Option<(u128, u128)>, words: &str) -> Said {
        Said {
            id: Uuid::from_u128(id),
            turn: turn.map(|(id, caused_by)| (Uuid::from_u128(id), Uuid::from_u128(caused_by))),
            agent_id: turn.map(|_| AGENT),
            name: "Sam".into(),
            note: false,
            parts: vec![Part::Text { id: "t0".into(), text: words.into() }],
        }
    }

    fn spoken(items: &[Item]) -> Vec<String> {
        let blocks = |blocks: &[Block]| match &blocks[0] {
            Block::Text { text } => text.clone(),
            other => format!("{other:?}"),
        };
        items
            .iter()
            .map(|item| match item {
                Item::User(said) => format!("user {}", blocks(said)),
                Item::Assistant(said) => format!("agent {}", blocks(said)),
                Item::ToolResults(results) => format!("results {}", results[0].content),
            })
            .collect()
    }

    #[test]
    fn each_message_is_followed_by_its_own_answer_and_those_behind_it_are_not_seen() {
        // three were sent at once; the first one's answer came after all of them
        let stored = Stored {
            said: vec![
                said(1, None, "one"),
                said(2, None, "two"),
                said(3, None, "three"),
                said(4, Some((11, 1)), "answer one"),
                said(5, Some((12, 2)), ""),
            ],
            steps: Vec::new(),
            calls: Vec::new(),
        };
        let items = items(&turn(12, 2), &stored);
        assert_eq!(spoken(&items), ["user one", "agent answer one", "user two"]);
    }

    #[test]
    fn a_turn_goes_on_from_its_stored_steps() {
        let call = Block::ToolCall { id: "c1".into(), name: "Read".into(), input: json!({}), malformed: None };
        let result = |id: &str, state| ToolCallRow {
            turn_id: Uuid::from_u128(12),
            id: id.into(),
            step: 1,
            name: "Read".into(),
            state,
            output: Some("text".into()),
        };
        let stored = Stored {
            said: vec![said(1, None, "one"), said(2, Some((12, 1)), "half")],
            steps: vec![StepRow { turn_id: Uuid::from_u128(12), number: 1, blocks: vec![text("I look."), call] }],
            calls: vec![result("c1", ToolState::Success), result("c2", ToolState::Active)],
        };
        let items = items(&turn(12, 1), &stored);
        assert_eq!(spoken(&items), ["user one", "agent I look.", "results text"]);
    }

    #[test]
    fn what_is_too_long_loses_its_beginning() {
        let long = "x".repeat(LONGEST / 2);
        let stored = Stored {
            said: vec![said(1, None, &long), said(2, None, &long), said(3, None, "now")],
            steps: Vec::new(),
            calls: Vec::new(),
        };
        let items = items(&turn(12, 3), &stored);
        assert_eq!(items.len(), 3);
        assert!(spoken(&items)[0].contains("left out"));
        assert_eq!(spoken(&items)[2], "user now");
    }
}
