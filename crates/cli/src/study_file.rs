//! A study file, and the words of what it is refused for.

use std::path::Path;

use dpfda_study::{Checked, LARGEST, Refusal, Study};

use crate::error::CliError;
use crate::input::whole;
use crate::unread::Unread;

/// Whether a name is that of a study.
pub fn is_study(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// The study of a file.
pub fn read(path: &Path) -> Result<Study, CliError> {
    let bytes = whole(path, LARGEST as u64).map_err(|source| Unread::ReadStudy { path: path.to_owned(), source })?;
    let no_text = || Refusal::of("", "it is no text in UTF-8");
    let text = String::from_utf8(bytes).map_err(|_| of_file(path, no_text()))?;
    Study::from_toml(&text).map_err(|refusal| of_file(path, refusal))
}

/// The study of a file, checked.
pub fn checked(path: &Path) -> Result<Checked, CliError> {
    read(path)?.check(folder(Some(path))).map_err(|refusal| of_file(path, refusal))
}

/// Where paths in a study begin: its folder, or for options where the command is run.
pub fn folder(file: Option<&Path>) -> &Path {
    file.and_then(Path::parent).unwrap_or(Path::new(""))
}

/// A refusal in the names that the file writes.
pub fn of_file(path: &Path, refusal: Refusal) -> CliError {
    CliError::Study { file: Some(path.to_owned()), refusal }
}
