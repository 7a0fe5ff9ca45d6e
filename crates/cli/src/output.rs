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
//! Nobody but the user may look into a hidden directory, whatever the umask. What is public gets the usual modes once it is in
//! its place; what is for the curator alone never does. With --force, only what is provably an earlier result is replaced, and
//! only files of known names are ever removed: nothing here removes a directory with whatever it holds.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use dpfda::analysis::{DomainPoint, PointEstimate};
use dpfda::kinds::Table;
use dpfda::plotting::{Drawing, Format};

mod contents;
mod disk;
mod earlier;
mod error;
mod staging;
#[cfg(test)]
mod tests;

pub use contents::Contents;
pub use error::{OutputError, TableError};

use staging::Staging;

/// A place for a result, held from before the work is done: for a release, from before the noise is drawn.
#[derive(Debug)]
pub struct OutputDirectory {
    place: Place,
    parent: PathBuf,
    staging: Staging,
}

/// Where a result goes, and what must stay there.
#[derive(Debug)]
struct Place {
    /// Without a slash at its end, which would look through a link.
    target: PathBuf,
    contents: Contents,
    force: bool,
    /// The files that the command reads.
    inputs: Vec<PathBuf>,
}

impl OutputDirectory {
    /// Makes sure that `target` may be written, by making a hidden directory beside it.
    ///
    /// None of `inputs`, the files that the command reads, may lie in a directory that is replaced.
    pub fn prepare(target: &Path, contents: Contents, force: bool, inputs: &[&Path]) -> Result<Self, OutputError> {
        if target.file_name().is_none() {
            return Err(OutputError::NoName { path: target.to_owned() });
        }
        let target: PathBuf = target.components().collect();
        let parent = match target.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let inputs = inputs.iter().map(|&input| input.to_owned()).collect();
        let place = Place { target, contents, force, inputs };
        place.check()?;
        let staging = Staging::new(&parent, contents)?;
        Ok(Self { place, parent, staging })
    }

    /// Where the files will be.
    pub fn target(&self) -> &Path {
        &self.place.target
    }

    /// Writes one of the files.
    pub fn write(&self, name: &'static str, bytes: &[u8]) -> Result<(), OutputError> {
        debug_assert!(self.place.contents.files().contains(&name), "--force would not replace {name}");
        self.staging.write(name, bytes).map_err(|source| OutputError::Write { name, source })
    }

    /// Writes a figure as each kind of file, under names in their order.
    pub fn draw(&self, names: [&'static str; 3], figure: &Drawing) -> Result<(), OutputError> {
        names.into_iter().zip(figure.to_files(&Format::ALL)?).try_for_each(|(name, file)| self.write(name, &file))
    }

    /// Gives the files their place in one step.
    pub fn finish(&self) -> Result<(), OutputError> {
        self.place.check()?;
        self.move_into_place()?;
        // The result is in its place; a disk that cannot be told to keep it there is no reason to say otherwise.
        self.staging.publish();
        let _ = disk::sync(&self.parent);
        Ok(())
    }

    /// Leaves the hidden directory where it is, with whatever was written, and tells where.
    pub fn keep(self) -> PathBuf {
        self.staging.keep()
    }

    fn move_into_place(&self) -> Result<(), OutputError> {
        let (made, target) = (self.staging.path(), self.target());
        let moved = |source| OutputError::Move { path: target.to_owned(), source };
        disk::sync(made).map_err(moved)?;
        if !(self.place.force && fs::exists(target).map_err(moved)?) {
            return disk::rename_to_new(made, target).map_err(moved);
        }
        if !disk::exchange(made, target).map_err(moved)? {
            return self.replace_in_two_steps();
        }
        // somebody may have changed it since it was looked at
        earlier::check(made, target, self.place.contents).inspect_err(|_| {
            let _ = disk::exchange(made, target);
        })
    }

    /// For systems that cannot exchange two directories.
    fn replace_in_two_steps(&self) -> Result<(), OutputError> {
        let target = self.target();
        let moved = |source| OutputError::Move { path: target.to_owned(), source };
        let aside = Staging::new(&self.parent, self.place.contents)?;
        let old = aside.path().join("old");
        fs::rename(target, &old).map_err(moved)?;
        let put = earlier::check(&old, target, self.place.contents)
            .and_then(|()| fs::rename(self.staging.path(), target).map_err(moved));
        if put.is_err() {
            fs::rename(&old, target).map_err(moved)?;
        } else {
            staging::remove(&old, self.place.contents);
        }
        put
    }
}

impl Place {
    /// Refuses to overwrite anything but an earlier result of the same kind, and that only by force.
    fn check(&self) -> Result<(), OutputError> {
        let path = || self.target.clone();
        let kind = match fs::symlink_metadata(&self.target) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(OutputError::Look { path: path(), source }),
            Ok(metadata) => metadata.file_type(),
        };
        if kind.is_dir() {
            if !self.force {
                return Err(OutputError::Exists { path: path(), contents: self.contents });
            }
            self.check_inputs()?;
        }
        earlier::check(&self.target, &self.target, self.contents)
    }

    /// Refuses to replace what the command reads, whichever way leads there.
    fn check_inputs(&self) -> Result<(), OutputError> {
        let look = |source| OutputError::Look { path: self.target.clone(), source };
        let target = fs::canonicalize(&self.target).map_err(look)?;
        // what is not there is refused when it is read
        let is_inside = |input: &&PathBuf| fs::canonicalize(input).is_ok_and(|input| input.starts_with(&target));
        match self.inputs.iter().find(is_inside) {
            Some(input) => Err(OutputError::Input { path: self.target.clone(), input: input.clone() }),
            None => Ok(()),
        }
    }
}

/// Whether a directory holds these files, to the byte, and nothing else.
pub fn holds_exactly<'a>(directory: &Path, files: impl Iterator<Item = (&'a str, &'a [u8])>) -> bool {
    let mut expected = 0;
    for (name, bytes) in files {
        expected += 1;
        // what is no plain file, such as a pipe, might be read for ever
        let path = directory.join(name);
        let has_size = |found: fs::Metadata| found.is_file() && found.len() == bytes.len() as u64;
        if !(fs::symlink_metadata(&path).is_ok_and(has_size) && fs::read(&path).is_ok_and(|found| found == bytes)) {
            return false;
        }
    }
    fs::read_dir(directory).is_ok_and(|entries| entries.count() == expected)
}

/// The columns of an estimate in a table, after those of its points.
const COLUMNS: [&str; 5] = ["value", "posterior_sd", "noise_sd", "lower", "upper"];

/// An estimate as CSV, numbers in their shortest exact form.
pub fn table<P: DomainPoint>(points: &[PointEstimate<P>]) -> Result<String, TableError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(P::NAMES.iter().chain(&COLUMNS)).map_err(|_| TableError)?;
    for point in points {
        csv.serialize(numbers(point)).map_err(|_| TableError)?;
    }
    text_of(csv)
}

/// Numbers in named columns as CSV, with the names of the rows in the first column where they have names.
pub fn csv_of(table: &Table) -> Result<String, TableError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let columns = table.columns.iter().map(String::as_str);
    csv.write_record(table.key.into_iter().chain(columns)).map_err(|_| TableError)?;
    for (name, numbers) in &table.rows {
        match table.key {
            Some(_) => csv.serialize((name, numbers)),
            None => csv.serialize(numbers),
        }
        .map_err(|_| TableError)?;
    }
    text_of(csv)
}

fn numbers<P: DomainPoint>(point: &PointEstimate<P>) -> Vec<f64> {
    let PointEstimate { at, value, posterior_sd, noise_sd, lower, upper } = *point;
    at.coordinates().chain([value, posterior_sd, noise_sd, lower, upper]).collect()
}

/// What was written, as text.
pub fn text_of(csv: csv::Writer<Vec<u8>>) -> Result<String, TableError> {
    let bytes = csv.into_inner().map_err(|_| TableError)?;
    String::from_utf8(bytes).map_err(|_| TableError)
}
