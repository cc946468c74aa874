use std::io;

use wire::record::RecordKind;

use super::changes::ChangeSet;
use super::checkout::{MARKER, Workspace};
use super::files::{FileError, Files, Found, FoundKind};
use super::manifest::Manifest;
use super::path::WorkspacePath;
use super::plan::{Candidate, FileText, MAX_FILE_BYTES, plan};

/// Why a folder's listing cannot be trusted. Then nothing is reconciled: a file that is not listed might be one that could not be seen.
#[derive(Debug, thiserror::Error)]
pub enum ListingError {
    #[error("the workspace's folder is gone, so what was written in it cannot be told")]
    Missing,
    #[error("the workspace's folder is not the one that was written before the turn")]
    Foreign,
    #[error("the workspace's folder {folder} cannot be listed completely: {source}")]
    Incomplete { folder: String, source: io::Error },
}

impl Workspace {
    /// What the agent did since the checkout. Opens only files whose stamp moved. Blocking: for a blocking thread.
    ///
    /// # Errors
    /// When the folder is missing, is another one, or cannot be listed to its end.
    pub fn read_back(&self) -> Result<ChangeSet, ListingError> {
        // opened anew by its path: a folder held open would list as empty once it is deleted
        let files = Files::open(&self.folder()).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ListingError::Missing,
            _ => ListingError::Incomplete { folder: "itself".to_owned(), source: error },
        })?;
        match files.read_mark(MARKER) {
            Ok(mark) if mark == self.manifest().turn_id.to_string().as_bytes() => {}
            _ => return Err(ListingError::Foreign),
        }
        let mut candidates = Vec::new();
        for found in complete("itself", files.list(None))? {
            match (RecordKind::from_folder(&found.name), found.kind) {
                (Some(kind), FoundKind::Folder) => {
                    let folder = kind.folder();
                    for found in complete(folder, files.list(Some(folder)))? {
                        candidates.extend(look(&files, self.manifest(), Some(folder), found));
                    }
                }
                _ => candidates.extend(look(&files, self.manifest(), None, found)),
            }
        }
        Ok(plan(self.manifest(), candidates))
    }

    /// Why the file at a path would be refused if the turn ended now; for the tools to say at once.
    #[must_use]
    pub fn objection(&self, path: &WorkspacePath) -> Option<String> {
        let set = self.read_back().ok()?;
        set.refused.into_iter().find(|refused| refused.path == path.as_str()).map(|refused| refused.reason)
    }
}

fn complete(folder: &str, listing: io::Result<Vec<Found>>) -> Result<Vec<Found>, ListingError> {
    listing.map_err(|source| ListingError::Incomplete { folder: folder.to_owned(), source })
}

/// One entry of a folder as the plan wants it; none for what editors, systems and version control leave lying about.
fn look(files: &Files, manifest: &Manifest, folder: Option<&str>, found: Found) -> Option<Candidate> {
    let shown = folder.map_or_else(|| found.name.clone(), |folder| format!("{folder}/{}", found.name));
    if is_litter(&found.name) {
        return None;
    }
    let text = match found.kind {
        FoundKind::Link => FileText::Link,
        FoundKind::Special => FileText::Special,
        FoundKind::Folder => FileText::Folder,
        FoundKind::File if !found.is_utf8 => FileText::BadName("its name is not UTF-8".to_owned()),
        FoundKind::File => match WorkspacePath::parse(&shown) {
            Err(bad) => FileText::BadName(bad.to_string()),
            Ok(_) if manifest.entry(&shown).is_some_and(|entry| manifest.is_untouched(entry, found.stamp)) => {
                FileText::Untouched
            }
            Ok(path) => match files.read(&path, MAX_FILE_BYTES) {
                Ok(bytes) => FileText::Bytes(bytes),
                Err(FileError::Large { size, .. }) => FileText::Large(size),
                Err(FileError::Link(_)) => FileText::Link,
                Err(error) => FileText::Unreadable(error.to_string()),
            },
        },
    };
    Some(Candidate { path: shown, text })
}

/// Hidden and temporary files: they are nobody's record and nobody needs to be told of them.
fn is_litter(name: &str) -> bool {
    const ENDS: [&str; 8] = ["~", ".swp", ".swo", ".tmp", ".bak", ".orig", ".rej", ".part"];
    name.starts_with('.')
        || name.starts_with("~$")
        || (name.starts_with('#') && name.ends_with('#'))
        || ENDS.iter().any(|end| name.ends_with(end))
}
