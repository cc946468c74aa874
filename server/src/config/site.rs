use std::{
    env, fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use leptos::config::{Env, LeptosOptions};

/// The name that cargo-leptos gives the page's files.
const OUTPUT: &str = "confab";
/// Beside the program: which hash is in which file's name.
const HASHES: &str = "hash.txt";

/// Where the built page lies, so that the program serves it from any working folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub root: PathBuf,
    /// The names of the files hold a hash of what is in them.
    pub hashed: bool,
}

impl Site {
    /// The folder that is named; else `site` beside the program (an installed copy); else `site` beside the program's folder
    /// (`target/site` for `target/debug/confab`).
    #[must_use]
    pub fn find(named: Option<PathBuf>) -> Site {
        let program = env::current_exe().and_then(fs::canonicalize).unwrap_or_default();
        let beside = program.parent().unwrap_or(Path::new("")).to_owned();
        let root = named
            .or_else(|| {
                program.ancestors().skip(1).take(2).map(|folder| folder.join("site")).find(|site| site.is_dir())
            })
            .unwrap_or_else(|| PathBuf::from("target/site"));
        let root = std::path::absolute(&root).unwrap_or(root);
        let hashed = fs::read_to_string(beside.join(HASHES)).is_ok_and(|hashes| all_there(&hashes, &root.join("pkg")));
        Site { root, hashed }
    }

    /// What the page's own code asks for. `LEPTOS_ENV` and the reload port are cargo-leptos's.
    #[must_use]
    pub fn options(&self, listen: SocketAddr) -> LeptosOptions {
        let prod = env::var("LEPTOS_ENV").is_ok_and(|name| name.to_ascii_lowercase().starts_with("prod"));
        let port = env::var("LEPTOS_RELOAD_PORT").ok().and_then(|port| port.parse().ok()).unwrap_or(3001);
        LeptosOptions::builder()
            .output_name(OUTPUT)
            .site_root(Arc::<str>::from(self.root.to_string_lossy()))
            .site_pkg_dir("pkg")
            .site_addr(listen)
            .reload_port(port)
            .env(if prod { Env::PROD } else { Env::DEV })
            .hash_files(self.hashed)
            .hash_file(Arc::<str>::from(HASHES))
            .build()
    }
}

/// Whether every file that the hashes name is there: a hash file may be left over from another build.
fn all_there(hashes: &str, folder: &Path) -> bool {
    let mut names = hashes
        .lines()
        .filter_map(|line| line.trim().split_once(':'))
        .filter(|(kind, _)| matches!(*kind, "js" | "wasm" | "css"))
        .map(|(kind, hash)| format!("{OUTPUT}.{}.{kind}", hash.trim()));
    names.clone().count() == 3 && names.all(|name| folder.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_hold_only_where_their_files_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let hashes = "js:aa\nwasm:bb\ncss:cc\n";
        assert!(!all_there(hashes, folder.path()));
        for name in ["confab.aa.js", "confab.bb.wasm", "confab.cc.css"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert!(all_there(hashes, folder.path()));
        assert!(!all_there("js:aa\n", folder.path()));
    }
}
