//! The hidden directory in which a result is made, for its maker's eyes alone.

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use tempfile::Builder;

use super::contents::Contents;
use super::error::OutputError;

/// A file that takes the place of another when it is whole.
const NEXT: &str = "next";

/// A new directory on the file system of the target, so that a rename is one step; removed unless it is kept.
#[derive(Debug)]
pub(super) struct Staging {
    /// Empty once the directory is kept.
    path: PathBuf,
    contents: Contents,
    /// The directory itself, wherever a rename takes it.
    #[cfg(unix)]
    directory: File,
    #[cfg(unix)]
    usual: modes::Usual,
    written: RefCell<Vec<File>>,
}

impl Staging {
    pub(super) fn new(parent: &Path, contents: Contents) -> Result<Self, OutputError> {
        // tempfile's own error would tell a random name, and its kind alone reads badly for a parent that is not there.
        let made = fs::metadata(parent).and_then(|_| Self::make(parent, contents));
        made.map_err(|source| OutputError::Unwritable { parent: parent.to_owned(), source })
    }

    fn make(parent: &Path, contents: Contents) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(".dpfda-");
        #[cfg(unix)]
        builder.permissions(modes::of(0o700));
        let made = builder.tempdir_in(parent).map_err(|error| io::Error::from(error.kind()))?;
        #[cfg(unix)]
        modes::give(made.path(), 0o700)?;
        Ok(Self {
            #[cfg(unix)]
            directory: File::open(made.path())?,
            #[cfg(unix)]
            usual: modes::Usual::of_new(&made.path().join("probe"))?,
            path: made.keep(),
            contents,
            written: RefCell::default(),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, and waits until the disk has it. One of that name is there until the new one is.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(name);
        if !fs::exists(&path)? {
            return self.write_new(&path, bytes);
        }
        let next = self.path.join(NEXT);
        self.write_new(&next, bytes)?;
        fs::rename(next, path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        #[cfg(unix)]
        file.set_permissions(modes::of(0o600))?;
        file.write_all(bytes)?;
        file.sync_all()?;
        self.written.borrow_mut().push(file);
        Ok(())
    }

    /// Lets others read what is public, as far as the umask allows, now that it is in its place.
    ///
    /// A mode that cannot be changed leaves the files to the user alone, which is no reason to call them unwritten.
    pub(super) fn publish(&self) {
        #[cfg(unix)]
        if self.contents.is_public() {
            for file in self.written.borrow().iter() {
                let _ = file.set_permissions(modes::of(self.usual.file));
            }
            let _ = self.directory.set_permissions(modes::of(self.usual.directory));
        }
    }

    /// Leaves the directory where it is, and tells where.
    pub(super) fn keep(mut self) -> PathBuf {
        mem::take(&mut self.path)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if self.path != Path::new("") {
            remove(&self.path, self.contents);
        }
    }
}

/// Removes the files that a command writes, and the directory if nothing else is in it.
///
/// What cannot be removed stays: the result itself is in its place, or was refused for another reason.
pub(super) fn remove(directory: &Path, contents: Contents) {
    for name in contents.files().iter().chain([&NEXT]) {
        let _ = fs::remove_file(directory.join(name));
    }
    let _ = fs::remove_dir(directory);
}

#[cfg(unix)]
mod modes {
    use std::fs::{self, File, Permissions};
    use std::io;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    /// The modes of whatever the user makes in a directory, by the umask and the rules of the directory.
    #[derive(Debug)]
    pub(super) struct Usual {
        pub(super) directory: u32,
        pub(super) file: u32,
    }

    impl Usual {
        /// The modes are tried out, because asking for the umask would change it for a moment.
        pub(super) fn of_new(probe: &Path) -> io::Result<Self> {
            fs::create_dir(probe)?;
            let directory = fs::symlink_metadata(probe)?.permissions().mode();
            fs::remove_dir(probe)?;
            let file = File::create_new(probe)?.metadata()?.permissions().mode();
            fs::remove_file(probe)?;
            Ok(Self { directory, file })
        }
    }

    pub(super) fn of(mode: u32) -> Permissions {
        Permissions::from_mode(mode & 0o7777)
    }

    /// Gives a directory this mode for user, group and others; whatever else it was given by its parent stays.
    pub(super) fn give(directory: &Path, mode: u32) -> io::Result<()> {
        let found = fs::symlink_metadata(directory)?.permissions().mode();
        if found & 0o777 == mode { Ok(()) } else { fs::set_permissions(directory, of(found & 0o7000 | mode)) }
    }
}
