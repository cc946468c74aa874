//! The folder in which an agent works: records written out as Markdown files before a turn, read back and compared after it.
//!
//! Only this room touches files. It never follows a symbolic link, never opens anything outside a chat's own folder, never deletes a record, and
//! knows neither rows nor models: what it reads back is a [`ChangeSet`], which the reconcile applies in the turn's own transaction.
//!
//! The walk of one turn:
//! 1. [`Workspace::checkout`] writes the records as they are now and remembers what it wrote (the manifest, kept beside the folder, out of the
//!    agent's reach). [`Workspace::open`] picks the same workspace up again in another process.
//! 2. The tools read and write through [`Workspace::files`].
//! 3. [`Workspace::read_back`] compares the folder with the manifest. A listing that is not complete and trustworthy is a [`ListingError`], never
//!    a deletion.
//! 4. After the change set is applied, [`Workspace::keep`] remembers the files that were refused, so that the next checkout leaves them.

mod changes;
mod checkout;
mod files;
mod front_matter;
mod manifest;
mod path;
mod plan;
mod read_back;

pub use changes::{ChangeSet, ChangedFile, CreatedFile, DeletedFile, ParentOf, RefusedPath, RenamedFile};
pub use checkout::{CheckoutError, RecordFile, Workspace};
pub use files::{FileError, Files, Found, FoundKind, Stamp};
pub use front_matter::{Broken, Field, FrontMatter, parse, write};
pub use manifest::{Anchor, Entry, Fingerprint, Kept, Manifest};
pub use path::{BadPath, WorkspacePath};
pub use plan::{Candidate, FileText, MAX_FILE_BYTES, plan};
pub use read_back::ListingError;

#[cfg(test)]
mod tests;
