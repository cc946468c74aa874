use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::path::WorkspacePath;

/// A folder held open, and the files beneath it. Every part of a path is opened from the folder before it and never through a symbolic link, so
/// nothing outside can be reached, whatever is moved or linked meanwhile.
#[derive(Debug)]
pub struct Files {
    root: OwnedFd,
}

/// Why a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("there is no file `{0}`")]
    Missing(String),
    #[error("`{0}` is, or lies behind, a symbolic link; links are not followed")]
    Link(String),
    #[error("`{0}` is a folder")]
    Folder(String),
    #[error("a part of `{0}` is not a folder")]
    NotAFolder(String),
    #[error("`{0}` is not a regular file")]
    Special(String),
    #[error("`{path}` holds {size} bytes; the most that is read is {limit}")]
    Large { path: String, size: u64, limit: u64 },
    #[error("`{path}`: {source}")]
    Io { path: String, source: io::Error },
}

/// What lies in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Names that are not UTF-8 are shown with U+FFFD and marked.
    pub name: String,
    pub is_utf8: bool,
    pub kind: FoundKind,
    pub stamp: Stamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundKind {
    File,
    Folder,
    Link,
    Special,
}

/// What the file system says of a file without opening it. Two looks with equal stamps saw the same content, unless the file was changed within
/// the clock's last tick before the first look: who relies on stamps must read such files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub size: u64,
    pub inode: u64,
    /// Nanoseconds. The modification time can be set by anyone, the change time only by the system.
    pub modified: i64,
    pub changed: i64,
}

static NEXT_TEMPORARY: AtomicU64 = AtomicU64::new(0);
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Files {
    /// Opens an existing folder. The last part of `root` must not be a link.
    ///
    /// # Errors
    /// When it is missing or is not a folder.
    pub fn open(root: &Path) -> io::Result<Files> {
        Ok(Files { root: rustix::fs::open(root, FOLDER, Mode::empty())? })
    }

    /// The bytes of a file, at most `limit`.
    ///
    /// # Errors
    /// See [`FileError`].
    pub fn read(&self, path: &WorkspacePath, limit: u64) -> Result<Vec<u8>, FileError> {
        self.read_stamped(path, limit).map(|(bytes, _)| bytes)
    }

    /// As [`Files::read`], with the stamp that the file had when it was opened.
    ///
    /// # Errors
    /// See [`FileError`].
    pub fn read_stamped(&self, path: &WorkspacePath, limit: u64) -> Result<(Vec<u8>, Stamp), FileError> {
        let folder = self.folder(path, false)?;
        read_in(folder.as_fd(), path.name(), limit).map_err(|error| name_error(error, path, folder.as_fd()))
    }

    /// Writes a whole file: a temporary one beside it, then a rename, so that no reader and no crash ever sees half of it. Missing folders on
    /// the way are made.
    ///
    /// # Errors
    /// See [`FileError`]; a link, a folder or a device at the path is not replaced.
    pub fn write(&self, path: &WorkspacePath, bytes: &[u8]) -> Result<Stamp, FileError> {
        let folder = self.folder(path, true)?;
        write_in(folder.as_fd(), path.name(), bytes).map_err(|error| name_error(error, path, folder.as_fd()))
    }

    /// What lies in the folder itself (`None`) or in one directly beneath it, sorted by name. An error in the middle is an error of the whole.
    ///
    /// # Errors
    /// Any failure to read the folder or to look at one of its entries.
    pub fn list(&self, folder: Option<&str>) -> io::Result<Vec<Found>> {
        match folder {
            None => list_in(self.root.as_fd()),
            Some(name) => list_in(open_folder(self.root.as_fd(), name)?.as_fd()),
        }
    }

    /// Every regular file beneath the folder that is not hidden, as sorted paths; links are not followed and not named. Stops after `limit`.
    ///
    /// # Errors
    /// Any failure to read a folder.
    pub fn walk(&self, limit: usize) -> io::Result<Vec<WorkspacePath>> {
        let mut found = Vec::new();
        walk_in(self.root.as_fd(), "", limit, &mut found)?;
        found.sort();
        Ok(found)
    }

    /// Removes whatever lies at a name of a folder, folders with all they hold; a link is removed, never followed.
    ///
    /// # Errors
    /// When it cannot be removed; that nothing lies there is no error.
    pub fn remove(&self, folder: Option<&str>, name: &str) -> io::Result<()> {
        match folder {
            None => remove_in(self.root.as_fd(), name),
            Some(folder) => remove_in(open_folder(self.root.as_fd(), folder)?.as_fd(), name),
        }
    }

    /// Makes a folder directly beneath this one, replacing what lies there and is none.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_folder(&self, name: &str) -> io::Result<()> {
        match open_folder(self.root.as_fd(), name) {
            Ok(_) => Ok(()),
            Err(_) => {
                remove_in(self.root.as_fd(), name)?;
                Ok(rustix::fs::mkdirat(&self.root, name, Mode::from_raw_mode(0o700))?)
            }
        }
    }

    /// Writes a hidden file directly in this folder, which no [`WorkspacePath`] can name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn mark(&self, name: &str, bytes: &[u8]) -> io::Result<Stamp> {
        if kind_in(self.root.as_fd(), name).is_ok_and(|kind| kind != FoundKind::File) {
            remove_in(self.root.as_fd(), name)?;
        }
        write_in(self.root.as_fd(), name, bytes)
    }

    /// What [`Files::mark`] wrote.
    ///
    /// # Errors
    /// When there is none, or it is no file or a large one.
    pub fn read_mark(&self, name: &str) -> io::Result<Vec<u8>> {
        read_in(self.root.as_fd(), name, 1000).map(|(bytes, _)| bytes)
    }

    fn folder(&self, path: &WorkspacePath, make: bool) -> Result<OwnedFd, FileError> {
        let mut at = self.root.try_clone().map_err(|source| FileError::Io { path: path.to_string(), source })?;
        for part in path.folders() {
            let opened = match open_folder(at.as_fd(), part) {
                Err(error) if make && error.raw_os_error() == Some(Errno::NOENT.raw_os_error()) => {
                    match rustix::fs::mkdirat(&at, part, Mode::from_raw_mode(0o700)) {
                        Ok(()) | Err(Errno::EXIST) => open_folder(at.as_fd(), part),
                        Err(error) => Err(error.into()),
                    }
                }
                other => other,
            };
            at = opened.map_err(|error| match kind_in(at.as_fd(), part) {
                Ok(FoundKind::Link) => FileError::Link(path.to_string()),
                Ok(FoundKind::File | FoundKind::Special) => FileError::NotAFolder(path.to_string()),
                _ if error.kind() == io::ErrorKind::NotFound => FileError::Missing(path.to_string()),
                _ => FileError::Io { path: path.to_string(), source: error },
            })?;
        }
        Ok(at)
    }
}

fn open_folder(at: BorrowedFd<'_>, name: &str) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(at, name, FOLDER, Mode::empty())?)
}

fn read_in(folder: BorrowedFd<'_>, name: &str, limit: u64) -> io::Result<(Vec<u8>, Stamp)> {
    // a pipe would make a blocking open wait for its other end
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::openat(folder, name, flags, Mode::empty())?;
    let stat = rustix::fs::fstat(&file)?;
    let stamp = stamp(&stat);
    match kind(FileType::from_raw_mode(stat.st_mode)) {
        FoundKind::File => {}
        FoundKind::Folder => return Err(io::ErrorKind::IsADirectory.into()),
        FoundKind::Link | FoundKind::Special => return Err(io::ErrorKind::InvalidInput.into()),
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stamp.size.min(limit)).unwrap_or_default() + 1);
    File::from(file).take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, TooLarge { size: stamp.size.max(limit + 1), limit }));
    }
    Ok((bytes, stamp))
}

#[derive(Debug, thiserror::Error)]
#[error("{size} bytes, more than {limit}")]
struct TooLarge {
    size: u64,
    limit: u64,
}

fn write_in(folder: BorrowedFd<'_>, name: &str, bytes: &[u8]) -> io::Result<Stamp> {
    match kind_in(folder, name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
        Ok(FoundKind::File) => {}
        Ok(FoundKind::Folder) => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(FoundKind::Link) => return Err(Errno::LOOP.into()),
        Ok(FoundKind::Special) => return Err(io::ErrorKind::InvalidInput.into()),
    }
    let temporary = format!(".{}-{}.tmp", std::process::id(), NEXT_TEMPORARY.fetch_add(1, Ordering::Relaxed));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(folder, &temporary, flags, Mode::from_raw_mode(0o600))?);
    let written = file
        .write_all(bytes)
        .and_then(|()| Ok(rustix::fs::renameat(folder, &temporary, folder, name)?))
        .and_then(|()| Ok(stamp(&rustix::fs::fstat(&file)?)));
    if written.is_err() {
        let _ = rustix::fs::unlinkat(folder, &temporary, AtFlags::empty());
    }
    written
}

fn list_in(folder: BorrowedFd<'_>) -> io::Result<Vec<Found>> {
    let mut found = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let raw = OsString::from_vec(name.to_bytes().to_vec());
        found.push(Found {
            is_utf8: raw.to_str().is_some(),
            name: raw.to_string_lossy().into_owned(),
            kind: kind(FileType::from_raw_mode(stat.st_mode)),
            stamp: stamp(&stat),
        });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn walk_in(folder: BorrowedFd<'_>, prefix: &str, limit: usize, into: &mut Vec<WorkspacePath>) -> io::Result<()> {
    for entry in list_in(folder)? {
        if into.len() >= limit {
            return Ok(());
        }
        // a name that no path can have, such as a hidden one, is passed over with all beneath it
        let Ok(path) = WorkspacePath::parse(&format!("{prefix}{}", entry.name)) else {
            continue;
        };
        match entry.kind {
            FoundKind::File if entry.is_utf8 => into.push(path),
            FoundKind::Folder if entry.is_utf8 => {
                let beneath = open_folder(folder, &entry.name)?;
                walk_in(beneath.as_fd(), &format!("{path}/"), limit, into)?;
            }
            FoundKind::File | FoundKind::Folder | FoundKind::Link | FoundKind::Special => {}
        }
    }
    Ok(())
}

fn remove_in(folder: BorrowedFd<'_>, name: &str) -> io::Result<()> {
    let kind = match kind_in(folder, name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    if kind != FoundKind::Folder {
        return Ok(rustix::fs::unlinkat(folder, name, AtFlags::empty())?);
    }
    let beneath = open_folder(folder, name)?;
    for entry in Dir::read_from(&beneath)? {
        let entry = entry?;
        if let (false, Ok(name)) = (matches!(entry.file_name().to_bytes(), b"." | b".."), entry.file_name().to_str()) {
            remove_in(beneath.as_fd(), name)?;
        } else if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            rustix::fs::unlinkat(&beneath, entry.file_name(), AtFlags::empty())?;
        }
    }
    Ok(rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)?)
}

fn kind_in(folder: BorrowedFd<'_>, name: &str) -> io::Result<FoundKind> {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(kind(FileType::from_raw_mode(stat.st_mode)))
}

const fn kind(of: FileType) -> FoundKind {
    match of {
        FileType::RegularFile => FoundKind::File,
        FileType::Directory => FoundKind::Folder,
        FileType::Symlink => FoundKind::Link,
        _ => FoundKind::Special,
    }
}

fn stamp(stat: &rustix::fs::Stat) -> Stamp {
    let nanoseconds = |seconds: i64, part: i64| seconds.saturating_mul(1_000_000_000).saturating_add(part);
    Stamp {
        size: u64::try_from(stat.st_size).unwrap_or_default(),
        inode: stat.st_ino,
        modified: nanoseconds(stat.st_mtime, stat.st_mtime_nsec as i64),
        changed: nanoseconds(stat.st_ctime, stat.st_ctime_nsec as i64),
    }
}

fn name_error(error: io::Error, path: &WorkspacePath, folder: BorrowedFd<'_>) -> FileError {
    let path_text = path.to_string();
    if let Some(TooLarge { size, limit }) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return FileError::Large { path: path_text, size: *size, limit: *limit };
    }
    match kind_in(folder, path.name()) {
        Ok(FoundKind::Link) => FileError::Link(path_text),
        Ok(FoundKind::Folder) => FileError::Folder(path_text),
        Ok(FoundKind::Special) => FileError::Special(path_text),
        _ if error.kind() == io::ErrorKind::NotFound => FileError::Missing(path_text),
        _ => FileError::Io { path: path_text, source: error },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn at(text: &str) -> WorkspacePath {
        WorkspacePath::parse(text).unwrap()
    }

    /// A workspace with one plan, and beside it a folder with a secret.
    fn folder() -> (tempfile::TempDir, Files) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("files/plans")).unwrap();
        std::fs::create_dir(folder.path().join("outside")).unwrap();
        std::fs::write(folder.path().join("outside/secret.md"), "secret").unwrap();
        let files = Files::open(&folder.path().join("files")).unwrap();
        files.write(&at("plans/a.md"), b"text").unwrap();
        (folder, files)
    }

    #[test]
    fn reads_what_was_written() {
        let (_folder, files) = folder();
        assert_eq!(files.read(&at("plans/a.md"), 100).unwrap(), b"text");
        files.write(&at("new/deep/b.md"), b"more").unwrap();
        assert_eq!(files.walk(10).unwrap(), [at("new/deep/b.md"), at("plans/a.md")]);
        assert_eq!(files.walk(1).unwrap().len(), 1);
        assert!(matches!(files.read(&at("plans/b.md"), 9), Err(FileError::Missing(_))));
        assert!(matches!(files.read(&at("none/b.md"), 9), Err(FileError::Missing(_))));
        assert!(matches!(files.read(&at("plans"), 9), Err(FileError::Folder(_))));
        assert!(matches!(files.read(&at("plans/a.md/b.md"), 9), Err(FileError::NotAFolder(_))));
        assert!(matches!(files.read(&at("plans/a.md"), 3), Err(FileError::Large { size: 4, limit: 3, .. })));
        assert!(files.read(&at("plans/a.md"), 4).is_ok());
        assert!(
            files.list(Some("plans")).unwrap().iter().all(|found| found.name == "a.md"),
            "no temporary file is left"
        );
    }

    #[test]
    fn links_are_never_followed() {
        let (folder, files) = folder();
        let root = folder.path().join("files");
        symlink("../../outside/secret.md", root.join("plans/link.md")).unwrap();
        symlink("../outside", root.join("out")).unwrap();
        symlink(folder.path().join("outside"), root.join("plans/out")).unwrap();
        for path in ["plans/link.md", "out/secret.md", "plans/out/secret.md"] {
            assert!(matches!(files.read(&at(path), 100), Err(FileError::Link(_))), "{path}");
            assert!(matches!(files.write(&at(path), b"x"), Err(FileError::Link(_))), "{path}");
        }
        assert!(matches!(files.write(&at("out/new.md"), b"x"), Err(FileError::Link(_))));
        assert_eq!(files.walk(10).unwrap(), [at("plans/a.md")]);
        files.remove(None, "out").unwrap();
        files.remove(Some("plans"), "out").unwrap();
        files.remove(Some("plans"), "link.md").unwrap();
        assert_eq!(std::fs::read(folder.path().join("outside/secret.md")).unwrap(), b"secret");
        assert_eq!(std::fs::read_dir(folder.path().join("outside")).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_becomes_a_link_does_not_lead_out() {
        let (folder, files) = folder();
        let root = folder.path().join("files");
        std::fs::rename(root.join("plans"), root.join("moved")).unwrap();
        symlink(folder.path().join("outside"), root.join("plans")).unwrap();
        assert!(matches!(files.read(&at("plans/secret.md"), 100), Err(FileError::Link(_))));
        assert!(matches!(files.write(&at("plans/secret.md"), b"x"), Err(FileError::Link(_))));
        assert!(files.list(Some("plans")).is_err());
        files.make_folder("plans").unwrap();
        assert!(files.list(Some("plans")).unwrap().is_empty());
        assert_eq!(std::fs::read(folder.path().join("outside/secret.md")).unwrap(), b"secret");
    }

    #[test]
    fn a_folder_swapped_for_a_link_again_and_again_never_leads_out() {
        let (folder, files) = folder();
        let root = folder.path().join("files");
        let plans = root.join("plans");
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // the other side makes the folder too, so any of these may find something there
                while !stop.load(Ordering::Relaxed) {
                    let _ = std::fs::remove_dir_all(&plans);
                    let _ = symlink("../outside", &plans);
                    let _ = std::fs::remove_file(&plans);
                    let _ = std::fs::create_dir(&plans);
                    let _ = files.write(&at("plans/secret.md"), b"inside");
                }
            });
            let mut read = std::collections::BTreeSet::new();
            for _ in 0..3000 {
                read.extend(files.read(&at("plans/secret.md"), 100).ok());
                let _ = files.write(&at("plans/secret.md"), b"inside");
            }
            // before any assertion, or a failing one would wait for the other side for ever
            stop.store(true, Ordering::Relaxed);
            assert!(read.iter().all(|bytes| bytes == b"inside"));
        });
        assert_eq!(std::fs::read(folder.path().join("outside/secret.md")).unwrap(), b"secret");
    }

    #[test]
    fn a_pipe_is_refused_and_does_not_hang() {
        let (folder, files) = folder();
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("files/plans/p.md")).status();
        assert!(made.is_ok_and(|status| status.success()));
        assert!(matches!(files.read(&at("plans/p.md"), 100), Err(FileError::Special(_))));
        assert!(matches!(files.write(&at("plans/p.md"), b"x"), Err(FileError::Special(_))));
    }

    #[test]
    fn a_changed_file_has_another_stamp() {
        let (folder, files) = folder();
        let before = files.read_stamped(&at("plans/a.md"), 100).unwrap().1;
        assert_eq!(files.read_stamped(&at("plans/a.md"), 100).unwrap().1, before);
        files.write(&at("plans/a.md"), b"tuxt").unwrap();
        assert_ne!(files.read_stamped(&at("plans/a.md"), 100).unwrap().1, before);
        drop(folder);
    }
}
