//! A new file with one figure.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use dpfda::plotting::FigureError;
use thiserror::Error;

use crate::shown::shown;

/// Why there is no figure. Everything in the error is public.
#[derive(Debug, Error)]
pub enum FigureFileError {
    /// A file of no known kind.
    #[error("--figure: the name `{}` must end in .svg or .png; give a name such as figure.svg", shown(path))]
    Name {
        /// The path.
        path: PathBuf,
    },
    /// Something is there already.
    #[error("--figure: `{}` exists; give another name, or remove the file first", shown(path))]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("--figure: cannot write `{}`: {source}; give a name in a folder that exists and is writable", shown(path))]
    Write {
        /// The path.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The figure cannot be drawn.
    #[error("--figure: {0}\nhint: leave --figure out")]
    Figure(#[from] FigureError),
}

/// A file that the figure may be written to.
pub struct FigureFile {
    path: PathBuf,
    is_png: bool,
}

impl FigureFile {
    /// Refuses a name of no known kind, and a file that exists.
    pub fn check(path: &Path) -> Result<Self, FigureFileError> {
        let ends_in = |wanted: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(wanted));
        let is_png = ends_in("png");
        if !is_png && !ends_in("svg") {
            return Err(FigureFileError::Name { path: path.to_owned() });
        }
        if path.symlink_metadata().is_ok() {
            return Err(FigureFileError::Exists { path: path.to_owned() });
        }
        Ok(Self { path: path.to_owned(), is_png })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Draws a figure to the file, which must be new.
    pub fn write(
        &self,
        svg: impl FnOnce() -> Result<String, FigureError>,
        png: impl FnOnce() -> Result<Vec<u8>, FigureError>,
    ) -> Result<(), FigureFileError> {
        let bytes = if self.is_png { png()? } else { svg()?.into_bytes() };
        let written = File::create_new(&self.path).and_then(|mut file| file.write_all(&bytes));
        written.map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => FigureFileError::Exists { path: self.path.clone() },
            _ => FigureFileError::Write { path: self.path.clone(), source },
        })
    }
}
