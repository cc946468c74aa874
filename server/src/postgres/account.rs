use std::{
    fs,
    os::unix::fs::{MetadataExt, chown},
    path::Path,
};

use tokio::process::Command;

/// The account that the cluster belongs to: our own; for root, which Postgres refuses, an unprivileged one.
#[derive(Clone, Debug)]
pub struct Account {
    /// Absent: as we are.
    other: Option<(u32, u32)>,
}

/// Accounts that root hands the cluster to, the best first.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

impl Account {
    /// # Errors
    /// When we are root and there is no account to hand over to.
    pub fn find() -> Result<Account, String> {
        if effective_user() != Some(0) {
            return Ok(Account { other: None });
        }
        let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let other = UNPRIVILEGED.iter().find_map(|name| identity(&accounts, name));
        match other {
            Some(other) => Ok(Account { other: Some(other) }),
            None => Err(
                "Postgres refuses to run as root, and there is no user `postgres` to run it as. Install the package \
                         `postgresql`, which makes it, start Confab as another user, or set DATABASE_URL."
                    .to_owned(),
            ),
        }
    }

    /// Gives a file or folder to the account.
    ///
    /// # Errors
    /// A sentence.
    pub fn own(&self, path: &Path) -> Result<(), String> {
        let Some((user, group)) = self.other else { return Ok(()) };
        chown(path, Some(user), Some(group))
            .map_err(|error| format!("{} cannot be given away: {error}.", path.display()))
    }

    /// Whether a file belongs to the account.
    #[must_use]
    pub fn owns(&self, about: &fs::Metadata) -> bool {
        Some(about.uid()) == self.other.map(|(user, _)| user).or_else(effective_user)
    }

    /// Whether the account may walk through every folder above this path.
    #[must_use]
    pub fn reaches(&self, path: &Path) -> bool {
        let Some((user, group)) = self.other else { return true };
        path.ancestors().skip(1).all(|folder| {
            // a folder that is not there yet will be made by us, open to pass
            fs::metadata(folder).map_or(true, |about| {
                let mode = about.mode();
                mode & 0o001 != 0
                    || (about.gid() == group && mode & 0o010 != 0)
                    || (about.uid() == user && mode & 0o100 != 0)
            })
        })
    }

    /// A command that runs as the account, with nothing of our environment.
    #[must_use]
    pub fn command(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LC_ALL", "C").current_dir(folder);
        if let Some((user, group)) = self.other {
            command.uid(user).gid(group);
        }
        command
    }
}

fn effective_user() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|about| about.uid()).or_else(|| {
        let said = std::process::Command::new("id").arg("-u").output().ok()?;
        String::from_utf8(said.stdout).ok()?.trim().parse().ok()
    })
}

/// User and group of an account in the text of `/etc/passwd`.
fn identity(accounts: &str, name: &str) -> Option<(u32, u32)> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next()? == name).then_some(())?;
        let user = fields.nth(1)?.parse().ok()?;
        Some((user, fields.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_found_by_its_whole_name() {
        let accounts =
            "root:x:0:0:root:/root:/bin/bash\npostgres2:x:7:7::/:/x\npostgres:x:115:120:,,,:/var/lib:/bin/bash\n";
        assert_eq!(identity(accounts, "postgres"), Some((115, 120)));
        assert_eq!(identity(accounts, "nobody"), None);
        assert_eq!(identity("postgres:x:what:1\n", "postgres"), None);
    }
}
