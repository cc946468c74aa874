use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder with the programs of one installed Postgres.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binaries {
    folder: PathBuf,
}

impl Binaries {
    /// The newest that are installed; for a cluster that is there already, those of its own major version.
    ///
    /// # Errors
    /// When there are none, or none that fit.
    pub fn find(data: &Path) -> Result<Binaries, String> {
        let installed = installed(candidates());
        let wanted = fs::read_to_string(data.join("PG_VERSION")).ok().map(|version| version.trim().to_owned());
        choose(installed, wanted.as_deref(), data)
    }

    #[must_use]
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

fn choose(installed: Vec<(u32, PathBuf)>, wanted: Option<&str>, data: &Path) -> Result<Binaries, String> {
    let newest = installed.iter().map(|(major, _)| *major).max();
    let found = match wanted.and_then(|version| version.parse::<u32>().ok()) {
        Some(wanted) => installed.into_iter().find(|(major, _)| *major == wanted),
        None => installed.into_iter().max_by_key(|(major, _)| *major),
    };
    match (found, newest, wanted) {
        (Some((_, folder)), ..) => Ok(Binaries { folder }),
        (None, Some(newest), Some(wanted)) => Err(format!(
            "The private Postgres in {} was made by version {wanted}, and only version {newest} is installed. Install the package \
             `postgresql-{wanted}`, or move the data with pg_dump.",
            data.display()
        )),
        _ => Err(
            "Postgres is not installed here: no `initdb` and `postgres` were found. Install the package `postgresql` \
                  (`apt-get install postgresql`), or set DATABASE_URL to a Postgres that runs elsewhere."
                .to_owned(),
        ),
    }
}

/// Folders where the programs may lie.
fn candidates() -> Vec<PathBuf> {
    let asked =
        Command::new("pg_config").arg("--bindir").output().ok().and_then(|said| String::from_utf8(said.stdout).ok());
    let mut folders: Vec<PathBuf> = asked.map(|folder| PathBuf::from(folder.trim())).into_iter().collect();
    folders.extend(env::var_os("PATH").iter().flat_map(env::split_paths));
    folders.extend(
        fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|version| version.path().join("bin")),
    );
    folders
}

/// Those that hold a whole server, with its major version; each version once, the first place that has it.
fn installed(folders: Vec<PathBuf>) -> Vec<(u32, PathBuf)> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for folder in folders {
        // programs may be links to a wrapper elsewhere, or absent but for the client's
        if !["initdb", "pg_ctl", "postgres", "createdb"].iter().all(|name| folder.join(name).is_file()) {
            continue;
        }
        let said = Command::new(folder.join("postgres")).arg("--version").output();
        if let Some(major) =
            said.ok().and_then(|said| String::from_utf8(said.stdout).ok()).and_then(|text| major(&text))
            && found.iter().all(|(other, _)| *other != major)
        {
            found.push((major, folder));
        }
    }
    found
}

/// Reads `postgres (PostgreSQL) 15.8 (Debian 15.8-0+deb12u1)`.
fn major(text: &str) -> Option<u32> {
    let version = text.split_whitespace().nth(2)?;
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read() {
        assert_eq!(major("postgres (PostgreSQL) 15.8 (Debian 15.8-0+deb12u1)\n"), Some(15));
        assert_eq!(major("postgres (PostgreSQL) 17beta1\n"), Some(17));
        assert_eq!(major("nonsense"), None);
    }

    #[test]
    fn a_cluster_keeps_its_version_and_a_new_one_takes_the_newest() {
        let both = || vec![(15, PathBuf::from("/15")), (16, PathBuf::from("/16"))];
        let data = Path::new("/data");
        assert_eq!(choose(both(), None, data).unwrap().folder, PathBuf::from("/16"));
        assert_eq!(choose(both(), Some("15"), data).unwrap().folder, PathBuf::from("/15"));
        let refusal = choose(both(), Some("14"), data).unwrap_err();
        assert!(refusal.contains("postgresql-14"), "{refusal}");
        let refusal = choose(Vec::new(), None, data).unwrap_err();
        assert!(refusal.contains("`postgresql`") && refusal.contains("DATABASE_URL"), "{refusal}");
    }
}
