use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;
use wire::record::RecordKind;

use super::files::Stamp;

/// What a checkout wrote: the base that the folder is compared with after the turn. Kept beside the folder, where no tool reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub turn_id: Uuid,
    pub anchor: Option<Anchor>,
    /// The file system's own time when the checkout ended, in nanoseconds: a file whose last change is near it may have been changed since within
    /// the same tick, so its stamp proves nothing.
    pub clock: i64,
    /// One a record, sorted by path.
    pub entries: Vec<Entry>,
    pub kept: Vec<Kept>,
}

/// The record that a chat is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    pub id: Uuid,
    pub kind: RecordKind,
    pub parent_id: Option<Uuid>,
}

/// A record's file as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub id: Uuid,
    pub kind: RecordKind,
    pub path: String,
    pub title: String,
    pub status: String,
    pub severity: Option<String>,
    pub parent_id: Option<Uuid>,
    pub version: i32,
    pub body: Fingerprint,
    pub file: Fingerprint,
    pub stamp: Stamp,
}

/// A file that a reconcile refused and that later checkouts leave in place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub path: String,
    pub reason: String,
    /// Of the content that was refused; none for what is no readable file.
    pub file: Option<Fingerprint>,
}

/// SHA-256 of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    #[must_use]
    pub fn of(bytes: &[u8]) -> Fingerprint {
        Fingerprint(Sha256::digest(bytes).into())
    }
}

impl From<Fingerprint> for String {
    fn from(print: Fingerprint) -> String {
        use std::fmt::Write as _;
        print.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

impl From<String> for Fingerprint {
    /// A damaged text is the fingerprint of nothing, so the file it belongs to is read.
    fn from(text: String) -> Fingerprint {
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = text.get(at * 2..at * 2 + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or_default();
        }
        Fingerprint(bytes)
    }
}

/// Change times nearer than this to the checkout's end prove nothing; the clock of file systems ticks every 1 to 10 ms.
const TICK: i64 = 30_000_000;

impl Manifest {
    #[must_use]
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok().map(|at| &self.entries[at])
    }

    #[must_use]
    pub fn kept(&self, path: &str) -> Option<&Kept> {
        self.kept.iter().find(|kept| kept.path == path)
    }

    /// Whether a file with this stamp certainly still holds what was written for the entry.
    #[must_use]
    pub fn is_untouched(&self, entry: &Entry, stamp: Stamp) -> bool {
        entry.stamp == stamp && stamp.changed + TICK < self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_text_in_json() {
        let print = Fingerprint::of(b"text");
        let json = serde_json::to_string(&print).unwrap();
        assert_eq!(json.len(), 66);
        assert_eq!(serde_json::from_str::<Fingerprint>(&json).unwrap(), print);
        assert_ne!(serde_json::from_str::<Fingerprint>("\"zz\"").unwrap(), print);
    }
}
