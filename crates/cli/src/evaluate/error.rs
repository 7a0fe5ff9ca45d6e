//! What `dpfda evaluate` refuses.

use dpfda::analysis::{AnalysisError, ComponentsError};
use dpfda::release::CentilesError;
use thiserror::Error;

use crate::error::own_refusals;

/// What has centiles whatever the moments.
const FREE_CHART: &str =
    "release centile curves in place of the mean (dpfda release --centiles): they need no second moments";

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
        "{argument}: a surface has values (--at), slices (--slice), slopes about points (--derivative), and the integral, the maximum and \
         the minimum of a slice\nhint: {cure}"
    )]
    OfCurves { argument: &'static str, cure: &'static str },
    #[error(
        "{argument}: they are of the mean, and a band of people says nothing of them\nhint: give --band population, or ask for values by --at"
    )]
    FeaturesOfPeople { argument: &'static str },
    #[error("--of: a mean curve at covariates has no name\nhint: leave --of out, or give points of the domain by --at")]
    NameAndCovariates,
    #[error(
        "{argument}: curves are printed, and nothing else\nhint: leave --at, --slice, {other} and the features out"
    )]
    Alone { argument: &'static str, other: &'static str },
    #[error("--outcome: {0}")]
    Outcome(AnalysisError),
    #[error("--centiles: {0}")]
    Centiles(CentilesError),
    #[error("--centiles: {0}\nhint: {FREE_CHART}")]
    NotNormal(ComponentsError),
    #[error(
        "--centiles: a regression holds no second moments of people who have the same covariates\nhint: {FREE_CHART}"
    )]
    OfRegression,
    #[error("--outcome: the regression has no such covariate: it has {}\nhint: name one of them", .known.join(", "))]
    NoOutcome { known: Vec<String> },
    #[error("--normal: {0}\nhint: leave --normal out: the curves of the release assume no shape")]
    Normal(AnalysisError),
    #[error("--normal: centiles of a mean are those of normal values already\nhint: leave --normal out")]
    AlreadyNormal,
    #[error("{argument}: {reason}")]
    Feature { argument: &'static str, reason: AnalysisError },
}

own_refusals!(EvaluateRefusal);
