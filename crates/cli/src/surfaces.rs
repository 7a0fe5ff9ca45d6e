//! `dpfda release --surface`: the private mean of surfaces, one in each row or from a long table.

use std::path::{Path, PathBuf};

use dpfda::analysis::Estimated;
use dpfda::mechanism::{Head, Statistic};
use dpfda::release::Surface;
use thiserror::Error;

use crate::document::{LARGEST, flawed};
use crate::error::{CliError, own_refusals};
use crate::input;
use crate::progress;
use crate::shown::shown;

/// What was asked of surfaces and is not there for them.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SurfaceRefusal {
    #[error(
        "{}: this is a release of surfaces, and a release of the mean of curves is needed here\nhint: show, report, smooth, evaluate, \
         audit, and compare with another release of surfaces take this one",
        shown(path)
    )]
    Curves { path: PathBuf },
    #[error("--groups: a release of surfaces has no groups\nhint: give the release of each group, A.json and B.json")]
    Groups,
    #[error(
        "B.json: a release of surfaces can be compared with a release of surfaces on the same grid, and this is none"
    )]
    OneOfTwo,
    #[error("{option}: this is no release of surfaces\nhint: leave {option} out")]
    NoSurface { option: &'static str },
}

own_refusals!(SurfaceRefusal);

/// A release of surfaces from its file, with its estimate; `None` for a release of another kind.
pub fn read(path: &Path) -> Result<Option<Estimated<Surface>>, CliError> {
    let text = input::document(path, LARGEST)?;
    if !Head::read(&text).is_ok_and(|head| head.kind == Surface::KIND) {
        return Ok(None);
    }
    let read = progress::waiting("estimating", || Estimated::<Surface>::from_json(&text));
    read.map(Some).map_err(|error| flawed(path, &text, &error))
}
