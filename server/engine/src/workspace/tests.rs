//! Checkouts and what is read back after them, in real folders.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use uuid::Uuid;
use wire::message::RefusedFile;
use wire::record::RecordKind;

use super::*;
use crate::record::Content;

fn plan_file(n: u128, slug: &str, version: i32, body: &str) -> RecordFile {
    RecordFile {
        id: Uuid::from_u128(n),
        kind: RecordKind::Plan,
        slug: slug.to_owned(),
        parent_id: Some(Uuid::from_u128(1)),
        version,
        content: Content { title: slug.to_owned(), status: "draft".to_owned(), severity: None, body: body.to_owned() },
    }
}

const ANCHOR: Anchor = Anchor { id: Uuid::from_u128(1), kind: RecordKind::Initiative, parent_id: None };

struct Bench {
    root: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        Bench { root: tempfile::tempdir().unwrap() }
    }

    fn checkout(&self, turn: u128, records: Vec<RecordFile>) -> Workspace {
        Workspace::checkout(self.root.path(), Uuid::from_u128(turn), Some(ANCHOR), records).unwrap()
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join("files").join(path)
    }

    fn inode(&self, path: &str) -> u64 {
        std::os::unix::fs::MetadataExt::ino(&fs::metadata(self.at(path)).unwrap())
    }
}

fn paths(set: &ChangeSet) -> Vec<String> {
    let mut paths: Vec<String> = set.changed.iter().map(|file| format!("changed {}", file.path)).collect();
    paths.extend(set.created.iter().map(|file| format!("created {}", file.path)));
    paths.extend(set.deleted.iter().map(|file| format!("deleted {}", file.path)));
    paths.extend(
        set.refused.iter().map(|file| format!("refused {}{}", file.path, if file.again { " again" } else { "" })),
    );
    paths
}

#[test]
fn a_checkout_holds_the_records_and_nothing_else() {
    let bench = Bench::new();
    let first = bench.checkout(1, vec![plan_file(2, "a", 1, "A"), plan_file(3, "b", 1, "B")]);
    assert_eq!(paths(&first.read_back().unwrap()), [""; 0]);
    fs::write(bench.at("plans/new.md"), "# New").unwrap();
    fs::create_dir_all(bench.at("plans/sub/deep")).unwrap();
    fs::create_dir(bench.at(".git")).unwrap();
    fs::write(bench.at("bugs/.x.md.swp"), "x").unwrap();
    fs::write(bench.at("top.md"), "x").unwrap();
    let second = bench.checkout(2, vec![plan_file(2, "a", 1, "A")]);
    let all = second.files().walk(100).unwrap();
    assert_eq!(all.iter().map(WorkspacePath::as_str).collect::<Vec<_>>(), ["plans/a.md"]);
    assert_eq!(fs::read_dir(bench.at("")).unwrap().count(), 4);
    assert_eq!(fs::read_dir(bench.at("bugs")).unwrap().count(), 0);
    assert_eq!(paths(&second.read_back().unwrap()), [""; 0]);
}

#[test]
fn what_already_is_as_it_should_be_is_not_written_again() {
    let bench = Bench::new();
    let records = || vec![plan_file(2, "a", 1, "A"), plan_file(3, "b", 1, "B"), plan_file(4, "c", 1, "C")];
    bench.checkout(1, records());
    settle();
    bench.checkout(2, records());
    let before = (bench.inode("plans/a.md"), bench.inode("plans/b.md"), bench.inode("plans/c.md"));
    settle();
    fs::write(bench.at("plans/b.md"), "scribbled").unwrap();
    let mut next = records();
    next[2].content.body = "C, by a person".to_owned();
    next[2].version = 2;
    let workspace = bench.checkout(3, next);
    assert_eq!(bench.inode("plans/a.md"), before.0);
    assert_ne!(bench.inode("plans/b.md"), before.1);
    assert_ne!(bench.inode("plans/c.md"), before.2);
    assert!(fs::read_to_string(bench.at("plans/b.md")).unwrap().ends_with("\n\nB"));
    assert_eq!(paths(&workspace.read_back().unwrap()), [""; 0]);
}

/// Waits until the file system's clock is so far past the last write that stamps prove something.
fn settle() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::open(folder.path()).unwrap();
    let first = files.mark(".x", b"").unwrap().changed;
    while files.mark(".x", b"").unwrap().changed < first + 60_000_000 {}
}

#[test]
fn a_change_within_the_same_tick_and_of_the_same_size_is_seen() {
    let bench = Bench::new();
    for turn in 1..50 {
        let workspace = bench.checkout(turn, vec![plan_file(2, "a", 1, "one")]);
        let path = bench.at("plans/a.md");
        let text = fs::read_to_string(&path).unwrap().replace("one", "two");
        let times = fs::metadata(&path).unwrap().modified().unwrap();
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        std::io::Write::write_all(&mut &file, text.as_bytes()).unwrap();
        file.set_modified(times).unwrap();
        assert_eq!(paths(&workspace.read_back().unwrap()), ["changed plans/a.md"]);
    }
}

#[test]
fn another_process_picks_the_workspace_up() {
    let bench = Bench::new();
    bench.checkout(1, vec![plan_file(2, "a", 7, "A")]);
    fs::write(bench.at("plans/new.md"), "# New").unwrap();
    let picked = Workspace::open(bench.root.path(), Uuid::from_u128(1)).unwrap();
    assert_eq!(paths(&picked.read_back().unwrap()), ["created plans/new.md"]);
    assert_eq!(picked.manifest().entries[0].version, 7);
    assert!(matches!(Workspace::open(bench.root.path(), Uuid::from_u128(2)), Err(CheckoutError::Missing)));
    Workspace::release(bench.root.path()).unwrap();
    assert!(matches!(Workspace::open(bench.root.path(), Uuid::from_u128(1)), Err(CheckoutError::Missing)));
    Workspace::release(bench.root.path()).unwrap();
}

#[test]
fn a_folder_that_cannot_be_trusted_stops_the_sweep() {
    let changed = |bench: &Bench| {
        let workspace = bench.checkout(1, vec![plan_file(2, "a", 1, "A"), plan_file(3, "b", 1, "B")]);
        fs::write(bench.at("plans/a.md"), "changed").unwrap();
        workspace
    };
    let bench = Bench::new();
    let workspace = changed(&bench);
    fs::remove_dir_all(bench.at("")).unwrap();
    assert!(matches!(workspace.read_back(), Err(ListingError::Missing)));
    fs::create_dir(bench.at("")).unwrap();
    assert!(matches!(workspace.read_back(), Err(ListingError::Foreign)));
    for kind in RecordKind::ALL {
        fs::create_dir(bench.at(kind.folder())).unwrap();
    }
    assert!(matches!(workspace.read_back(), Err(ListingError::Foreign)));

    let bench = Bench::new();
    let workspace = changed(&bench);
    fs::write(bench.at(".workspace"), "another").unwrap();
    assert!(matches!(workspace.read_back(), Err(ListingError::Foreign)));

    let bench = Bench::new();
    let workspace = changed(&bench);
    fs::remove_dir_all(bench.at("")).unwrap();
    fs::write(bench.at(""), "a file").unwrap_or_else(|_| fs::write(bench.root.path().join("files"), "a file").unwrap());
    assert!(matches!(workspace.read_back(), Err(ListingError::Incomplete { .. })));
}

#[test]
fn many_deleted_files_delete_nothing() {
    let bench = Bench::new();
    let records: Vec<RecordFile> = (2..300).map(|n| plan_file(n, &format!("p{n}"), 1, "x")).collect();
    let workspace = bench.checkout(1, records.clone());
    fs::remove_dir_all(bench.at("plans")).unwrap();
    let set = workspace.read_back().unwrap();
    assert_eq!(set.deleted.len(), records.len());
    assert!(set.changed.is_empty() && set.created.is_empty() && set.refused.is_empty());
    let next = bench.checkout(2, records);
    assert_eq!(paths(&next.read_back().unwrap()), [""; 0]);
}

fn keep(workspace: &Workspace, set: &ChangeSet) {
    let refused: Vec<RefusedFile> =
        set.refused.iter().map(|file| RefusedFile { path: file.path.clone(), reason: file.reason.clone() }).collect();
    workspace.keep(set, &refused).unwrap();
}

#[test]
fn a_refused_file_waits_for_the_next_turn_and_keeps_its_base() {
    let bench = Bench::new();
    let workspace = bench.checkout(1, vec![plan_file(2, "a", 1, "old"), plan_file(3, "b", 1, "B")]);
    let good = fs::read_to_string(bench.at("plans/a.md")).unwrap().replace("old", "new");
    fs::write(bench.at("plans/a.md"), good.replace("title: a", "title: Re: a")).unwrap();
    fs::write(bench.at("plans/c.md"), "---\nstatus: wrong\n---\nC").unwrap();
    fs::write(bench.at("notes.md"), "notes").unwrap();
    let set = workspace.read_back().unwrap();
    assert_eq!(paths(&set), ["refused notes.md", "refused plans/a.md", "refused plans/c.md"]);
    keep(&workspace, &set);

    // a person saved the record meanwhile; the file waits, and is not told again
    let workspace = bench.checkout(2, vec![plan_file(2, "a", 5, "by a person"), plan_file(3, "b", 1, "B")]);
    assert_eq!(
        workspace.kept().iter().map(|kept| kept.path.as_str()).collect::<Vec<_>>(),
        ["notes.md", "plans/a.md", "plans/c.md"]
    );
    let set = workspace.read_back().unwrap();
    assert_eq!(paths(&set), ["refused notes.md again", "refused plans/a.md again", "refused plans/c.md again"]);
    assert!(set.is_empty());
    keep(&workspace, &set);

    // the agent mends them: the text still comes from the version it was written against
    let workspace = bench.checkout(3, vec![plan_file(2, "a", 5, "by a person"), plan_file(3, "b", 1, "B")]);
    fs::write(bench.at("plans/a.md"), &good).unwrap();
    fs::write(bench.at("plans/c.md"), "# C").unwrap();
    let set = workspace.read_back().unwrap();
    assert_eq!(paths(&set), ["changed plans/a.md", "created plans/c.md", "refused notes.md again"]);
    assert_eq!((set.changed[0].base_version, set.changed[0].content.body.as_str()), (1, "new"));
    keep(&workspace, &set);

    let workspace = bench.checkout(4, vec![plan_file(2, "a", 6, "merged")]);
    assert!(fs::read_to_string(bench.at("plans/a.md")).unwrap().ends_with("merged"));
    assert_eq!(workspace.kept().len(), 1);
}

#[test]
fn slugs_are_cleaned_and_told_apart() {
    let bench = Bench::new();
    let records = vec![
        plan_file(2, "../../etc/x", 1, ""),
        plan_file(3, "a b", 1, ""),
        plan_file(4, "A-b", 1, ""),
        plan_file(5, "", 1, ""),
        plan_file(6, &"é".repeat(300), 1, ""),
    ];
    let workspace = bench.checkout(1, records);
    let all: Vec<String> = workspace.files().walk(100).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(all.len(), 5, "{all:?}");
    assert!(all.iter().all(|path| path.starts_with("plans/") && path.len() < 140));
    assert!(all.contains(&"plans/a-b.md".to_owned()));
    assert_eq!(paths(&workspace.read_back().unwrap()), [""; 0]);
}

#[test]
fn only_what_moved_is_opened() {
    let bench = Bench::new();
    let records: Vec<RecordFile> = (2..1_002).map(|n| plan_file(n, &format!("p{n}"), 1, "body\n")).collect();
    bench.checkout(1, records.clone());
    settle();
    let workspace = bench.checkout(2, records);
    fs::write(bench.at("plans/p500.md"), "# Changed").unwrap();
    // unreadable files that need not be read do no harm: what is opened is the one that moved
    let manifest = workspace.manifest();
    let listed = workspace.files().list(Some("plans")).unwrap();
    let opened = listed
        .iter()
        .filter(|found| {
            !manifest
                .entry(&format!("plans/{}", found.name))
                .is_some_and(|entry| manifest.is_untouched(entry, found.stamp))
        })
        .count();
    assert_eq!(opened, 1);
    assert_eq!(paths(&workspace.read_back().unwrap()), ["changed plans/p500.md"]);
}

/// Something an agent may do to a workspace of four plans.
#[derive(Clone, Debug)]
enum Deed {
    Write(usize, String),
    Delete(usize),
    Move(usize, usize),
    Copy(usize, usize),
}

const NAMES: [&str; 7] =
    ["plans/a.md", "plans/b.md", "plans/c.md", "plans/new.md", "plans/A.md", "bugs/b.md", "top.md"];

fn deed() -> impl Strategy<Value = Deed> {
    let name = 0..NAMES.len();
    let text = prop_oneof![
        "(---\n(id: 00000000-0000-0000-0000-00000000000[0-9]\n)?(title: [a-z:\\[]{0,3}\n)?(status: (draft|ready|x)\n)?---\n)?[a-z\n]{0,6}",
        "\\PC{0,10}",
    ];
    prop_oneof![
        (name.clone(), text).prop_map(|(at, text)| Deed::Write(at, text)),
        name.clone().prop_map(Deed::Delete),
        (name.clone(), name.clone()).prop_map(|(from, to)| Deed::Move(from, to)),
        (name.clone(), name).prop_map(|(from, to)| Deed::Copy(from, to)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever an agent does: no record is taken twice, none vanishes without a word, and every file is accounted for.
    #[test]
    fn every_record_and_every_file_is_accounted_for(deeds in proptest::collection::vec(deed(), 0..8)) {
        let bench = Bench::new();
        let workspace = bench.checkout(1, vec![plan_file(2, "a", 1, "A\n"), plan_file(3, "b", 1, "B\n"), plan_file(4, "c", 1, "C\n")]);
        for deed in &deeds {
            let _ = match deed {
                Deed::Write(at, text) => fs::write(bench.at(NAMES[*at]), text),
                Deed::Delete(at) => fs::remove_file(bench.at(NAMES[*at])),
                Deed::Move(from, to) => fs::rename(bench.at(NAMES[*from]), bench.at(NAMES[*to])),
                Deed::Copy(from, to) => fs::copy(bench.at(NAMES[*from]), bench.at(NAMES[*to])).map(drop),
            };
        }
        let set = workspace.read_back().unwrap();
        prop_assert_eq!(&set, &Workspace::open(bench.root.path(), Uuid::from_u128(1)).unwrap().read_back().unwrap());

        let mut ids: Vec<Uuid> = set.changed.iter().map(|file| file.id).chain(set.deleted.iter().map(|file| file.id)).collect();
        ids.sort();
        let count = ids.len();
        ids.dedup();
        prop_assert_eq!(ids.len(), count, "a record stands twice: {:?}", set);

        let told: Vec<String> = set.changed.iter().map(|file| file.path.clone())
            .chain(set.created.iter().map(|file| file.path.clone()))
            .chain(set.refused.iter().map(|file| file.path.clone()))
            .chain(set.renamed.iter().map(|file| file.to.clone()))
            .collect();
        for path in workspace.files().walk(100).unwrap() {
            let untouched = workspace.manifest().entry(path.as_str()).is_some_and(|entry| {
                let text = fs::read(bench.at(path.as_str())).unwrap();
                let (matter, body) = parse(std::str::from_utf8(&text).unwrap()).unwrap_or_default();
                entry.body == Fingerprint::of(body.as_bytes())
                    && matter.title.is_none_or(|title| title.text == entry.title)
                    && matter.status.is_none_or(|status| status.text == "draft")
            });
            prop_assert!(untouched || told.contains(&path.to_string()), "{} is not accounted for: {:?}", path, set);
        }
        for entry in &workspace.manifest().entries {
            let there = bench.at(&entry.path).exists() || set.renamed.iter().any(|file| file.id == entry.id);
            let said = set.deleted.iter().any(|file| file.id == entry.id) || !set.refused.is_empty();
            prop_assert!(there || said, "{} vanished: {:?}", entry.path, set);
        }
        // applied and checked out again, the same folder has nothing more to say but what was refused
        for created in &set.created {
            prop_assert!(!created.content.title.is_empty());
            prop_assert!(created.kind.statuses().contains(&created.content.status.as_str()));
        }
    }
}
