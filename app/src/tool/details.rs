use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;
use wire::message::{ToolCall, ToolState};

use super::{measure, output::Output, todo};
use crate::record::lines;
use crate::ui::DiffView;

/// An opened card: what went in, what came out, how long it took and how large it is.
#[component]
pub fn Details(call: Arc<ToolCall>) -> impl IntoView {
    let failed = matches!(call.state, ToolState::Error | ToolState::Cancelled);
    let body = match call.name.as_str() {
        "Edit" if call.diff.is_some() => diff(&call),
        "Write" => match text(&call.input, "content") {
            Some(content) => written(&call, content),
            None => plain(&call),
        },
        "Read" | "Glob" | "Grep" | "fetch_related_planning_artifacts" => out(&call),
        "TodoWrite" => view! { <todo::TodoList items=todo::items(&call.input) /> }.into_any(),
        _ => plain(&call),
    };
    let error = (failed
        && !matches!(call.name.as_str(), "Read" | "Glob" | "Grep" | "fetch_related_planning_artifacts"))
    .then(|| call.output.clone())
    .flatten()
    .map(|output| view! { <Output text=output label="What went wrong" /> });
    view! {
        <div class="details">
            {error}
            {body}
            <p class="card-foot">
                {took(&call)}
                {call.output.as_ref().map(|output| view! { <span>{measure::size(output.len())}</span> })}
                {call.truncated.then(|| view! { <span>"The agent was given the beginning only, and how to read the rest."</span> })}
            </p>
        </div>
    }
}

fn took(call: &ToolCall) -> Option<AnyView> {
    let took = call.ended_at? - call.started_at?;
    Some(view! { <span>{measure::duration(took)}</span> }.into_any())
}

fn text<'a>(input: &'a Value, field: &str) -> Option<&'a str> {
    input.get(field).and_then(Value::as_str)
}

fn diff(call: &ToolCall) -> AnyView {
    let Some(diff) = &call.diff else { return ().into_any() };
    let hunks: Vec<_> = diff.hunks.iter().map(lines).collect();
    view! {
        {diff.coarse.then(|| view! { <p class="card-note">"Too large to compare word by word."</p> })}
        <DiffView hunks />
    }
    .into_any()
}

/// A file that was written: its text, or what changed where there was one before.
fn written(call: &ToolCall, content: &str) -> AnyView {
    if call.diff.as_ref().is_some_and(|found| found.removed > 0) {
        return diff(call);
    }
    view! { <Output text=content.to_owned() label="File" /> }.into_any()
}

fn out(call: &ToolCall) -> AnyView {
    let asked = arguments(&call.input);
    view! {
        {asked}
        {call.output.clone().map(|output| view! { <Output text=output label="Output" /> })}
    }
    .into_any()
}

/// Arguments of one line each, as a list of words.
fn arguments(input: &Value) -> Option<AnyView> {
    let fields = input.as_object()?;
    let shown: Vec<_> = fields
        .iter()
        .filter_map(|(name, value)| {
            let value = match value {
                Value::Null => return None,
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            Some(view! { <dt>{name.clone()}</dt> <dd dir="auto">{value}</dd> })
        })
        .collect();
    (!shown.is_empty()).then(|| view! { <dl class="arguments">{shown}</dl> }.into_any())
}

/// Any other tool: its arguments and its answer, set out where they are JSON.
fn plain(call: &ToolCall) -> AnyView {
    let input = match &call.input {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Object(fields) if fields.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        other => serde_json::to_string_pretty(other).ok(),
    };
    let output = call.output.as_ref().filter(|_| call.state == ToolState::Success).map(|output| {
        serde_json::from_str::<Value>(output)
            .ok()
            .filter(|value| value.is_object() || value.is_array())
            .and_then(|value| serde_json::to_string_pretty(&value).ok())
            .unwrap_or_else(|| output.clone())
    });
    view! {
        {input.map(|input| view! { <h4>"Input"</h4> <Output text=input label="Input" /> })}
        {output.map(|output| view! { <h4>"Output"</h4> <Output text=output label="Output" /> })}
    }
    .into_any()
}
