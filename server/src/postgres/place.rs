use std::{
    fs::{self, DirBuilder, Permissions},
    io::ErrorKind,
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
};

use super::account::Account;

/// A socket's path may hold 107 bytes; Postgres adds `/.s.PGSQL.5432.lock`.
const LONGEST: usize = 107 - 19;
/// For clusters of root whose data folder the unprivileged account cannot reach.
const ELSEWHERE: &str = "/var/lib/confab";

/// Where a cluster and its socket lie.
#[derive(Clone, Debug)]
pub struct Place {
    /// Holds `data`, `log` and the locks.
    pub folder: PathBuf,
    pub socket: PathBuf,
}

impl Place {
    /// Finds or makes the folders: `postgres` in the data folder, which is a link to `/var/lib/confab/…` where the account
    /// cannot reach it there (root's own folders are closed to others).
    ///
    /// # Errors
    /// A sentence.
    pub fn find(data: &Path, account: &Account) -> Result<Place, String> {
        let named = data.join("postgres");
        let folder = if named.is_symlink() || account.reaches(&named) {
            named
        } else {
            let elsewhere = Path::new(ELSEWHERE).join(short_name(data));
            fs::create_dir_all(ELSEWHERE).map_err(|error| format!("{ELSEWHERE} cannot be made: {error}."))?;
            private_folder(&elsewhere, account)?;
            symlink(&elsewhere, &named).map_err(|error| format!("{} cannot be made: {error}.", named.display()))?;
            named
        };
        if !folder.is_symlink() {
            private_folder(&folder, account)?;
        }
        let folder =
            fs::canonicalize(&folder).map_err(|error| format!("{} cannot be read: {error}.", folder.display()))?;
        let near = folder.join("socket");
        let socket = if near.as_os_str().as_bytes().len() <= LONGEST {
            near
        } else {
            short_folder(account).join(format!("confab-{}", short_name(&folder)))
        };
        private_folder(&socket, account)?;
        Ok(Place { folder, socket })
    }

    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    #[must_use]
    pub fn url(&self) -> String {
        let mut host = String::new();
        for byte in self.socket.as_os_str().as_bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
                host.push(char::from(*byte));
            } else {
                host.push_str(&format!("%{byte:02X}"));
            }
        }
        format!("postgres://confab@localhost/confab?host={host}")
    }
}

/// A folder that only the account may enter. One that is there must be the account's: in a shared folder somebody else may have made
/// it first.
fn private_folder(path: &Path, account: &Account) -> Result<(), String> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => account.own(path),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let about =
                fs::symlink_metadata(path).map_err(|error| format!("{} cannot be read: {error}.", path.display()))?;
            if !about.is_dir() {
                return Err(format!("{} is in the way: it must be a folder.", path.display()));
            }
            if !account.owns(&about) {
                // made by root before Postgres was handed over, or somebody else's
                if about.permissions().mode() & 0o077 != 0 || path.parent() == Some(Path::new("/tmp")) {
                    return Err(format!("{} belongs to somebody else. Move it away.", path.display()));
                }
                account.own(path)?;
            }
            fs::set_permissions(path, Permissions::from_mode(0o700))
                .map_err(|error| format!("{} cannot be closed to others: {error}.", path.display()))
        }
        Err(error) => Err(format!("{} cannot be made: {error}.", path.display())),
    }
}

/// Where sockets with short paths go.
fn short_folder(account: &Account) -> PathBuf {
    std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| {
            folder.is_dir() && folder.as_os_str().as_bytes().len() < 40 && account.reaches(&folder.join("x"))
        })
        .unwrap_or_else(|| PathBuf::from("/tmp"))
}

/// A short name for a path, always the same.
fn short_name(path: &Path) -> String {
    // FNV-1a: no secret, only short and stable between versions of the program
    let hash = path
        .as_os_str()
        .as_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_odd_characters_goes_into_the_address() {
        let place = Place { folder: PathBuf::from("/x"), socket: PathBuf::from("/a b/c&d?é") };
        assert_eq!(place.url(), "postgres://confab@localhost/confab?host=%2Fa%20b%2Fc%26d%3F%C3%A9");
    }

    #[test]
    fn a_long_path_gets_a_short_socket() {
        let root = tempfile::tempdir_in("/tmp").unwrap();
        fs::set_permissions(root.path(), Permissions::from_mode(0o755)).unwrap();
        let data = root.path().join("a".repeat(100));
        fs::create_dir(&data).unwrap();
        let account = Account::find().unwrap();
        let place = Place::find(&data, &account).unwrap();
        assert!(place.socket.as_os_str().len() <= LONGEST, "{}", place.socket.display());
        assert_eq!(fs::metadata(&place.socket).unwrap().permissions().mode() & 0o777, 0o700);
        let again = Place::find(&data, &account).unwrap();
        assert_eq!(again.socket, place.socket);
        fs::remove_dir(&place.socket).unwrap();
    }
}
