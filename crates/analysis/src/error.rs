//! Why an analysis of a release was refused. Everything in an error is public.

use dpfda_kernels::{EigenError, GridError, KernelError, SpectrumError};
use dpfda_mechanism::{exact, rounded};
use dpfda_release::{FunctionalError, PenaltyError};
use thiserror::Error;

/// The level of a band must lie between these numbers.
const LOWEST_LEVEL: f64 = 0.5;
/// See [`LOWEST_LEVEL`].
const HIGHEST_LEVEL: f64 = 0.9999;

/// How far the variance of a rung may be from 1.
pub(crate) const VARIANCE_SLACK: f64 = 1e-12;

/// Refuses a level that no band states.
pub(crate) fn check_level(level: f64) -> Result<(), AnalysisError> {
    if level > LOWEST_LEVEL && level < HIGHEST_LEVEL { Ok(()) } else { Err(AnalysisError::Level { value: level }) }
}

/// Why an analysis of a release was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum AnalysisError {
    /// A family of the ladder, or the ladder, is empty.
    #[error("a ladder needs at least one family of kernels, at least one kernel in each family, and one amplitude")]
    EmptyLadder,
    /// A kernel of the ladder has another variance than 1.
    #[error(
        "a kernel of the ladder must have variance 1 (to {VARIANCE_SLACK:e}), because the amplitudes carry the variance; \
         rung {index} (counted from 0) has variance {variance:?}"
    )]
    RungVariance {
        /// The place of the kernel in the ladder, from 0.
        index: usize,
        /// Its variance.
        variance: f64,
    },
    /// The amplitudes are not positive, finite and increasing.
    #[error(
        "the amplitudes of a ladder must be positive, finite and increasing, but amplitude {index} (counted from 0) is {value:?}"
    )]
    Amplitude {
        /// The place of the amplitude, from 0.
        index: usize,
        /// The amplitude.
        value: f64,
    },
    /// The normal prior of the amplitudes has no density.
    #[error(
        "the prior of log10(amplitude) needs a finite mean and a positive, finite sd, got mean {mean:?} and sd {sd:?}"
    )]
    AmplitudePrior {
        /// The mean given.
        mean: f64,
        /// The standard deviation given.
        sd: f64,
    },
    /// A vector or matrix does not have the length that the rest needs.
    #[error("{what} must have length {expected}, got {found}")]
    Length {
        /// What it is.
        what: &'static str,
        /// The length that is needed.
        expected: usize,
        /// The length given.
        found: usize,
    },
    /// A number is not finite or outside its range.
    #[error("{what} must be {allowed}, got {value:?}")]
    Number {
        /// What it is.
        what: &'static str,
        /// What is allowed.
        allowed: &'static str,
        /// The number given.
        value: f64,
    },
    /// A function is not extrapolated.
    #[error("the mean is known from {} to {}, not at {}; a release is not extrapolated", exact(*lower), exact(*upper), exact(*value))]
    OutsideDomain {
        /// The point asked for.
        value: f64,
        /// Where the domain begins.
        lower: f64,
        /// Where the domain ends.
        upper: f64,
    },
    /// An area needs two ends in order.
    #[error("the first end of an area must be below the second, got {from:?} and {to:?}")]
    Ends {
        /// The first end.
        from: f64,
        /// The second end.
        to: f64,
    },
    /// Two functions can be compared only on the same domain.
    #[error("the means live on different domains: [{lower:?}, {upper:?}] and [{other_lower:?}, {other_upper:?}]")]
    DomainsDiffer {
        /// Where this domain begins.
        lower: f64,
        /// Where this domain ends.
        upper: f64,
        /// Where the other begins.
        other_lower: f64,
        /// Where the other ends.
        other_upper: f64,
    },
    /// No kernel of the ladder that has weight is differentiable.
    #[error(
        "no differentiable kernel of the ladder has weight, so the mean has no slope under this prior; use a ladder with a \
         Gaussian or Matern kernel of smoothness above 1/2"
    )]
    NotDifferentiable,
    /// The posterior mixes kernels, so that there is no one eigenbasis.
    #[error(
        "coefficients belong to the eigenbasis of one kernel, and a posterior mixes several; ask for integrals with weights"
    )]
    NoEigenbasis,
    /// A level outside the allowed range.
    #[error("level must be above {LOWEST_LEVEL} and below {HIGHEST_LEVEL}, got {value:?}")]
    Level {
        /// The level given.
        value: f64,
    },
    /// The band needs white noise on the mean itself.
    #[error(
        "the band `{band}` needs white noise on the mean itself, and this release has noise of another shape: release with \
         the isonormal mechanism, a delta above 0 and no bound on slope or roughness, or ask for the band `population`, `posterior` or `noise`"
    )]
    NeedsIsonormal {
        /// The band asked for.
        band: &'static str,
    },
    /// A band that surfaces do not have.
    #[error("a surface has the bands `population`, `posterior` and `noise`, and not `{band}`")]
    BandOfSurface {
        /// The band asked for.
        band: &'static str,
    },
    /// A test of equality without white noise.
    #[error(
        "the test of equality needs white noise on both means: release both with the isonormal mechanism, a delta above 0 and no bound on \
         slope or roughness"
    )]
    TestNeedsIsonormal,
    /// Two releases on different grids.
    #[error("the two releases are on different grids: only means at the same points can be compared")]
    OtherGrid,
    /// One release twice.
    #[error("both releases are the same one: give the releases of two groups of people")]
    SameRelease,
    /// The band needs a sampling variance, and nobody can estimate one from one record.
    #[error(
        "the band `{band}` is about a population, and the release says {records} records: at least 2 are needed; ask for the \
         band `posterior`"
    )]
    TooFewRecords {
        /// The band asked for.
        band: &'static str,
        /// The number of records, noisy where it is private.
        records: f64,
    },
    /// A group of which the release says too little.
    #[error(
        "nothing can be said about the mean of a group whose noisy number of records ({}, standard deviation of the noise {}) is below 10, \
         or below 4 of these standard deviations",
        rounded(*records),
        rounded(*sd)
    )]
    GroupTooSmall {
        /// The noisy number of records.
        records: f64,
        /// The standard deviation of its noise.
        sd: f64,
    },
    /// Covariates that the noise hides.
    #[error(
        "the design is too weak for its noise: the smallest eigenvalue of the noisy products of covariates is {}, and must be above {}. \
         {} would do; or have fewer covariates, narrower ranges or a larger budget. Nothing more can be made of this release",
        rounded(*smallest),
        rounded(*needed),
        records_for_design(*smallest, *needed, *records)
    )]
    DesignTooWeak {
        /// The smallest eigenvalue.
        smallest: f64,
        /// What it must be above.
        needed: f64,
        /// The number of records, noisy where it is private.
        records: f64,
    },
    /// A covariate outside its public range.
    #[error("covariate {place} of the list is outside its public range, or no number or level")]
    Covariate {
        /// The place of the covariate, from 1.
        place: usize,
    },
    /// A functional cannot be asked for.
    #[error(transparent)]
    Functional(#[from] FunctionalError),
    /// A smoother cannot be made.
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    /// A kernel is unusable.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A grid is unusable.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A smoother has no spectrum on the grid.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// The eigensolver did not converge.
    #[error(transparent)]
    Eigen(#[from] EigenError),
}

/// How many records would do: the smallest eigenvalue grows with them, and its noise does not.
fn records_for_design(smallest: f64, needed: f64, records: f64) -> String {
    if smallest > needed {
        "A few more records than covariates".to_owned()
    } else if smallest > 0.0 {
        format!("About {} records of the same kind", rounded((records * needed / smallest).ceil()))
    } else {
        "Many more records of the same kind".to_owned()
    }
}
