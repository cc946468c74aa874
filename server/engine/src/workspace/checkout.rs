use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;
use uuid::Uuid;
use wire::message::RefusedFile;
use wire::record::RecordKind;

use super::changes::ChangeSet;
use super::files::{FileError, Files, Found, FoundKind, Stamp};
use super::front_matter::write;
use super::manifest::{Anchor, Entry, Fingerprint, Kept, Manifest};
use super::path::WorkspacePath;
use super::plan::MAX_FILE_BYTES;
use crate::record::Content;

/// A record to be written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFile {
    pub id: Uuid,
    pub kind: RecordKind,
    pub slug: String,
    pub parent_id: Option<Uuid>,
    pub version: i32,
    pub content: Content,
}

/// A chat's folder with the records written out in it, and what was written. `<root>/files` is the agent's, `<root>/manifest.json` is not.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    files: Files,
    manifest: Manifest,
}

/// Why a workspace cannot be made or found.
#[derive(Debug, thiserror::Error)]
pub enum CheckoutError {
    #[error("the workspace's folder {folder}: {source}")]
    Io { folder: String, source: io::Error },
    #[error("the workspace's files: {0}")]
    File(#[from] FileError),
    /// There is no workspace of this turn here: another node made it, or it was cleared away.
    #[error("the workspace of this turn is not on this node any more")]
    Missing,
}

const FILES: &str = "files";
const MANIFEST: &str = "manifest.json";
/// A hidden file in the agent's folder that says which checkout it is; a folder without it is not the one that was written.
pub(super) const MARKER: &str = ".workspace";

impl Workspace {
    /// Writes the records out beneath `root`, which is the chat's own folder, and removes what earlier turns left there, but for files that a
    /// reconcile refused. A file that already holds what it should is not written. Blocking: for a blocking thread.
    ///
    /// # Errors
    /// When the folder cannot be made, read or written.
    pub fn checkout(
        root: &Path,
        turn_id: Uuid,
        anchor: Option<Anchor>,
        records: Vec<RecordFile>,
    ) -> Result<Workspace, CheckoutError> {
        let folder = root.join(FILES);
        let failed = |source| CheckoutError::Io { folder: folder.display().to_string(), source };
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let files = Files::open(&folder).map_err(failed)?;
        let before = read_manifest(root);
        let old: HashMap<&str, &Entry> =
            before.iter().flat_map(|before| &before.entries).map(|entry| (entry.path.as_str(), entry)).collect();
        let kept = kept_still(&files, before.as_ref());

        let mut there: HashMap<String, Stamp> = HashMap::new();
        let wanted = named(records);
        let keep: HashSet<&str> =
            wanted.iter().map(|(path, _)| path.as_str()).chain(kept.iter().map(|kept| kept.path.as_str())).collect();
        let records: HashSet<&str> = wanted.iter().map(|(path, _)| path.as_str()).collect();
        clear(&files, &keep, &records, &mut there).map_err(failed)?;

        let mut entries = Vec::with_capacity(wanted.len());
        for (path, record) in wanted {
            let was = old.get(path.as_str()).copied();
            // a refused file came from an older version of its record: that stays the base to merge from
            let is_kept = there.contains_key(&path) && kept.iter().any(|kept| kept.path == path);
            if let Some(was) = was.filter(|was| is_kept && was.id == record.id) {
                entries.push(was.clone());
                continue;
            }
            // versions never change, so an untouched file of the same version needs no look at its text
            let same = was.filter(|was| {
                (was.id, was.version, was.parent_id) == (record.id, record.version, record.parent_id)
                    && there
                        .get(&path)
                        .is_some_and(|stamp| before.as_ref().is_some_and(|old| old.is_untouched(was, *stamp)))
            });
            if let Some(was) = same {
                entries.push(was.clone());
                continue;
            }
            let text = write(&record);
            let file = Fingerprint::of(text.as_bytes());
            let stamp = match there.get(&path) {
                Some(stamp) if holds(&files, before.as_ref(), was, &path, *stamp, file) => *stamp,
                _ => files.write(&inside(&path)?, text.as_bytes())?,
            };
            entries.push(Entry {
                id: record.id,
                kind: record.kind,
                path,
                title: record.content.title,
                status: record.content.status,
                severity: record.content.severity,
                parent_id: record.parent_id,
                version: record.version,
                body: Fingerprint::of(record.content.body.as_bytes()),
                file,
                stamp,
            });
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        // written last: its time is the file system's time at the end of the checkout
        let clock = files.mark(MARKER, turn_id.to_string().as_bytes()).map_err(failed)?.changed;
        let manifest = Manifest { turn_id, anchor, clock, entries, kept };
        write_manifest(root, &manifest).map_err(failed)?;
        Ok(Workspace { root: root.to_owned(), files, manifest })
    }

    /// The workspace that a checkout for this turn left beneath `root`, for the process that goes on with the turn.
    ///
    /// # Errors
    /// [`CheckoutError::Missing`] when there is none, or one of another turn.
    pub fn open(root: &Path, turn_id: Uuid) -> Result<Workspace, CheckoutError> {
        let manifest =
            read_manifest(root).filter(|manifest| manifest.turn_id == turn_id).ok_or(CheckoutError::Missing)?;
        let files = Files::open(&root.join(FILES)).map_err(|_| CheckoutError::Missing)?;
        Ok(Workspace { root: root.to_owned(), files, manifest })
    }

    /// Removes a chat's workspace with all it holds; that there is none is no error.
    ///
    /// # Errors
    /// When something in it cannot be removed.
    pub fn release(root: &Path) -> io::Result<()> {
        match std::fs::remove_dir_all(root) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The files that the tools read and write.
    #[must_use]
    pub const fn files(&self) -> &Files {
        &self.files
    }

    /// The folder that a sandbox shows to a command.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.root.join(FILES)
    }

    #[must_use]
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The files of earlier turns that were refused and still wait, for the prompt to name.
    #[must_use]
    pub fn kept(&self) -> &[Kept] {
        &self.manifest.kept
    }

    /// Remembers which files were refused, so that the next checkout leaves them: those of the change set, and those that were refused when it was
    /// applied. Call it before the transaction commits; without it they would be written over.
    ///
    /// # Errors
    /// When the manifest cannot be written.
    pub fn keep(&self, set: &ChangeSet, refused: &[RefusedFile]) -> io::Result<()> {
        let mut kept: Vec<Kept> = Vec::new();
        let named = set.refused.iter().map(|refused| (&refused.path, &refused.reason));
        for (path, reason) in named.chain(refused.iter().map(|refused| (&refused.path, &refused.reason))) {
            if kept.iter().any(|kept| kept.path == *path) {
                continue;
            }
            let file = WorkspacePath::parse(path).ok().and_then(|path| self.files.read(&path, MAX_FILE_BYTES).ok());
            kept.push(Kept {
                path: path.clone(),
                reason: reason.clone(),
                file: file.map(|bytes| Fingerprint::of(&bytes)),
            });
        }
        if kept == self.manifest.kept {
            return Ok(());
        }
        write_manifest(&self.root, &Manifest { kept, ..self.manifest.clone() })
    }
}

/// Two names that differ only in case or in the form of their accents are one name on many systems, so they are one here: NFC, lower case, NFC.
pub(super) fn folded(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// Each record with its path: the slug, cleaned, and made unique where cleaning made two alike.
fn named(records: Vec<RecordFile>) -> Vec<(String, RecordFile)> {
    let mut taken = HashSet::new();
    let mut named = Vec::with_capacity(records.len());
    for record in records {
        let folder = record.kind.folder();
        let clean: String = record
            .slug
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '-' })
            .scan(0, |length, c| {
                *length += c.len_utf8();
                (*length <= 120).then_some(c)
            })
            .collect();
        let mut path = format!("{folder}/{}.md", if clean.is_empty() { "record" } else { &clean });
        if !taken.insert(folded(&path)) {
            path = format!("{folder}/{clean}-{}.md", record.id.simple());
            taken.insert(folded(&path));
        }
        named.push((path, record));
    }
    named
}

fn inside(path: &str) -> Result<WorkspacePath, CheckoutError> {
    WorkspacePath::parse(path).map_err(|_| CheckoutError::File(FileError::Missing(path.to_owned())))
}

/// Whether the file at a path already has this content: by its stamp where that proves it, else by reading it.
fn holds(
    files: &Files,
    before: Option<&Manifest>,
    was: Option<&Entry>,
    path: &str,
    stamp: Stamp,
    wanted: Fingerprint,
) -> bool {
    if let (Some(before), Some(was)) = (before, was)
        && before.is_untouched(was, stamp)
    {
        return was.file == wanted;
    }
    let read = WorkspacePath::parse(path).ok().and_then(|path| files.read_stamped(&path, MAX_FILE_BYTES).ok());
    read.is_some_and(|(bytes, read)| read == stamp && Fingerprint::of(&bytes) == wanted)
}

/// The refused files of the turn before that are still there.
fn kept_still(files: &Files, before: Option<&Manifest>) -> Vec<Kept> {
    let kept = before.map(|before| before.kept.clone()).unwrap_or_default();
    kept.into_iter()
        .filter(|kept| {
            WorkspacePath::parse(&kept.path)
                .is_ok_and(|path| !matches!(files.read(&path, MAX_FILE_BYTES), Err(FileError::Missing(_))))
        })
        .collect()
}

/// Removes what is neither a record's file nor kept, and tells the stamps of the files that stay.
fn clear(
    files: &Files,
    keep: &HashSet<&str>,
    records: &HashSet<&str>,
    there: &mut HashMap<String, Stamp>,
) -> io::Result<()> {
    let on_the_way =
        |folder: &str| keep.iter().any(|path| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
    for found in files.list(None)? {
        let is_ours = RecordKind::from_folder(&found.name).is_some();
        if !is_ours && found.name != MARKER && !keep.contains(found.name.as_str()) && !on_the_way(&found.name) {
            files.remove(None, &found.name)?;
        }
    }
    for kind in RecordKind::ALL {
        let folder = kind.folder();
        files.make_folder(folder)?;
        for Found { name, kind, stamp, .. } in files.list(Some(folder))? {
            let path = format!("{folder}/{name}");
            // where a record's file belongs, nothing but a file is left, refused or not
            let stays = if records.contains(path.as_str()) {
                kind == FoundKind::File
            } else {
                keep.contains(path.as_str()) || on_the_way(&path)
            };
            if !stays {
                files.remove(Some(folder), &name)?;
            } else if kind == FoundKind::File {
                there.insert(path, stamp);
            }
        }
    }
    Ok(())
}

fn read_manifest(root: &Path) -> Option<Manifest> {
    serde_json::from_slice(&std::fs::read(root.join(MANIFEST)).ok()?).ok()
}

fn write_manifest(root: &Path, manifest: &Manifest) -> io::Result<()> {
    let temporary = root.join(format!("{MANIFEST}.new"));
    let mut file = std::fs::File::create(&temporary)?;
    file.write_all(&serde_json::to_vec(manifest)?)?;
    std::fs::rename(&temporary, root.join(MANIFEST))
}
