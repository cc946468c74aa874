use leptos::prelude::*;
use serde_json::Value;
use wire::tool::{TodoItem, TodoState};

/// The items of a `TodoWrite`, as far as its arguments say them.
#[must_use]
pub fn items(input: &Value) -> Vec<TodoItem> {
    let Some(items) = input.get("items").and_then(Value::as_array) else { return Vec::new() };
    items.iter().filter_map(|item| serde_json::from_value(item.clone()).ok()).collect()
}

/// `1 of 3`.
#[must_use]
pub fn progress(items: &[TodoItem]) -> String {
    let done = items.iter().filter(|item| item.state == TodoState::Done).count();
    format!("{done} of {}", items.len())
}

/// The list itself.
#[component]
pub fn TodoList(items: Vec<TodoItem>) -> impl IntoView {
    view! {
        <ul class="todo plain">
            {items
                .into_iter()
                .map(|item| {
                    let (class, said) = match item.state {
                        TodoState::Pending => ("pending", "to do: "),
                        TodoState::Active => ("now", "now: "),
                        TodoState::Done => ("done", "done: "),
                    };
                    view! {
                        <li class=class>
                            <i aria-hidden="true"></i>
                            <span dir="auto">
                                <span class="unseen">{said}</span>
                                {item.text}
                            </span>
                        </li>
                    }
                })
                .collect_view()}
        </ul>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_counts_what_is_done() {
        let input = json!({"items": [{"text": "a", "state": "done"}, {"text": "b", "state": "active"}, {"text": "c", "state": "pending"}]});
        assert_eq!(progress(&items(&input)), "1 of 3");
        // while the arguments stream in they are a text
        assert!(items(&json!("{\"items\": [")).is_empty());
        assert_eq!(items(&json!({"items": [{"text": "a"}, {"text": "b", "state": "done"}]})).len(), 1);
    }
}
