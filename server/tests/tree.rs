//! Reads the source tree and holds the house rules that neither the compiler nor clippy can: who may know whom.

use std::{fs, path::Path};

/// A source file: its path from the root of the workspace, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

/// A rule speaks of the files under `room`, but not of those under `except`, and names words that must not stand there.
struct Rule {
    says: &'static str,
    /// Whether test files inside the room are left alone.
    tests_are_free: bool,
    room: &'static [&'static str],
    except: &'static [&'static str],
    words: &'static [&'static str],
}

const RULES: &[Rule] = &[
    Rule {
        says: "SQL stands only in server/engine/src/store",
        tests_are_free: true,
        room: &["app/", "server/"],
        // the benchmark looks at the store from outside, as a test does
        except: &["server/engine/src/store/", "server/engine/src/testing.rs", "server/bench/"],
        words: &["sqlx::query", "query!(", "query_as!(", "query_scalar!(", "QueryBuilder", "raw_sql"],
    },
    Rule {
        says: "only server/engine/src/workspace touches files",
        tests_are_free: true,
        room: &["server/engine/src/"],
        except: &["server/engine/src/workspace/", "server/engine/src/workspace.rs"],
        words: &["std::fs", "tokio::fs", "fs::read", "fs::write", "File::open", "File::create"],
    },
    Rule {
        says: "only server/engine/src/provider speaks to a model",
        tests_are_free: true,
        room: &["app/", "server/"],
        except: &[
            "server/engine/src/provider/",
            "server/engine/src/provider.rs",
            "server/scripted/",
            "server/tests/tree.rs",
        ],
        words: &["genai::"],
    },
    Rule {
        says: "the interface names the engine only in app/src/api",
        tests_are_free: false,
        room: &["app/src/"],
        except: &["app/src/api/", "app/src/api.rs"],
        words: &["engine::", "use engine", "extern crate engine"],
    },
    Rule {
        says: "the kit in app/src/ui knows no type of wire",
        tests_are_free: false,
        room: &["app/src/ui/", "app/src/ui.rs"],
        except: &[],
        words: &["wire::", "use wire"],
    },
    Rule {
        says: "features are told apart in app/src/lib.rs, app/src/live.rs and app/src/api alone",
        tests_are_free: false,
        room: &["app/src/"],
        except: &["app/src/lib.rs", "app/src/live.rs", "app/src/live/", "app/src/api/", "app/src/api.rs"],
        words: &[
            "cfg(feature",
            "cfg(not(feature",
            "cfg(any(feature",
            "cfg(all(feature",
            "cfg!(feature",
            "cfg_attr(feature",
        ],
    },
    Rule {
        says: "the engine's one feature is told apart in its lib.rs alone",
        tests_are_free: true,
        room: &["server/engine/src/"],
        except: &["server/engine/src/lib.rs"],
        words: &["cfg(feature", "cfg(any(test, feature", "cfg!(feature"],
    },
    Rule {
        says: "the engine and the wire know neither HTTP's server side nor the interface",
        tests_are_free: false,
        room: &["server/engine/src/", "app/wire/src/"],
        except: &[],
        words: &["axum::", "leptos::"],
    },
    Rule {
        says: "no test is left out",
        tests_are_free: false,
        room: &["app/", "server/"],
        except: &["server/tests/tree.rs"],
        words: &["#[ignore"],
    },
];

const LONGEST: usize = 500;
const NAMES_THAT_SAY_NOTHING: &[&str] = &["utils", "util", "helpers", "helper", "common", "manager", "misc"];

#[test]
fn the_tree_keeps_the_house_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace is above this crate");
    let mut sources = Vec::new();
    for room in ["app", "server"] {
        read(root, &root.join(room), &mut sources);
    }
    assert!(sources.iter().any(|source| source.path == "app/src/lib.rs"), "the tree was not found");
    assert!(sources.iter().any(|source| source.path == "server/engine/src/lib.rs"), "the tree was not found");
    let broken = broken(&sources);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn each_rule_can_be_broken() {
    let made_up = [
        ("server/src/api/chats.rs", "    sqlx::query!(\"select 1\")", "SQL stands only"),
        ("server/engine/src/turn/queue.rs", "let row = query_as!(Row, \"…\");", "SQL stands only"),
        ("server/engine/src/tool/read.rs", "std::fs::read_to_string(path)", "touches files"),
        ("server/engine/src/turn/step.rs", "use genai::Client;", "speaks to a model"),
        ("app/src/chat/composer.rs", "use engine::Engine;", "names the engine"),
        ("app/src/ui/chip.rs", "use wire::chat::Chat;", "no type of wire"),
        ("app/src/page/audit.rs", "#[cfg(feature = \"ssr\")]", "features are told apart"),
        ("server/engine/src/feed.rs", "#[cfg(any(test, feature = \"testing\"))]", "one feature"),
        ("server/engine/src/access.rs", "use axum::http::StatusCode;", "neither HTTP"),
        ("server/tests/api.rs", "#[ignore]", "no test is left out"),
        ("app/src/utils.rs", "", "says nothing"),
        ("app/src/long.rs", &"\n".repeat(LONGEST + 1), "longer than"),
    ];
    for (path, text, says) in made_up {
        let found = broken(&[Source { path: path.to_owned(), text: text.to_owned() }]);
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        assert!(found[0].contains(says), "{path}: {found:?}");
    }
}

#[test]
fn what_is_allowed_is_not_reported() {
    let made_up = [
        ("server/engine/src/store/chats.rs", "sqlx::query!(\"select 1\")"),
        ("server/engine/src/workspace/checkout.rs", "tokio::fs::write(path, body)"),
        ("server/engine/src/provider/genai.rs", "use genai::Client;"),
        ("app/src/api/chats.rs", "#[cfg(feature = \"ssr\")] use engine::Engine;"),
        ("app/src/chat/list.rs", "use wire::chat::Chat; // not engine::Chat"),
        ("server/engine/src/tool/tests.rs", "std::fs::write(path, body)"),
        ("server/engine/tests/queue.rs", "sqlx::query(\"select 1\")"),
        ("app/src/lib.rs", "#[cfg(feature = \"hydrate\")]"),
        ("server/engine/src/lib.rs", "#[cfg(any(test, feature = \"testing\"))]"),
    ];
    for (path, text) in made_up {
        let found = broken(&[Source { path: path.to_owned(), text: text.to_owned() }]);
        assert!(found.is_empty(), "{found:?}");
    }
}

/// Every place where a rule is broken, as `path:line: rule`.
fn broken(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for Source { path, text } in sources {
        let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if NAMES_THAT_SAY_NOTHING.contains(&stem) {
            found.push(format!("{path}: a file is named after what it holds; `{stem}` says nothing"));
        }
        let lines = text.lines().count();
        if lines > LONGEST {
            found.push(format!("{path}: {lines} lines, longer than {LONGEST}"));
        }
        // a room's tests may set the stage and look behind it
        let is_test = stem == "tests" || path.contains("/tests/") || path.ends_with("_tests.rs");
        for rule in RULES.iter().filter(|rule| rule.speaks_of(path) && !(is_test && rule.tests_are_free)) {
            for (number, line) in text.lines().enumerate() {
                let code = without_comment(line);
                if let Some(word) = rule.words.iter().find(|word| code.contains(**word)) {
                    found.push(format!("{path}:{}: {}, but here is `{word}`", number + 1, rule.says));
                }
            }
        }
    }
    found
}

impl Rule {
    fn speaks_of(&self, path: &str) -> bool {
        let under = |rooms: &[&str]| rooms.iter().any(|room| path.starts_with(room));
        under(self.room) && !under(self.except)
    }
}

/// The line up to a comment; the `//` of an address is none.
fn without_comment(line: &str) -> &str {
    let comment = line.match_indices("//").find(|(at, _)| !line[..*at].ends_with(':'));
    comment.map_or(line, |(at, _)| &line[..at])
}

fn read(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder of the tree can be read") {
        let path = entry.expect("an entry of the tree can be read").path();
        if path.is_dir() {
            read(root, &path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).expect("the tree is under its root");
            let name = name.to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(&path).expect("a source file is UTF-8");
            sources.push(Source { path: name, text });
        }
    }
}
