//! The directory of a release: complete, or not there.
//!
//! ```text
//! prepare    .dpfda-XXXXXX/ beside DIR       before any noise: what cannot be written is refused for free
//! publish    four files in it, then a rename to DIR
//! ```
//!
//! Only public files are ever written, so whatever a crash leaves behind may be seen by anybody.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use dpfda::plotting::{Figure, FigureError};
use dpfda::release::Release;
use serde::Serialize;
use tempfile::{Builder, TempDir};
use thiserror::Error;

#[cfg(test)]
mod tests;

/// The files of a release; `--force` replaces a directory of nothing else.
const FILES: [&str; 4] = ["release.json", "release.csv", "release.svg", "release.png"];

/// Why the output could not be written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The path does not name a directory that could be made.
    #[error("`{}` does not end in a name; give the name of a new directory", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// Something is there already.
    #[error("`{}` exists; give another directory, or --force to replace the release in it", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// Something other than a directory is there.
    #[error("`{}` exists and is not a directory; --force replaces only a directory", path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// A link is there, and a rename would replace the link.
    #[error("`{}` is a symbolic link, which --force does not replace; give the directory itself", path.display())]
    Link {
        /// The path.
        path: PathBuf,
    },
    /// Replacing the directory would destroy something.
    #[error(
        "`{}` also holds `{}`, which is not part of a release; --force replaces only a directory of \
         release.json, .csv, .svg and .png: give another directory",
        path.display(),
        name.display()
    )]
    Foreign {
        /// The directory.
        path: PathBuf,
        /// What else is in it.
        name: PathBuf,
    },
    /// The directory cannot be looked at.
    #[error("cannot look at `{}`: {source}", path.display())]
    Look {
        /// The directory.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The parent directory takes no new files.
    #[error("cannot write in `{}`: {source}; give a directory whose parent exists and is writable", parent.display())]
    Unwritable {
        /// The parent directory.
        parent: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {name}: {source}")]
    Write {
        /// The file.
        name: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
    /// The finished directory could not be moved to its place.
    #[error("cannot move the finished files to `{}`: {source}", path.display())]
    Move {
        /// The place.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The document could not be written.
    #[error("cannot write release.json: {0}")]
    Json(#[from] serde_json::Error),
    /// The table could not be written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The figure could not be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

/// A table could not be made.
#[derive(Debug, Error)]
#[error("the table of values could not be made")]
pub struct TableError;

/// A place for a release, held from before the noise is drawn.
#[derive(Debug)]
pub struct OutputDirectory {
    target: PathBuf,
    parent: PathBuf,
    staging: TempDir,
    force: bool,
}

impl OutputDirectory {
    /// Makes sure that `target` may be written, by making a hidden directory beside it.
    pub fn prepare(target: &Path, force: bool) -> Result<Self, OutputError> {
        if target.file_name().is_none() {
            return Err(OutputError::NoName { path: target.to_owned() });
        }
        check_target(target, force)?;
        let parent = match target.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let staging = hidden_directory(&parent)?;
        Ok(Self { target: target.to_owned(), parent, staging, force })
    }

    /// Where the files will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes the four files, and gives them their place in one step.
    pub fn publish(&self, release: &Release) -> Result<(), OutputError> {
        let [json, csv, svg, png] = FILES;
        // The document first: everything else can be made from it again.
        self.write(json, (release.to_json()? + "\n").as_bytes())?;
        let function = release.function();
        let points = function.grid().points().to_vec();
        self.write(csv, table(&points, function.values(), function.noise_sd())?.as_bytes())?;
        let figure = Figure::release(release);
        self.write(svg, figure.to_svg()?.as_bytes())?;
        self.write(png, &figure.to_png()?)?;
        check_target(&self.target, self.force)?;
        self.move_into_place().map_err(|source| OutputError::Move { path: self.target.clone(), source })
    }

    /// Leaves the hidden directory where it is, with whatever was written, and tells where.
    pub fn keep(self) -> PathBuf {
        self.staging.keep()
    }

    fn write(&self, name: &'static str, bytes: &[u8]) -> Result<(), OutputError> {
        let write = || {
            let mut file = File::create_new(self.staging.path().join(name))?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|source| OutputError::Write { name, source })
    }

    fn move_into_place(&self) -> io::Result<()> {
        if !self.target.exists() {
            return fs::rename(self.staging.path(), &self.target);
        }
        let aside = hidden_directory(&self.parent).map_err(|error| match error {
            OutputError::Unwritable { source, .. } => source,
            other => io::Error::other(other),
        })?;
        let old = aside.path().join("old");
        fs::rename(&self.target, &old)?;
        if let Err(error) = fs::rename(self.staging.path(), &self.target) {
            fs::rename(&old, &self.target)?;
            return Err(error);
        }
        // The release is in its place; an old one that cannot be removed is no failure of the new.
        let _ = aside.close();
        Ok(())
    }
}

/// The released function as CSV, numbers in their shortest exact form.
pub fn table<'a>(
    points: &[f64],
    values: impl IntoIterator<Item = &'a f64>,
    noise_sd: impl IntoIterator<Item = &'a f64>,
) -> Result<String, TableError> {
    #[derive(Serialize)]
    struct Row {
        t: f64,
        value: f64,
        noise_sd: f64,
    }
    let mut csv = csv::Writer::from_writer(Vec::new());
    for ((&t, &value), &noise_sd) in points.iter().zip(values).zip(noise_sd) {
        csv.serialize(Row { t, value, noise_sd }).map_err(|_| TableError)?;
    }
    let bytes = csv.into_inner().map_err(|_| TableError)?;
    String::from_utf8(bytes).map_err(|_| TableError)
}

/// Refuses to overwrite anything but a release, and that only by force.
fn check_target(target: &Path, force: bool) -> Result<(), OutputError> {
    let path = || target.to_owned();
    let kind = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(OutputError::Look { path: path(), source }),
        Ok(metadata) => metadata.file_type(),
    };
    if kind.is_symlink() {
        return Err(OutputError::Link { path: path() });
    }
    if !kind.is_dir() {
        return Err(OutputError::NotADirectory { path: path() });
    }
    if !force {
        return Err(OutputError::Exists { path: path() });
    }
    let look = |source| OutputError::Look { path: path(), source };
    for entry in fs::read_dir(target).map_err(look)? {
        let name = PathBuf::from(entry.map_err(look)?.file_name());
        if !FILES.iter().any(|file| name == Path::new(file)) {
            return Err(OutputError::Foreign { path: path(), name });
        }
    }
    Ok(())
}

/// A new directory on the file system of the target, so that a rename is one step.
fn hidden_directory(parent: &Path) -> Result<TempDir, OutputError> {
    let mut builder = Builder::new();
    builder.prefix(".dpfda-");
    if let Some(permissions) = public_permissions() {
        builder.permissions(permissions);
    }
    // tempfile's own error would tell a random name, and its kind alone reads badly for a parent that is not there.
    let made = fs::metadata(parent).and_then(|_| builder.tempdir_in(parent).map_err(|error| error.kind().into()));
    made.map_err(|source| OutputError::Unwritable { parent: parent.to_owned(), source })
}

/// What is in the directory is public; the user's umask has the last word.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems have none")]
fn public_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o777))
}

#[cfg(not(unix))]
fn public_permissions() -> Option<Permissions> {
    None
}
