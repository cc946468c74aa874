mod content;

use std::collections::{HashMap, HashSet};

use uuid::Uuid;
use wire::record::RecordKind;

use super::changes::{ChangeSet, ChangedFile, CreatedFile, DeletedFile, ParentOf, RefusedPath, RenamedFile};
use super::checkout::folded;
use super::front_matter::FrontMatter;
use super::manifest::{Entry, Fingerprint, Manifest};
use crate::record::Content;
use content::{a, changed, created, read_text};

/// The largest file that becomes a record: 1 MiB.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// A file that was found, by its path from the workspace's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub path: String,
    pub text: FileText,
}

/// What a file holds, as far as it was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileText {
    /// Certainly what the checkout wrote.
    Untouched,
    Bytes(Vec<u8>),
    /// More than [`MAX_FILE_BYTES`].
    Large(u64),
    Link,
    Special,
    Folder,
    BadName(String),
    Unreadable(String),
}

/// What a turn did, from what was written before it and what is there after it. Pure; see `2-turns`, Reconcile, for the rules, and these
/// readings of them:
/// - A file without an `id` at the path of a record whose id no other file has is that record: agents often write a body alone.
/// - Fields left out of the front matter keep their value; `version` is never read. `kind` and `parent` of a record do not change here.
/// - Of two files with one id the one at the record's own path is the record and the other is refused; if neither lies there, both are.
/// - U+0000 becomes U+FFFD. A file of blanks alone is refused, for it is more often an accident than a wish.
/// - New files whose names differ from another's only in case or in the form of accents are refused.
#[must_use]
pub fn plan(manifest: &Manifest, candidates: Vec<Candidate>) -> ChangeSet {
    let mut planner = Planner { manifest, set: ChangeSet::default(), prints: HashMap::new(), seen: HashSet::new() };
    let mut candidates = candidates;
    candidates.sort_by(|a, b| a.path.cmp(&b.path));
    let present: HashSet<String> = candidates.iter().map(|candidate| candidate.path.clone()).collect();

    let readable: Vec<File> = candidates.into_iter().filter_map(|candidate| planner.open(candidate)).collect();
    let (known, new) = planner.identify(readable);
    for (file, entry) in known {
        planner.change(file, entry);
    }
    if !new.is_empty() {
        planner.create(new, &Names::of(&present));
    }

    for entry in &manifest.entries {
        if !planner.seen.contains(&entry.id) && !present.contains(&entry.path) {
            planner.set.deleted.push(DeletedFile { path: entry.path.clone(), id: entry.id });
        }
    }
    planner.finish()
}

/// A file whose text could be read.
struct File {
    path: String,
    kind: RecordKind,
    /// None for a file that is as it was written.
    read: Option<(FrontMatter, String)>,
}

struct Planner<'a> {
    manifest: &'a Manifest,
    set: ChangeSet,
    prints: HashMap<String, Fingerprint>,
    /// Records whose file is there, taken or refused.
    seen: HashSet<Uuid>,
}

impl<'a> Planner<'a> {
    fn refuse(&mut self, path: &str, reason: impl Into<String>) {
        self.set.refused.push(RefusedPath { path: path.to_owned(), reason: reason.into(), again: false });
    }

    /// The file's text, or its refusal.
    fn open(&mut self, candidate: Candidate) -> Option<File> {
        let Candidate { path, text } = candidate;
        let bytes = match self.readable(&path, text) {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.refuse(&path, reason);
                return None;
            }
        };
        if let Some(bytes) = &bytes {
            self.prints.insert(path.clone(), Fingerprint::of(bytes));
        }
        let place = path.split_once('/').and_then(|(folder, name)| Some((RecordKind::from_folder(folder)?, name)));
        let Some((kind, name)) = place.filter(|(_, name)| !name.contains('/')) else {
            self.refuse(&path, "only files directly in initiatives/, plans/ and bugs/ become records");
            return None;
        };
        let Some(bytes) = bytes else {
            return Some(File { path, kind, read: None });
        };
        if !name.ends_with(".md") {
            // a picture or an archive is no attempt at a record
            if !bytes.contains(&0) {
                self.refuse(&path, "only files whose name ends with .md become records");
            }
            return None;
        }
        match read_text(&bytes) {
            Ok(read) => Some(File { path, kind, read: Some(read) }),
            Err(reason) => {
                self.refuse(&path, reason);
                None
            }
        }
    }

    /// The bytes of a regular file, none for one that is untouched.
    fn readable(&self, path: &str, text: FileText) -> Result<Option<Vec<u8>>, String> {
        match text {
            FileText::Untouched => Ok(None),
            FileText::Bytes(bytes) => {
                let same = self.manifest.entry(path).is_some_and(|entry| entry.file == Fingerprint::of(&bytes));
                Ok((!same).then_some(bytes))
            }
            FileText::Large(size) => Err(format!("it holds {size} bytes; a record's file may hold {MAX_FILE_BYTES} (1 MiB)")),
            FileText::Link => Err("it is a symbolic link; links are not followed".to_owned()),
            FileText::Special => Err("it is not a regular file".to_owned()),
            FileText::Folder => Err("folders inside the workspace's folders are not read; put the file directly into initiatives/, plans/ or bugs/".to_owned()),
            FileText::BadName(reason) | FileText::Unreadable(reason) => Err(reason),
        }
    }

    /// Sorts the files into those of a record and new ones.
    fn identify(&mut self, files: Vec<File>) -> (Vec<(File, &'a Entry)>, Vec<File>) {
        let by_id: HashMap<Uuid, &'a Entry> = self.manifest.entries.iter().map(|entry| (entry.id, entry)).collect();
        let mut claims: HashMap<Uuid, Vec<File>> = HashMap::new();
        let mut nameless = Vec::new();
        for file in files {
            let Some((matter, _)) = &file.read else {
                // untouched: the entry is there, or it would have been read
                if let Some(entry) = self.manifest.entry(&file.path) {
                    claims.entry(entry.id).or_default().push(file);
                }
                continue;
            };
            let Some(field) = &matter.id else {
                nameless.push(file);
                continue;
            };
            match Uuid::try_parse(field.text.trim()).ok().filter(|id| by_id.contains_key(id)) {
                Some(id) => claims.entry(id).or_default().push(file),
                None => {
                    let reason = format!(
                        "line {}: no record here has the id `{}`; for a new record leave the `id` line out",
                        field.line,
                        crate::text::cut(&field.text, 60)
                    );
                    self.refuse(&file.path, reason);
                }
            }
        }
        let mut new = Vec::new();
        for file in nameless {
            match self.manifest.entry(&file.path).filter(|entry| !claims.contains_key(&entry.id)) {
                Some(entry) => claims.entry(entry.id).or_default().push(file),
                None => new.push(file),
            }
        }
        let mut known = Vec::new();
        for entry in &self.manifest.entries {
            let Some(mut files) = claims.remove(&entry.id) else {
                continue;
            };
            self.seen.insert(entry.id);
            if files.len() > 1 {
                let own = files.iter().position(|file| file.path == entry.path);
                let record = own.map(|own| files.remove(own));
                let other = record.as_ref().unwrap_or(&files[0]).path.clone();
                for file in &files {
                    let other = if file.path == other { &files[1].path } else { &other };
                    let reason = format!("it has the same id as {other}; for a new record leave the `id` line out");
                    self.refuse(&file.path, reason);
                }
                known.extend(record.map(|file| (file, entry)));
            } else {
                known.extend(files.pop().map(|file| (file, entry)));
            }
        }
        (known, new)
    }

    fn change(&mut self, file: File, entry: &Entry) {
        let base = |body: String| Content {
            title: entry.title.clone(),
            status: entry.status.clone(),
            severity: entry.severity.clone(),
            body,
        };
        let Some((matter, body)) = file.read else {
            if file.path != entry.path {
                self.rename(entry, &file.path);
            }
            return;
        };
        if file.kind != entry.kind {
            let reason = format!(
                "this is the {} \"{}\", which belongs into {}/",
                entry.kind.name(),
                entry.title,
                entry.kind.folder()
            );
            return self.refuse(&file.path, reason);
        }
        match changed(&matter, entry, base(body)) {
            Err(reason) => self.refuse(&file.path, reason),
            Ok(content) => {
                if file.path != entry.path {
                    self.rename(entry, &file.path);
                }
                let same = content.title == entry.title
                    && content.status == entry.status
                    && content.severity == entry.severity
                    && Fingerprint::of(content.body.as_bytes()) == entry.body;
                if !same {
                    self.set.changed.push(ChangedFile {
                        path: file.path,
                        id: entry.id,
                        kind: entry.kind,
                        base_version: entry.version,
                        content,
                    });
                }
            }
        }
    }

    fn rename(&mut self, entry: &Entry, to: &str) {
        self.set.renamed.push(RenamedFile { id: entry.id, from: entry.path.clone(), to: to.to_owned() });
    }

    fn create(&mut self, mut files: Vec<File>, names: &Names) {
        files.sort_by_key(|file| file.kind);
        for file in files {
            let Some((matter, body)) = file.read else {
                continue;
            };
            if let Some(other) = names.like(&file.path) {
                let reason =
                    format!("its name differs from {other} only in case or in the form of its accents; choose another");
                self.refuse(&file.path, reason);
                continue;
            }
            let made = created(&matter, body, file.kind, &file.path)
                .and_then(|content| Ok((content, self.parent(&matter, file.kind)?)));
            match made {
                Ok((content, parent)) => {
                    self.set.created.push(CreatedFile { path: file.path, kind: file.kind, parent, content });
                }
                Err(reason) => self.refuse(&file.path, reason),
            }
        }
    }

    /// What a new record hangs under: what its front matter says, else the anchor or the nearest record above it that fits.
    fn parent(&self, matter: &FrontMatter, kind: RecordKind) -> Result<Option<ParentOf>, String> {
        let said = matter.parent.as_ref().filter(|field| !field.text.trim().is_empty());
        let Some(wanted) = kind.parent() else {
            return match said {
                Some(field) => Err(format!("line {}: an initiative has no parent", field.line)),
                None => Ok(None),
            };
        };
        if let Some(field) = said {
            return self.named(field.text.trim(), wanted).map(Some).ok_or_else(|| {
                format!(
                    "line {}: `{}` is no {} of this workspace; give its id or its file's name",
                    field.line,
                    crate::text::cut(&field.text, 100),
                    wanted.name()
                )
            });
        }
        self.above(wanted).map(|id| Some(ParentOf::Record(id))).ok_or_else(|| {
            format!(
                "a {} belongs under {}; say which in its front matter: `parent: <id or file name>`",
                kind.name(),
                a(wanted)
            )
        })
    }

    fn named(&self, text: &str, kind: RecordKind) -> Option<ParentOf> {
        if let Ok(id) = Uuid::try_parse(text) {
            let anchor =
                self.manifest.anchor.filter(|anchor| anchor.id == id && anchor.kind == kind).map(|anchor| anchor.id);
            let entry = self.manifest.entries.iter().find(|entry| entry.id == id && entry.kind == kind);
            return entry.map(|entry| entry.id).or(anchor).map(ParentOf::Record);
        }
        let stem = text.strip_suffix(".md").unwrap_or(text);
        let stem = stem.strip_prefix(kind.folder()).and_then(|rest| rest.strip_prefix('/')).unwrap_or(stem);
        let path = format!("{}/{stem}.md", kind.folder());
        let created = self.set.created.iter().position(|file| file.path == path).map(ParentOf::Created);
        created.or_else(|| self.manifest.entry(&path).map(|entry| ParentOf::Record(entry.id)))
    }

    fn above(&self, kind: RecordKind) -> Option<Uuid> {
        let anchor = self.manifest.anchor?;
        let mut at = (anchor.id, anchor.kind, anchor.parent_id);
        // three kinds, so at most two steps up
        for _ in 0..3 {
            if at.1 == kind {
                return Some(at.0);
            }
            let parent = at.2?;
            let above = at.1.parent()?;
            if above == kind {
                return Some(parent);
            }
            let entry = self.manifest.entries.iter().find(|entry| entry.id == parent)?;
            at = (entry.id, entry.kind, entry.parent_id);
        }
        None
    }

    fn finish(mut self) -> ChangeSet {
        for refused in &mut self.set.refused {
            if let Some(kept) = self.manifest.kept(&refused.path) {
                refused.again = match (kept.file, self.prints.get(&refused.path)) {
                    (Some(before), Some(now)) => before == *now,
                    _ => kept.reason == refused.reason,
                };
            }
        }
        self.set.refused.sort_by(|a, b| a.path.cmp(&b.path));
        self.set.changed.sort_by(|a, b| a.path.cmp(&b.path));
        self.set.renamed.sort_by(|a, b| a.to.cmp(&b.to));
        self.set
    }
}

/// The names that lie in the workspace, to find those that are one name in another form.
struct Names {
    by_folded: HashMap<String, Vec<String>>,
}

impl Names {
    fn of(paths: &HashSet<String>) -> Names {
        let mut by_folded: HashMap<String, Vec<String>> = HashMap::new();
        for path in paths {
            by_folded.entry(folded(path)).or_default().push(path.clone());
        }
        by_folded.values_mut().for_each(|paths| paths.sort());
        Names { by_folded }
    }

    fn like(&self, path: &str) -> Option<&str> {
        self.by_folded.get(&folded(path))?.iter().map(String::as_str).find(|other| *other != path)
    }
}
