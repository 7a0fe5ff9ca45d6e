//! Files that are made of a release once it is drawn: what cannot be made is told, and takes nothing else with it.
//!
//! Whether a file can be made depends on the release and on public settings alone.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dpfda::plotting::{Drawing, Format};

use crate::error::CliError;
use crate::look::Look;
use crate::output::OutputError;
use crate::unmade::Unmade;

/// The figure of a release, in the order of the kinds of files.
pub const FIGURES: [&str; 3] = ["release.svg", "release.pdf", "release.png"];

/// Takes files, one by one. A file of a name that was given before takes its place.
pub type Sink<'a> = &'a mut dyn FnMut(&'static str, &[u8]) -> Result<(), OutputError>;

/// Makes something of a release; a fault of this program is a refusal here.
pub fn attempt<T, E: Into<Unmade>>(make: impl FnOnce() -> Result<T, E>) -> Result<T, Unmade> {
    catch_unwind(AssertUnwindSafe(make)).map_or(Err(Unmade::Fault), |made| made.map_err(Into::into))
}

/// The files of a release: where they go, and which of them could not be made.
pub struct Files<'a> {
    sink: Sink<'a>,
    unmade: Vec<(&'static str, Unmade)>,
}

impl<'a> Files<'a> {
    /// No file yet.
    pub fn new(sink: Sink<'a>) -> Self {
        Self { sink, unmade: Vec::new() }
    }

    /// Makes some files at once and writes them, or remembers why they cannot be made.
    pub fn make<const N: usize>(
        &mut self,
        names: [&'static str; N],
        make: impl FnOnce() -> Result<[Vec<u8>; N], OutputError>,
    ) -> Result<(), OutputError> {
        self.write(names[0], || Ok(names.into_iter().zip(make()?).collect()))
    }

    /// The same of a figure, where there is one: the kinds of files that are asked for, of these names.
    pub fn draw(
        &mut self,
        names: [&'static str; 3],
        look: &Look,
        make: impl FnOnce() -> Result<Option<Drawing>, OutputError>,
    ) -> Result<(), OutputError> {
        self.write(names[0], || {
            let Some(figure) = make()? else { return Ok(Vec::new()) };
            let formats: Vec<Format> = look.formats().collect();
            let names = formats.iter().map(|format| names[*format as usize]);
            Ok(names.zip(figure.to_files(&formats)?).collect())
        })
    }

    fn write(
        &mut self,
        first: &'static str,
        make: impl FnOnce() -> Result<Vec<(&'static str, Vec<u8>)>, OutputError>,
    ) -> Result<(), OutputError> {
        match attempt(make) {
            Ok(files) => files.into_iter().try_for_each(|(name, bytes)| (self.sink)(name, &bytes)),
            Err(reason) => {
                self.unmade.push((first, reason));
                Ok(())
            }
        }
    }

    /// Remembers what was to be made of the release and could not be.
    pub fn without(&mut self, name: &'static str, reason: Unmade) {
        self.unmade.push((name, reason));
    }

    /// What could not be made, by the first of the files that are missing.
    pub fn unmade(self) -> Vec<(&'static str, Unmade)> {
        self.unmade
    }
}

/// All files, or the first reason why one could not be made.
pub fn all(sink: Sink<'_>, write: impl FnOnce(&mut Files<'_>) -> Result<(), OutputError>) -> Result<(), CliError> {
    let mut files = Files::new(sink);
    write(&mut files)?;
    match files.unmade().into_iter().next() {
        None => Ok(()),
        Some((name, reason)) => Err(CliError::Unmade { name, reason }),
    }
}
