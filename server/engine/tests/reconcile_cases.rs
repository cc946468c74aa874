//! What a turn's files become, as data. Each folder of `tests/cases/reconcile` holds
//! - `records/`: the records before the turn, as files; the name is the slug;
//! - `workspace/`: what the agent wrote, laid over them;
//! - `steps` (may be missing): what cannot be kept as a file here, one a line: `anchor PATH`, `delete PATH`, `move FROM TO`, `copy FROM TO`,
//!   `link PATH TARGET`, `folder PATH`, `bytes PATH HEX`, `big PATH BYTES`. `\n` and `\u{…}` stand for themselves in a path;
//! - `expected`: the change set.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use engine::record::Content;
use engine::workspace::{Anchor, ChangeSet, ParentOf, RecordFile, Workspace, parse};
use uuid::Uuid;
use wire::record::RecordKind;

#[test]
fn every_case() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/reconcile");
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in children(&cases) {
        count += 1;
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let found = drawn(&run(&case));
        let expected = fs::read_to_string(case.join("expected")).unwrap_or_default();
        if found != expected {
            wrong.push(format!("== {name}\n-- expected\n{expected}-- found\n{found}"));
        }
    }
    assert!(count >= 25, "only {count} cases were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn run(case: &Path) -> ChangeSet {
    let root = tempfile::tempdir().unwrap();
    let records: Vec<RecordFile> =
        files(&case.join("records")).iter().map(|path| record(&case.join("records"), path)).collect();
    let steps = fs::read_to_string(case.join("steps")).unwrap_or_default();
    let steps: Vec<Vec<String>> = steps.lines().map(|line| line.split(' ').map(unescape).collect()).collect();
    let anchor = steps.iter().find(|step| step[0] == "anchor").map(|step| {
        let record =
            records.iter().find(|record| format!("{}/{}.md", record.kind.folder(), record.slug) == step[1]).unwrap();
        Anchor { id: record.id, kind: record.kind, parent_id: record.parent_id }
    });
    let workspace = Workspace::checkout(root.path(), Uuid::from_u128(99), anchor, records).unwrap();
    let folder = workspace.folder();
    for path in files(&case.join("workspace")) {
        let to = folder.join(path.strip_prefix(case.join("workspace")).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(&path, to).unwrap();
    }
    for step in steps {
        let at = |n: usize| folder.join(&step[n]);
        match step[0].as_str() {
            "anchor" => {}
            "delete" if at(1).is_dir() => fs::remove_dir_all(at(1)).unwrap(),
            "delete" => fs::remove_file(at(1)).unwrap(),
            "move" => fs::rename(at(1), at(2)).unwrap(),
            "copy" => drop(fs::copy(at(1), at(2)).unwrap()),
            "link" => std::os::unix::fs::symlink(&step[2], at(1)).unwrap(),
            "folder" => fs::create_dir_all(at(1)).unwrap(),
            "bytes" => fs::write(at(1), unhex(&step[2])).unwrap(),
            "big" => fs::write(at(1), "x".repeat(step[2].parse().unwrap())).unwrap(),
            other => panic!("no such step: {other}"),
        }
    }
    let first = workspace.read_back().unwrap();
    let again = Workspace::open(root.path(), Uuid::from_u128(99)).unwrap().read_back().unwrap();
    assert_eq!(first, again, "{} read differently by another process", case.display());
    first
}

fn record(root: &Path, path: &Path) -> RecordFile {
    let text = fs::read_to_string(path).unwrap();
    let (matter, body) = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let field = |field: Option<engine::workspace::Field>| field.map(|field| field.text);
    let place = path.strip_prefix(root).unwrap();
    RecordFile {
        id: Uuid::try_parse(&field(matter.id).unwrap()).unwrap(),
        kind: RecordKind::from_folder(place.parent().unwrap().to_str().unwrap()).unwrap(),
        slug: place.file_stem().unwrap().to_str().unwrap().to_owned(),
        parent_id: field(matter.parent).map(|id| Uuid::try_parse(&id).unwrap()),
        version: field(matter.version).unwrap().parse().unwrap(),
        content: Content {
            title: field(matter.title).unwrap(),
            status: field(matter.status).unwrap(),
            severity: field(matter.severity),
            body: body.to_owned(),
        },
    }
}

fn drawn(set: &ChangeSet) -> String {
    let mut text = String::new();
    for file in &set.changed {
        let _ = writeln!(text, "changed {} = {} from version {}", file.path, short(file.id), file.base_version);
        content(&mut text, &file.content);
    }
    for file in &set.created {
        let parent = match file.parent {
            None => "nothing".to_owned(),
            Some(ParentOf::Record(id)) => short(id),
            Some(ParentOf::Created(at)) => set.created[at].path.clone(),
        };
        let _ = writeln!(text, "created {} a {} under {parent}", file.path, file.kind.name());
        content(&mut text, &file.content);
    }
    for file in &set.renamed {
        let _ = writeln!(text, "renamed {} -> {} = {}", file.from, file.to, short(file.id));
    }
    for file in &set.deleted {
        let _ = writeln!(text, "deleted {} = {}", file.path, short(file.id));
    }
    for file in &set.refused {
        let _ = writeln!(text, "refused {:?}{}: {}", file.path, if file.again { " again" } else { "" }, file.reason);
    }
    text
}

fn content(text: &mut String, content: &Content) {
    let severity = content.severity.as_ref().map(|severity| format!(", {severity}")).unwrap_or_default();
    let _ = writeln!(text, "  {:?}, {}{severity}", content.title, content.status);
    for line in content.body.split_inclusive('\n') {
        let line = line.trim_end_matches('\n');
        let _ = match line.char_indices().nth(100) {
            Some((end, _)) => writeln!(text, "  | {}… {} bytes", &line[..end], line.len()),
            None => writeln!(text, "  | {}", line.replace('\r', "\\r")),
        };
    }
}

fn short(id: Uuid) -> String {
    format!("#{}", id.as_u128())
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).map(|entries| entries.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default();
    paths.sort();
    paths
}

fn files(folder: &Path) -> Vec<PathBuf> {
    children(folder).into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn unescape(text: &str) -> String {
    let text = text.replace("\\n", "\n");
    let mut parts = text.split("\\u{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap();
        out.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
        out.push_str(rest);
    }
    out
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).unwrap()).collect()
}
