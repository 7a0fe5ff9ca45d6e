//! What a release will be worth, in numbers: the answer of a [`BayesRisk`](crate::BayesRisk).

use dpfda_kernels::{EigenError, GridError};
use dpfda_mechanism::{exact, rounded};
use serde::Serialize;
use thiserror::Error;

use crate::error::AnalysisError;
use crate::estimate::HARDLY_BETTER;

/// What the default estimate of a release of so many records will be worth, before there are data. Lengths are in the units of
/// the data, and all are for the stated radius.
///
/// ```text
/// sigma           = Delta / (mu N)                         noise of the whitened mean
/// unsmoothed_sd   = sigma sqrt(n)                          root mean square over the domain, n points
/// estimate_sd     = sigma sqrt(E sum_j s_j^2)              s_j = a lambda_j / (a lambda_j + sigma^2)
/// error           = sqrt(E sum_j sigma^2 s_j)              E over the prior of kernel and amplitude
/// half_width      = c sqrt(error^2 + tau^2/N + p^2)        c the critical value of the default band
/// resolvable      = the least sqrt(a) with an expected evidence of 10 against the centre
/// ```
///
/// `tau^2/N` is the sampling of people at its largest, and `p` what the pull on curves outside a bought ball may do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExpectedError {
    /// The number of records.
    pub records: u64,
    /// The stated radius.
    pub radius: f64,
    /// The standard deviation of the noise in each coordinate of the whitened mean.
    pub sigma: f64,
    /// The standard deviation of the noise in the mean before any smoothing: root mean square over the domain.
    pub unsmoothed_sd: f64,
    /// The standard deviation of the noise in the default estimate: root mean square over the domain.
    pub estimate_sd: f64,
    /// The expected root-mean-square distance between the default estimate and the mean of these people.
    pub error: f64,
    /// The same distance for the public centre in place of the estimate: what somebody knows without a release.
    pub center_error: f64,
    /// The half-width of the default band: root mean square over the domain.
    pub half_width: f64,
    /// The probability that the band states.
    pub level: f64,
    /// The root-mean-square distance of the mean from the centre from which on a release can tell them apart: the expected log
    /// evidence against the centre is that of [`Posterior::tells_mean_and_centre_apart`](crate::Posterior). Measured, a quarter
    /// of all releases told them apart at this distance, and 96% at twice it. `None` where not even the radius is enough.
    pub resolvable: Option<f64>,
    /// The standard deviation of the noise in the number of records, as a fraction of it; 0 where the number is public.
    pub relative_count_sd: f64,
    /// The least number of records that a radius is bought from; `None` where none is bought, or the number is private.
    pub least_records: Option<u64>,
    /// Whether a release of fewer keeps the stated radius, as the default does; a share that was asked for is refused.
    pub keeps_radius_of_few: bool,
}

impl ExpectedError {
    /// A length as a fraction of the stated radius.
    pub fn in_radii(&self, length: f64) -> f64 {
        length / self.radius
    }

    /// Whether the estimate is expected to be hardly better than the public centre: its error is above 0.7 of the centre's.
    pub fn is_hardly_better_than_the_center(&self) -> bool {
        self.error > HARDLY_BETTER * self.center_error
    }

    /// Whether a release would be refused, because so few records say nothing about a radius that is to be bought.
    pub fn is_refused(&self) -> bool {
        !self.keeps_radius_of_few && self.are_few()
    }

    /// Whether a release would keep the stated radius, because so few records say nothing about another.
    pub fn keeps_radius(&self) -> bool {
        self.keeps_radius_of_few && self.are_few()
    }

    fn are_few(&self) -> bool {
        self.least_records.is_some_and(|least| self.records < least)
    }
}

/// Why no error can be foretold. Everything in the error is public.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RiskError {
    #[error(
        "the number of records must be from {least} to {most}, got {found}: the mean of one person is that person's own curve"
    )]
    Records { least: u64, most: u64, found: u64 },
    #[error("the error to be reached must be positive and finite, got {}", exact(*value))]
    Error { value: f64 },
    #[error(
        "no release reaches an error of {}: with {most} records, the most that can be summed, the error is {}",
        exact(*value),
        rounded(*best)
    )]
    Unreachable { value: f64, most: u64, best: f64 },
    #[error(
        "errors are foretold for isonormal noise alone: the noise of the Cameron-Martin mechanism depends on its smoother"
    )]
    NotIsonormal,
    #[error("the errors of a release of {} were asked of one of {}", of_coordinates(*found), of_coordinates(*expected))]
    Coordinates { expected: Option<usize>, found: Option<usize> },
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

fn of_coordinates(number: Option<usize>) -> String {
    number.map_or_else(|| "all coordinates".to_owned(), |number| format!("{number} coordinates"))
}

impl From<EigenError> for RiskError {
    fn from(error: EigenError) -> Self {
        AnalysisError::from(error).into()
    }
}

impl From<GridError> for RiskError {
    fn from(error: GridError) -> Self {
        AnalysisError::from(error).into()
    }
}
