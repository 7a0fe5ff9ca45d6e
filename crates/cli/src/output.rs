//! The directory of a result: complete, or not there.
//!
//! ```text
//! prepare    .dpfda-XXXXXX/ beside DIR       before any noise: what cannot be written is refused for free
//! write      files in it
//! finish     all of it on the disk, then a rename to DIR; with --force an exchange with what was there
//! ```
//!
//! Where the system cannot exchange two directories, the old one is moved aside first. A crash between the two renames then
//! leaves both, complete, in hidden directories beside DIR, and no DIR.
//!
//! The files of a release are public, so whatever a crash leaves behind may be seen by anybody. What is for the curator
//! alone is written for the curator's eyes, hidden directory included.

use std::fmt;
use std::fs::{self, File, Permissions};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use tempfile::{Builder, TempDir};

mod disk;
mod error;
#[cfg(test)]
mod tests;

pub use error::{OutputError, TableError};

/// No release is larger.
const LARGEST_RELEASE: u64 = 1 << 30;

/// What a directory holds; `--force` replaces a directory of nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// A release, with the choice of its smoother if there was one.
    Release,
    /// A released density, with synthetic points if there were any drawn.
    Density,
    /// Scores of cross-validation.
    CrossValidation,
    /// The tables and figures of the papers, which `dpfda-reproduce` writes.
    Reproduction,
}

impl Contents {
    /// The files there may be.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Release => &[
                "release.json",
                "release.csv",
                "release.svg",
                "release.png",
                "selection.csv",
                "selection.svg",
                "neighbours.svg",
            ],
            Self::Density => &["release.json", "release.csv", "release.svg", "release.png", "synthetic.csv"],
            Self::CrossValidation => &["scores.csv", "scores.svg"],
            Self::Reproduction => &[
                "reproduction.md",
                "table1.svg",
                "table2.svg",
                "figure-01.svg",
                "figure-02.svg",
                "figure-03.svg",
                "figure-04.svg",
                "figure-05.svg",
                "figure-06.svg",
                "figure-07.svg",
                "figure-08.svg",
                "figure-09.svg",
                "figure-10.svg",
                "figure-11.svg",
                "figure-12.svg",
                "mise.csv",
                "mise.svg",
                "mise.png",
            ],
        }
    }

    fn files_in_words(self) -> &'static str {
        match self {
            Self::Release => "release.json, .csv, .svg and .png, selection.csv and .svg",
            Self::Density => "release.json, .csv, .svg and .png, and synthetic.csv",
            Self::CrossValidation => "scores.csv and .svg",
            Self::Reproduction => {
                "reproduction.md, table1.svg, table2.svg, figure-01.svg to figure-12.svg, mise.csv, .svg and .png"
            }
        }
    }

    /// Whether anybody may read them.
    fn is_public(self) -> bool {
        matches!(self, Self::Release | Self::Density)
    }

    /// Whether a release.json is that of another command, by the public bound that it holds.
    fn is_of_another(self, release: &File) -> bool {
        #[derive(Deserialize)]
        struct Bound {
            ball: Option<IgnoredAny>,
            bounds: Option<IgnoredAny>,
        }
        let read = serde_json::from_reader::<_, Bound>(BufReader::new(release.take(LARGEST_RELEASE)));
        read.is_ok_and(|bound| match self {
            Self::Release => bound.bounds.is_some(),
            Self::Density => bound.ball.is_some(),
            Self::CrossValidation | Self::Reproduction => false,
        })
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Release => "release",
            Self::Density => "released density",
            Self::CrossValidation => "cross-validation",
            Self::Reproduction => "reproduction",
        })
    }
}

/// A place for a result, held from before the work is done: for a release, from before the noise is drawn.
#[derive(Debug)]
pub struct OutputDirectory {
    target: PathBuf,
    parent: PathBuf,
    staging: TempDir,
    contents: Contents,
    force: bool,
}

impl OutputDirectory {
    /// Makes sure that `target` may be written, by making a hidden directory beside it.
    ///
    /// # Errors
    /// [`OutputError`] for whatever is there already and for a parent that takes no files.
    pub fn prepare(target: &Path, contents: Contents, force: bool) -> Result<Self, OutputError> {
        if target.file_name().is_none() {
            return Err(OutputError::NoName { path: target.to_owned() });
        }
        check_target(target, contents, force)?;
        let parent = match target.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let staging = hidden_directory(&parent, contents.is_public())?;
        Ok(Self { target: target.to_owned(), parent, staging, contents, force })
    }

    /// Where the files will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes one of the files.
    ///
    /// # Errors
    /// [`OutputError::Write`].
    pub fn write(&self, name: &'static str, bytes: &[u8]) -> Result<(), OutputError> {
        debug_assert!(self.contents.files().contains(&name), "--force would not replace {name}");
        let write = || {
            let mut file = File::create_new(self.staging.path().join(name))?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|source| OutputError::Write { name, source })
    }

    /// Gives the files their place in one step.
    ///
    /// # Errors
    /// [`OutputError`], when something else has appeared there or the place cannot be taken.
    pub fn finish(&self) -> Result<(), OutputError> {
        check_target(&self.target, self.contents, self.force)?;
        self.move_into_place().map_err(|source| OutputError::Move { path: self.target.clone(), source })
    }

    /// Leaves the hidden directory where it is, with whatever was written, and tells where.
    pub fn keep(self) -> PathBuf {
        self.staging.keep()
    }

    fn move_into_place(&self) -> io::Result<()> {
        let (made, target) = (self.staging.path(), self.target.as_path());
        disk::sync(made)?;
        if !fs::exists(target)? {
            disk::rename_to_new(made, target)?;
        } else if !disk::exchange(made, target)? {
            self.replace_in_two_steps()?;
        }
        // The result is in its place; a disk that cannot be told to keep it there is no reason to say otherwise.
        let _ = disk::sync(&self.parent);
        Ok(())
    }

    /// For systems that cannot exchange two directories.
    fn replace_in_two_steps(&self) -> io::Result<()> {
        let aside = hidden_directory(&self.parent, false).map_err(|error| match error {
            OutputError::Unwritable { source, .. } => source,
            other => io::Error::other(other),
        })?;
        let old = aside.path().join("old");
        fs::rename(&self.target, &old)?;
        if let Err(error) = fs::rename(self.staging.path(), &self.target) {
            fs::rename(&old, &self.target)?;
            return Err(error);
        }
        // The result is in its place; an old one that cannot be removed is no failure of the new.
        let _ = aside.close();
        Ok(())
    }
}

/// Whether a directory holds these files, to the byte, and nothing else.
pub fn holds_exactly<'a>(directory: &Path, files: impl Iterator<Item = (&'a str, &'a [u8])>) -> bool {
    let mut expected = 0;
    for (name, bytes) in files {
        expected += 1;
        if !fs::read(directory.join(name)).is_ok_and(|found| found == bytes) {
            return false;
        }
    }
    fs::read_dir(directory).is_ok_and(|entries| entries.count() == expected)
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
    text_of(csv)
}

/// What was written, as text.
///
/// # Errors
/// [`TableError`] if it is no text.
pub fn text_of(csv: csv::Writer<Vec<u8>>) -> Result<String, TableError> {
    let bytes = csv.into_inner().map_err(|_| TableError)?;
    String::from_utf8(bytes).map_err(|_| TableError)
}

/// Refuses to overwrite anything but a result of the same kind, and that only by force.
fn check_target(target: &Path, contents: Contents, force: bool) -> Result<(), OutputError> {
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
        return Err(OutputError::Exists { path: path(), contents });
    }
    let look = |source| OutputError::Look { path: path(), source };
    for entry in fs::read_dir(target).map_err(look)? {
        let name = PathBuf::from(entry.map_err(look)?.file_name());
        if !contents.files().iter().any(|file| name == Path::new(file)) {
            return Err(OutputError::Foreign { path: path(), name, contents });
        }
    }
    // The files of a mean function and of a density have the same names.
    match File::open(target.join("release.json")) {
        Ok(release) if contents.is_of_another(&release) => Err(OutputError::Another { path: path(), contents }),
        _ => Ok(()),
    }
}

/// A new directory on the file system of the target, so that a rename is one step.
fn hidden_directory(parent: &Path, public: bool) -> Result<TempDir, OutputError> {
    let mut builder = Builder::new();
    builder.prefix(".dpfda-");
    if let Some(permissions) = permissions(public) {
        builder.permissions(permissions);
    }
    // tempfile's own error would tell a random name, and its kind alone reads badly for a parent that is not there.
    let made = fs::metadata(parent).and_then(|_| builder.tempdir_in(parent).map_err(|error| error.kind().into()));
    made.map_err(|source| OutputError::Unwritable { parent: parent.to_owned(), source })
}

/// What is public anybody may read, if the user's umask allows; the rest is the user's alone.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems have none")]
fn permissions(public: bool) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(if public { 0o777 } else { 0o700 }))
}

#[cfg(not(unix))]
fn permissions(_public: bool) -> Option<Permissions> {
    None
}
