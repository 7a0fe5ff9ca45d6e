//! What `dpfda evaluate` refuses.

use dpfda::analysis::AnalysisError;
use thiserror::Error;

/// Why an answer was refused.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EvaluateRefusal {
    #[error("--at: values are printed as CSV, and other answers in words\nhint: give --json for all of them at once")]
    Several,
    #[error("--at, --slice, --derivative: one of them at a time is printed\nhint: give --json for all of them at once")]
    SeveralOfSurface,
    #[error(
        "{argument}: the points of a surface are pairs S1,T1,S2,T2,..., and {found} numbers were given\nhint: give an s and a t for each \
         point, such as {argument} 1.5,12"
    )]
    Pairs { argument: &'static str, found: usize },
    #[error(
        "{argument}: a surface has values (--at), slices (--slice) and slopes (--derivative)\nhint: leave {argument} out"
    )]
    OfCurves { argument: &'static str },
    #[error(
        "--band: the intervals of the slopes of a surface are about the mean of these very people, and not of the population\n\
         hint: leave --band out, or give --band posterior"
    )]
    SlopesOfPopulation,
    #[error("--of: the release has {}", .known.join(", "))]
    Name { known: Vec<String> },
    #[error("--of was not given: the release has several functions, {}\nhint: name one of them{}", .known.join(", "), whole_mean(*.is_regression))]
    NoName { known: Vec<String>, is_regression: bool },
    #[error("--at: only a regression has covariates\nhint: give points of the domain, such as --at 0.25,0.5")]
    NoCovariates,
    #[error("--of: a mean curve at covariates has no name\nhint: leave --of out, or give points of the domain by --at")]
    NameAndCovariates,
    #[error("RELEASE.json: {0}")]
    Weak(AnalysisError),
    #[error("--of: this is no release of groups and no regression\nhint: leave --of out")]
    OneMean,
    #[error("--of: `{name}`: {reason}")]
    Hidden { name: String, reason: AnalysisError },
    #[error("{argument}: {reason}")]
    Feature { argument: &'static str, reason: AnalysisError },
}

/// What a regression has besides its coefficients.
fn whole_mean(is_regression: bool) -> &'static str {
    if is_regression {
        ", or give a value of every covariate by --at, such as --at age=60,case=1, for the mean curve there"
    } else {
        ""
    }
}
