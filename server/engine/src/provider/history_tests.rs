use super::*;
use proptest::prelude::*;
use serde_json::json;

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn text(text: &str) -> Block {
    Block::Text { text: text.into() }
}

fn call(id: &str) -> Block {
    Block::ToolCall { id: id.into(), name: "Read".into(), input: json!({}), malformed: None }
}

fn result(id: &str, content: &str) -> ToolResult {
    ToolResult { call_id: id.into(), name: "Read".into(), content: content.into(), is_error: false }
}

fn cancelled(id: &str) -> ToolResult {
    ToolResult { is_error: true, ..result(id, CANCELLED) }
}

fn image(data: &str) -> Block {
    Block::Image { media_type: "image/jpeg".into(), data_base64: data.into() }
}

fn user(text_: &str) -> Item {
    Item::User(vec![text(text_)])
}

fn says(blocks: Vec<Block>) -> Item {
    Item::Assistant(blocks)
}

fn results(results: Vec<ToolResult>) -> Item {
    Item::ToolResults(results)
}

#[test]
fn cases() {
    let thought =
        Block::Reasoning { text: String::new(), signature: Some("s\0".into()), redacted: None, model: "m".into() };
    let cases: Vec<(&str, Vec<Item>, Vec<Item>)> = vec![
        ("nothing", vec![], vec![]),
        (
            "a valid history is kept",
            vec![
                user("a"),
                says(vec![thought.clone(), text("b"), call("1"), call("2")]),
                results(vec![result("1", "x"), result("2", "y")]),
                says(vec![text("c")]),
            ],
            vec![
                user("a"),
                says(vec![thought.clone(), text("b"), call("1"), call("2")]),
                results(vec![result("1", "x"), result("2", "y")]),
                says(vec![text("c")]),
            ],
        ),
        (
            "a stopped call gets a result",
            vec![user("a"), says(vec![call("1"), call("2")]), results(vec![result("1", "x")]), user("go on")],
            vec![
                user("a"),
                says(vec![call("1"), call("2")]),
                results(vec![result("1", "x"), cancelled("2")]),
                user("go on"),
            ],
        ),
        (
            "no results at all",
            vec![user("a"), says(vec![call("1")])],
            vec![user("a"), says(vec![call("1")]), results(vec![cancelled("1")])],
        ),
        (
            "results in another order, and after the next message",
            vec![
                user("a"),
                says(vec![call("1"), call("2")]),
                user("b"),
                results(vec![result("2", "y"), result("1", "x")]),
                user("c"),
            ],
            vec![
                user("a"),
                says(vec![call("1"), call("2")]),
                results(vec![result("1", "x"), result("2", "y")]),
                Item::User(vec![text("b"), text("c")]),
            ],
        ),
        (
            "results without a call, and one too many",
            vec![
                user("a"),
                results(vec![result("9", "x")]),
                says(vec![call("1")]),
                results(vec![result("1", "x"), result("1", "again")]),
            ],
            vec![user("a"), says(vec![call("1")]), results(vec![result("1", "x")])],
        ),
        (
            "text after a call comes after its result",
            vec![user("a"), says(vec![call("1"), text("b")]), results(vec![result("1", "x")])],
            vec![user("a"), says(vec![call("1")]), results(vec![result("1", "x")]), says(vec![text("b")])],
        ),
        (
            "reasoning keeps its place, also between calls",
            vec![
                user("a"),
                says(vec![thought.clone(), call("1"), thought.clone(), call("2")]),
                results(vec![result("1", "x"), result("2", "y")]),
            ],
            vec![
                user("a"),
                says(vec![thought.clone(), call("1"), thought.clone(), call("2")]),
                results(vec![result("1", "x"), result("2", "y")]),
            ],
        ),
        (
            "one id in every step",
            vec![
                user("a"),
                says(vec![call("0")]),
                results(vec![result("0", "x")]),
                says(vec![call("0")]),
                results(vec![result("0", "y")]),
            ],
            vec![
                user("a"),
                says(vec![call("0")]),
                results(vec![result("0", "x")]),
                says(vec![call("0_2")]),
                results(vec![result("0_2", "y")]),
            ],
        ),
        (
            "one id twice in a step",
            vec![user("a"), says(vec![call("0"), call("0")]), results(vec![result("0", "x"), result("0", "y")])],
            vec![user("a"), says(vec![call("0"), call("0_2")]), results(vec![result("0", "x"), result("0_2", "y")])],
        ),
        (
            "ids that one provider takes and the other does not",
            vec![
                user("a"),
                says(vec![call("functions.Read:0"), call("")]),
                results(vec![result("functions.Read:0", "x")]),
            ],
            vec![
                user("a"),
                says(vec![call("functions_Read_0"), call("call")]),
                results(vec![result("functions_Read_0", "x"), cancelled("call")]),
            ],
        ),
        (
            "blank and empty messages",
            vec![
                user("a"),
                says(vec![text(" \n")]),
                user("  "),
                says(vec![]),
                Item::User(vec![text("b"), text("")]),
                results(vec![]),
            ],
            vec![Item::User(vec![text("a"), text("b")])],
        ),
        (
            "the assistant begins",
            vec![says(vec![text("a")]), says(vec![text("b")])],
            vec![user("(The beginning of the conversation is not shown.)"), says(vec![text("a"), text("b")])],
        ),
        (
            "NUL and blank results",
            vec![user("a\0b"), says(vec![call("1"), call("2")]), results(vec![result("1", "\0"), result("2", "")])],
            vec![
                user("a\u{fffd}b"),
                says(vec![call("1"), call("2")]),
                results(vec![result("1", "\u{fffd}"), result("2", "(no output)")]),
            ],
        ),
        (
            "images by their content",
            vec![Item::User(vec![image(PNG), image(&PNG[..40]), image("PHN2Zy8+")])],
            vec![Item::User(vec![
                Block::Image { media_type: "image/png".into(), data_base64: PNG.into() },
                text("[Image left out: it is cut short or damaged.]"),
                text("<svg/>"),
            ])],
        ),
    ];
    for (name, before, after) in cases {
        assert_eq!(mend(before), after, "{name}");
    }
}

#[test]
fn inputs_become_objects() {
    for (input, expected) in [
        (json!({"a": 1}), json!({"a": 1})),
        (json!("{\"a\":\"\\u0000\"}"), json!({"a": "\u{fffd}"})),
        (json!("{}{}"), json!({})),
        (json!(null), json!({})),
        (json!([1]), json!({})),
    ] {
        let call = Block::ToolCall { id: "1".into(), name: "a b".into(), input, malformed: Some("{}{}".into()) };
        let mended = mend(vec![user("a"), says(vec![call])]);
        let expected =
            Block::ToolCall { id: "1".into(), name: "a_b".into(), input: expected, malformed: Some("{}{}".into()) };
        assert_eq!(mended[1], says(vec![expected]));
    }
}

#[test]
fn long_texts_are_cut_between_characters() {
    for shift in 0..4 {
        let long = format!("{}{}", "x".repeat(shift), "👩".repeat(LONGEST_TEXT / 4 + 1));
        let mended = mend(vec![user(&long), says(vec![call("1")]), results(vec![result("1", &long)])]);
        let [Item::User(blocks), _, Item::ToolResults(results)] = mended.as_slice() else { panic!("three items") };
        let Block::Text { text } = &blocks[0] else { panic!("a text") };
        for (text, longest) in [(text, LONGEST_TEXT), (&results[0].content, LONGEST_RESULT)] {
            assert!(text.len() <= longest && text.len() > longest - 80, "{}", text.len());
            let (kept, _) = text.split_once("\n[Cut here: ").expect("a note");
            assert!(long.starts_with(kept));
        }
        assert_eq!(mend(mended.clone()), mended);
    }
}

#[test]
fn images_can_be_stripped() {
    let stripped = without_images(vec![Item::User(vec![text("look"), image(PNG)])]);
    assert_eq!(stripped, [Item::User(vec![text("look"), text("[Image left out: the provider could not read it.]")])]);
}

/// The rules, told independently of the code above.
fn check(items: &[Item]) -> Result<(), String> {
    let mut ids = HashSet::new();
    let mut open: Vec<&str> = vec![];
    if !matches!(items.first(), None | Some(Item::User(_))) {
        return Err("the first item is not the user's".into());
    }
    for (number, item) in items.iter().enumerate() {
        let after = number.checked_sub(1).map(|before| &items[before]);
        match (after, item) {
            (Some(Item::User(_)), Item::User(_)) => return Err(format!("{number}: user after user")),
            (Some(Item::Assistant(_)), Item::Assistant(_)) => {
                return Err(format!("{number}: assistant after assistant"));
            }
            _ => {}
        }
        if let Item::ToolResults(results) = item {
            let given: Vec<&str> = results.iter().map(|result| result.call_id.as_str()).collect();
            if given != open || given.is_empty() {
                return Err(format!("{number}: results {given:?} for calls {open:?}"));
            }
            open.clear();
            if results.iter().any(|result| result.content.trim().is_empty() || result.content.contains('\0')) {
                return Err(format!("{number}: blank result or NUL"));
            }
            continue;
        }
        if !open.is_empty() {
            return Err(format!("{number}: no results for {open:?}"));
        }
        let (Item::User(blocks) | Item::Assistant(blocks)) = item else { continue };
        if blocks.is_empty() {
            return Err(format!("{number}: empty"));
        }
        for block in blocks {
            match (item, block) {
                (Item::Assistant(_), Block::ToolCall { id, name, input, .. }) => {
                    let plain =
                        |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
                    if !ids.insert(id.clone()) || id.is_empty() || id.len() > 40 || !plain(id) {
                        return Err(format!("{number}: id {id}"));
                    }
                    if name.is_empty() || !plain(name) || !input.is_object() || input.to_string().contains("\\u0000") {
                        return Err(format!("{number}: call {name} {input}"));
                    }
                    open.push(id);
                }
                (Item::Assistant(_), Block::Text { .. }) if !open.is_empty() => {
                    return Err(format!("{number}: text after a call"));
                }
                (_, Block::Text { text }) if text.trim().is_empty() || text.contains('\0') => {
                    return Err(format!("{number}: blank text or NUL"));
                }
                (_, Block::Text { .. })
                | (Item::User(_), Block::Image { .. })
                | (Item::Assistant(_), Block::Reasoning { .. }) => {}
                (_, other) => return Err(format!("{number}: misplaced {other:?}")),
            }
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("no results for {open:?}")) }
}

fn some_text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), Just(" \n\u{a0}".into()), Just("a\0".into()), "[a-z计👩]{1,4}"]
}

fn some_id() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[ab]", Just("a_2".into()), Just("a:1".into()), Just("a_1".into()), "[ab]{38,43}"]
}

fn some_block() -> impl Strategy<Value = Block> {
    let input = prop_oneof![Just(json!({"a": "\0"})), Just(json!(null)), Just(json!("{}")), Just(json!([]))];
    prop_oneof![
        some_text().prop_map(|text| Block::Text { text }),
        (some_id(), some_text(), input).prop_map(|(id, name, input)| Block::ToolCall {
            id,
            name,
            input,
            malformed: None
        }),
        (some_text(), prop::option::of(some_text()), prop::option::of(some_text()))
            .prop_map(|(text, signature, redacted)| Block::Reasoning { text, signature, redacted, model: "m".into() }),
        prop::sample::select(vec![PNG, "", "PHN2Zy8+", "iVBORw0K"]).prop_map(image),
    ]
}

fn some_item() -> impl Strategy<Value = Item> {
    let result = (some_id(), some_text(), any::<bool>()).prop_map(|(call_id, content, is_error)| ToolResult {
        call_id,
        name: "Read".into(),
        content,
        is_error,
    });
    prop_oneof![
        prop::collection::vec(some_block(), 0..4).prop_map(Item::User),
        prop::collection::vec(some_block(), 0..6).prop_map(Item::Assistant),
        prop::collection::vec(result, 0..4).prop_map(Item::ToolResults),
    ]
}

/// What must come through: texts that say something, and opaque data.
fn treasures(items: &[Item]) -> Vec<String> {
    let mut treasures: Vec<String> = items
        .iter()
        .flat_map(|item| match item {
            Item::User(blocks) => blocks.iter().filter(|block| matches!(block, Block::Text { .. })).collect::<Vec<_>>(),
            Item::Assistant(blocks) => {
                blocks.iter().filter(|block| !matches!(block, Block::ToolCall { .. } | Block::Image { .. })).collect()
            }
            Item::ToolResults(_) => vec![],
        })
        .filter_map(|block| match block {
            Block::Text { text } if text.starts_with(['[', '<', '(']) => None,
            Block::Text { text } => Some(text.replace('\0', "\u{fffd}")).filter(|text| !text.trim().is_empty()),
            Block::Reasoning { text, signature: None, redacted: None, .. } if text.is_empty() => None,
            other => Some(format!("{other:?}")),
        })
        .collect();
    treasures.sort();
    treasures
}

proptest! {
    #[test]
    fn anything_becomes_valid(items in prop::collection::vec(some_item(), 0..10)) {
        let once = mend(items.clone());
        prop_assert_eq!(check(&once), Ok(()), "{:#?}", once);
        prop_assert_eq!(treasures(&once), treasures(&items));
        let calls = |items: &[Item]| items.iter().map(|item| match item {
            Item::Assistant(blocks) => blocks.iter().filter(|block| matches!(block, Block::ToolCall { .. })).count(),
            Item::User(_) | Item::ToolResults(_) => 0,
        }).sum::<usize>();
        prop_assert_eq!(calls(&once), calls(&items));
        prop_assert_eq!(mend(once.clone()), once);
    }
}
