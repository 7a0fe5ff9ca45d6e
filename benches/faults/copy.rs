//! A copy of the project in which faults are planted and taken out again.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::Place;
use crate::table::Fault;

/// The copied files and the folder of their builds.
pub struct WorkCopy {
    tree: PathBuf,
    builds: PathBuf,
}

impl WorkCopy {
    /// Copies what version control knows or would take, and takes away what is gone; what has not changed since the last run
    /// is not touched, so that builds stay incremental.
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
        let mut wanted = HashSet::new();
        for name in names.split('\0').filter(|name| !name.is_empty() && root.join(name).is_file()) {
            let (content, target) = (fs::read(root.join(name))?, copy.tree.join(name));
            if fs::read(&target).ok().as_ref() != Some(&content) {
                fs::create_dir_all(target.parent().ok_or("a file is in a folder")?)?;
                fs::write(&target, content)?;
            }
            wanted.insert(target);
        }
        remove_others(&copy.tree, &wanted)?;
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
    pub fn with<T>(&self, fault: &Fault, place: &Place, look: impl FnOnce() -> T) -> io::Result<T> {
        let path = self.tree.join(&place.file);
        let sound = fs::read_to_string(&path)?;
        let mut planted = sound.clone();
        planted.replace_range(place.range.clone(), &fault.new);
        fs::write(&path, planted)?;
        let seen = look();
        fs::write(&path, sound)?;
        Ok(seen)
    }
}

/// A file that was moved must not stand in the copy twice.
fn remove_others(folder: &Path, wanted: &HashSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, wanted)?;
        } else if !wanted.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}
