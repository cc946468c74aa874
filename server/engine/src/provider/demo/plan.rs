use serde_json::json;

use super::request::Wish;
use super::seen::Seen;
use super::{Call, draft, fix};

/// What comes next.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Say(String),
    Call(Vec<Call>),
}

/// What the demo can do, for whoever asks for something else.
const ABILITIES: &str = "I am the demo runtime, not a model: no model is configured. I can follow a few plain requests:\n\n\
    - “Downlaod” should be “download”, or: fix Downlaod to download\n\
    - Draft two plans for this initiative. One for the endpoint, one for the button.\n\
    - list\n\
    - todo: first step; second step\n\n\
    To talk to a model, set ANTHROPIC_API_KEY or OPENAI_API_KEY and start Confab again.";

pub(super) fn next(seen: &Seen) -> Step {
    match Wish::parse(&seen.request) {
        Wish::Fix { old, new, nth } => fix::next(seen, &old, &new, nth),
        Wish::Draft(parts) => draft::next(seen, &parts),
        Wish::List => list(seen),
        Wish::Todo(items) => todo(seen, &items),
        Wish::Unknown => Step::Say(ABILITIES.to_owned()),
    }
}

/// What is said where a tool is missing.
pub(super) fn without(tool: &str) -> Step {
    Step::Say(format!("That needs the tool {tool}, which this chat does not have: I can only read and answer here."))
}

fn list(seen: &Seen) -> Step {
    match seen.last("Glob") {
        None if !seen.may("Glob") => without("Glob"),
        None => Step::Call(vec![("Glob", json!({"pattern": "**/*.md"}))]),
        Some(found) if found.is_error => Step::Say(found.result.clone()),
        Some(found) => {
            let files: Vec<String> =
                found.result.lines().filter(|line| line.ends_with(".md")).map(|line| format!("- `{line}`")).collect();
            match files.len() {
                0 => Step::Say("There are no files here.".to_owned()),
                1 => Step::Say(format!("There is 1 file:\n\n{}", files[0])),
                count => Step::Say(format!("There are {count} files:\n\n{}", files.join("\n"))),
            }
        }
    }
}

fn todo(seen: &Seen, items: &[String]) -> Step {
    match seen.last("TodoWrite") {
        None if !seen.may("TodoWrite") => without("TodoWrite"),
        None => {
            let items: Vec<_> = items.iter().map(|text| json!({"text": text, "state": "pending"})).collect();
            Step::Call(vec![("TodoWrite", json!({"items": items}))])
        }
        Some(done) if done.is_error => Step::Say(done.result.clone()),
        Some(_) if items.len() == 1 => Step::Say("The list has 1 step.".to_owned()),
        Some(_) => Step::Say(format!("The list has {} steps.", items.len())),
    }
}
