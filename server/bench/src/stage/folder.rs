use std::path::{Path, PathBuf};

use crate::result::Result;

/// A folder of the run's own, removed with all it holds when this is dropped. `CONFAB_BENCH_DIR` says where it is made: on a disk whose syncing
/// is to count.
pub struct Folder(PathBuf);

impl Folder {
    pub fn make() -> Result<Folder> {
        let parent = std::env::var_os("CONFAB_BENCH_DIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
        let path = parent.join(format!("confab-bench.{}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
        Ok(Folder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            eprintln!("bench: {} is left behind: {error}", self.0.display());
        }
    }
}
