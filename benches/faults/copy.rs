//! A copy of the project in which faults are planted and taken out again.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::table::Fault;

/// The copied files and the folder of their builds.
pub struct WorkCopy {
    tree: PathBuf,
    builds: PathBuf,
}

impl WorkCopy {
    /// Copies what version control knows or would take; what has not changed since the last run is not touched, so that
    /// builds stay incremental.
    pub fn make(root: &Path, folder: &Path) -> Result<Self, Box<dyn Error>> {
        let listing = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()?;
        if !listing.status.success() {
            return Err("git ls-files failed: faults are planted in a copy of a git work tree".into());
        }
        fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        let copy = Self { tree: folder.join("tree"), builds: folder.join("build") };
        let names = String::from_utf8(listing.stdout)?;
        for name in names.split('\0').filter(|name| !name.is_empty() && root.join(name).is_file()) {
            let (content, target) = (fs::read(root.join(name))?, copy.tree.join(name));
            if fs::read(&target).is_ok_and(|there| there == content) {
                continue;
            }
            fs::create_dir_all(target.parent().ok_or("a file is in a folder")?)?;
            fs::write(target, content)?;
        }
        Ok(copy)
    }

    /// The root of the copied project.
    pub fn tree(&self) -> &Path {
        &self.tree
    }

    /// Where the copy is built.
    pub fn builds(&self) -> &Path {
        &self.builds
    }

    /// What `look` returns while the fault is planted.
    pub fn with<T>(&self, fault: &Fault, look: impl FnOnce() -> T) -> Result<T, Box<dyn Error>> {
        let path = self.tree.join(fault.file);
        let sound = fs::read_to_string(&path)?;
        let found = sound.matches(fault.old).count();
        if found != 1 {
            return Err(format!("{}: its old text occurs {found} times in {}, not once", fault.id, fault.file).into());
        }
        fs::write(&path, sound.replacen(fault.old, fault.new, 1))?;
        let seen = look();
        fs::write(&path, sound)?;
        Ok(seen)
    }
}
