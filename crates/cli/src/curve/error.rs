//! Why there is no such curve in a release.

use std::path::PathBuf;

use dpfda::analysis::AnalysisError;
use thiserror::Error;

use crate::error::own_refusals;
use crate::shown::shown;

/// Why a release has not the curve that was asked for.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CurveRefusal {
    #[error("--of: the release has {}", .known.join(", "))]
    Name { known: Vec<String> },
    #[error("--of was not given: the release has several functions, {}\nhint: name one of them{}", .known.join(", "), whole_mean(*.is_regression))]
    NoName { known: Vec<String>, is_regression: bool },
    #[error("--at: only a regression has covariates\nhint: give points of the domain, such as --at 0.25,0.5")]
    NoCovariates,
    #[error("RELEASE.json: {0}")]
    Weak(AnalysisError),
    #[error("--of: this is no release of groups and no regression\nhint: leave --of out")]
    OneMean,
    #[error("--of: `{name}`: {reason}")]
    Hidden { name: String, reason: AnalysisError },
    #[error(
        "{}: this release has several functions, {}\nhint: {}",
        shown(path), known.join(", "), instead_of_comparing(*.is_regression)
    )]
    Several { path: PathBuf, known: Vec<String>, is_regression: bool },
}

own_refusals!(CurveRefusal);

/// What is done with several functions, of which none is compared with another release.
fn instead_of_comparing(is_regression: bool) -> &'static str {
    if is_regression {
        "coefficients of a regression are differences already: `dpfda evaluate --of NAME` shows one with its band"
    } else {
        "compare two groups of one release by --groups, without a second release"
    }
}

/// What a regression has besides its coefficients.
fn whole_mean(is_regression: bool) -> &'static str {
    if is_regression {
        ", or give a value of every covariate by --at, such as --at age=60,case=1, for the mean curve there"
    } else {
        ""
    }
}
