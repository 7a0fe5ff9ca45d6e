//! A single new file that a command writes.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use dpfda::plotting::{Drawing, FigureError, Format};
use dpfda_study::Figure as Settings;
use thiserror::Error;

use crate::error::{CliError, own_refusals};
use crate::misasked::Misasked;
use crate::shown::shown;

/// Why a file was not written. The path is public.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NewFileError {
    #[error("{argument}: the name `{}` must end in {ends}; give a name such as {example}", shown(path))]
    Kind { argument: &'static str, path: PathBuf, ends: &'static str, example: &'static str },
    #[error("{argument}: `{}` exists; give another name, or remove the file first", shown(path))]
    Exists { argument: &'static str, path: PathBuf },
    #[error(
        "{argument}: cannot write `{}`: {source}; give a name in a folder that exists, is writable and has room",
        shown(path)
    )]
    Write { argument: &'static str, path: PathBuf, source: io::Error },
    #[error("{argument}: {source}\nhint: leave {argument} out")]
    Figure { argument: &'static str, source: FigureError },
}

own_refusals!(NewFileError);

/// A file that does not exist yet.
pub struct NewFile {
    argument: &'static str,
    path: PathBuf,
}

impl NewFile {
    /// Refuses a file that exists.
    pub fn check(argument: &'static str, path: &Path) -> Result<Self, NewFileError> {
        if path.symlink_metadata().is_ok() {
            return Err(NewFileError::Exists { argument, path: path.to_owned() });
        }
        Ok(Self { argument, path: path.to_owned() })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file, which must still be new.
    pub fn write(&self, bytes: &[u8]) -> Result<(), NewFileError> {
        self.create(bytes, OpenOptions::new().write(true).create_new(true))
    }

    /// The same for private data: nobody else on this machine may read the file. A file that was not written whole is removed.
    pub fn write_secret(&self, bytes: &[u8]) -> Result<(), NewFileError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        self.create(bytes, &options)
    }

    fn create(&self, bytes: &[u8], options: &OpenOptions) -> Result<(), NewFileError> {
        let (argument, path) = (self.argument, || self.path.clone());
        let written = options.open(&self.path).and_then(|mut file| {
            let written = file.write_all(bytes).and_then(|()| file.sync_all());
            // half a file helps nobody
            written.inspect_err(|_| drop(fs::remove_file(&self.path)))
        });
        written.map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => NewFileError::Exists { argument, path: path() },
            _ => NewFileError::Write { argument, path: path(), source },
        })
    }
}

/// A file that pages may be written to: `--out` of reports.
pub struct PageFile {
    /// The file.
    pub file: NewFile,
    /// Whether it is a document of sheets, and no page of the web.
    pub is_pdf: bool,
}

impl PageFile {
    /// Refuses a name of no known kind, and a file that exists.
    pub fn check(path: &Path, example: &'static str) -> Result<Self, NewFileError> {
        const ARGUMENT: &str = "--out";
        let ends_in = |end: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(end));
        let is_pdf = ends_in("pdf");
        if !is_pdf && !ends_in("html") && !ends_in("htm") {
            let ends = ".html or .pdf";
            return Err(NewFileError::Kind { argument: ARGUMENT, path: path.to_owned(), ends, example });
        }
        Ok(Self { file: NewFile::check(ARGUMENT, path)?, is_pdf })
    }
}

/// A file that a figure may be written to: `--figure`.
pub struct FigureFile {
    file: NewFile,
    format: Format,
}

impl FigureFile {
    const ARGUMENT: &'static str = "--figure";

    /// Refuses a name of no known kind, and a file that exists.
    pub fn check(path: &Path, example: &'static str) -> Result<Self, NewFileError> {
        let ends_in = |format: &Format| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(format.name()));
        let Some(format) = Format::ALL.into_iter().find(ends_in) else {
            let (argument, ends) = (Self::ARGUMENT, ".svg, .pdf or .png");
            return Err(NewFileError::Kind { argument, path: path.to_owned(), ends, example });
        };
        Ok(Self { file: NewFile::check(Self::ARGUMENT, path)?, format })
    }

    /// The same of an option that may be left out, and with it what says how the figure looks.
    pub fn asked(path: Option<&Path>, look: &Settings, example: &'static str) -> Result<Option<Self>, CliError> {
        match path {
            Some(path) => Ok(Some(Self::check(path, example)?)),
            None if *look == Settings::default() => Ok(None),
            None => Err(Misasked::NoFigure.into()),
        }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Draws the figure to the file, which must be new.
    pub fn write(&self, figure: &Drawing) -> Result<(), NewFileError> {
        self.file.write(&self.drawn(figure)?)
    }

    /// The same for a figure of private data: nobody else on this machine may read the file.
    pub fn write_secret(&self, figure: &Drawing) -> Result<(), NewFileError> {
        self.file.write_secret(&self.drawn(figure)?)
    }

    /// What is drawn for the file.
    pub fn drawn_by<T>(draw: impl FnOnce() -> Result<T, FigureError>) -> Result<T, NewFileError> {
        draw().map_err(|source| NewFileError::Figure { argument: Self::ARGUMENT, source })
    }

    fn drawn(&self, figure: &Drawing) -> Result<Vec<u8>, NewFileError> {
        Self::drawn_by(|| figure.to_file(self.format))
    }
}
