use serde_json::json;

use super::plan::{Step, next};
use super::seen::{Done, Seen};

fn seen(request: &str, done: Vec<(&str, serde_json::Value, &str)>) -> Seen {
    Seen {
        request: request.into(),
        done: done
            .into_iter()
            .map(|(name, input, result)| Done { name: name.into(), input, result: result.into(), is_error: false })
            .collect(),
        calls_before: 0,
        anchor: Some("plans/csv.md".into()),
        tools: ["Read", "Glob", "Grep", "Edit", "Write", "TodoWrite"].map(str::to_owned).to_vec(),
    }
}

const TYPO: &str = r#"Fix the typo on the third acceptance criterion. "Downlaod" should be "download.""#;

#[test]
fn a_typo_is_found_then_mended_then_told() {
    let grep = json!({"pattern": "Downlaod"});
    assert_eq!(next(&seen(TYPO, vec![])), Step::Call(vec![("Grep", grep.clone())]));
    let found = "plans/csv.md:9: 3. Downlaod the CSV.\nplans/other.md:2: Downlaod: x";
    let edit = json!({"path": "plans/csv.md", "old": "Downlaod", "new": "download"});
    let after_grep = vec![("Grep", grep.clone(), found)];
    assert_eq!(next(&seen(TYPO, after_grep.clone())), Step::Call(vec![("Edit", edit.clone())]));
    let mut after_edit = after_grep;
    after_edit.push(("Edit", edit, "Changed"));
    let Step::Say(said) = next(&seen(TYPO, after_edit)) else { unreachable!("an answer") };
    assert_eq!(said.lines().count(), 1);
}

#[test]
fn of_several_places_the_counted_one_is_meant_and_else_the_person_is_asked() {
    let found = "plans/csv.md:8: 2. Downlaod it.\nplans/csv.md:9: 3. Downlaod: a CSV.";
    let done = vec![("Grep", json!({}), found)];
    let edit = json!({"path": "plans/csv.md", "old": "3. Downlaod: a CSV.", "new": "3. download: a CSV."});
    assert_eq!(next(&seen(TYPO, done.clone())), Step::Call(vec![("Edit", edit)]));
    let Step::Say(asked) = next(&seen("fix Downlaod to download", done)) else { unreachable!("an answer") };
    assert!(asked.contains("line 8") && asked.contains("line 9"), "{asked}");
}

#[test]
fn what_is_not_there_is_said() {
    let done = vec![("Grep", json!({}), "No line matches in 3 files.")];
    assert_eq!(next(&seen("fix a to b", done)), Step::Say("I found “a” in no file of this chat.".into()));
}

#[test]
fn plans_are_written_in_one_step_and_over_no_other() {
    let request = "Draft two plans. One for the server endpoint, one for the download button.";
    let spec = "---\nid: x\ntitle: CSV export\n---\n\n# CSV export\n\nCustomers want their data.\n\n- A server endpoint streams rows\n- A button\n";
    let done = vec![("Read", json!({}), spec), ("Glob", json!({}), "plans/csv.md\nplans/download-button.md")];
    let Step::Call(calls) = next(&seen(request, done)) else { unreachable!("calls") };
    let paths: Vec<&str> = calls.iter().map(|(_, input)| input["path"].as_str().unwrap_or_default()).collect();
    assert_eq!(paths, ["plans/server-endpoint.md", "plans/download-button-2.md"]);
    let content = calls[0].1["content"].as_str().unwrap_or_default();
    assert!(content.starts_with("---\ntitle: \"Server endpoint\"\nkind: plan\nstatus: draft\n---\n"), "{content}");
    assert!(content.contains("Customers want their data.") && content.contains("- A server endpoint streams rows"));
}

#[test]
fn where_a_tool_is_missing_it_is_said() {
    let mut ask = seen(TYPO, vec![]);
    ask.tools = vec!["Read".into()];
    let Step::Say(said) = next(&ask) else { unreachable!("an answer") };
    assert!(said.contains("Edit"));
}

#[test]
fn anything_else_is_answered_with_what_it_can_do() {
    let Step::Say(said) = next(&seen("Write me a poem", vec![])) else { unreachable!("an answer") };
    assert!(said.contains("demo runtime, not a model") && said.contains("list"));
}
