//! Why an analysis of a release was refused. Everything in an error is public.

use dpfda_kernels::{EigenError, GridError, KernelError, SpectrumError};
use dpfda_mechanism::{exact, rounded};
use dpfda_release::{CentilesError, FunctionalError, PenaltyError};
use thiserror::Error;

use crate::components::ComponentsError;

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
#[allow(missing_docs, reason = "the messages say it")]
pub enum AnalysisError {
    #[error("a ladder needs at least one family of kernels, at least one kernel in each family, and one amplitude")]
    EmptyLadder,
    #[error(
        "a kernel of the ladder must have variance 1 (to {VARIANCE_SLACK:e}), because the amplitudes carry the variance; \
         rung {index} (counted from 0) has variance {variance:?}"
    )]
    RungVariance {
        /// The place of the kernel in the ladder, from 0.
        index: usize,
        variance: f64,
    },
    #[error(
        "the amplitudes of a ladder must be positive, finite and increasing, but amplitude {index} (counted from 0) is {value:?}"
    )]
    Amplitude {
        /// The place of the amplitude, from 0.
        index: usize,
        value: f64,
    },
    #[error(
        "the prior of log10(amplitude) needs a finite mean and a positive, finite sd, got mean {mean:?} and sd {sd:?}"
    )]
    AmplitudePrior { mean: f64, sd: f64 },
    #[error("{what} must have length {expected}, got {found}")]
    Length { what: &'static str, expected: usize, found: usize },
    #[error("{what} must be {allowed}, got {value:?}")]
    Number { what: &'static str, allowed: &'static str, value: f64 },
    #[error("the mean is known from {} to {}, not at {}; a release is not extrapolated", exact(*lower), exact(*upper), exact(*value))]
    OutsideDomain { value: f64, lower: f64, upper: f64 },
    #[error("the first end of an area must be below the second, got {from:?} and {to:?}")]
    Ends { from: f64, to: f64 },
    #[error("the means live on different domains: [{lower:?}, {upper:?}] and [{other_lower:?}, {other_upper:?}]")]
    DomainsDiffer { lower: f64, upper: f64, other_lower: f64, other_upper: f64 },
    #[error("level must be above {LOWEST_LEVEL} and below {HIGHEST_LEVEL}, got {value:?}")]
    Level { value: f64 },
    #[error(
        "the band `{band}` needs white noise on the mean itself, and this release has noise of another shape: release with \
         the isonormal mechanism, a delta above 0 and no bound on slope or roughness, or ask for the band `population`, `posterior` or `noise`"
    )]
    NeedsIsonormal { band: &'static str },
    #[error("a surface has the bands `population`, `posterior` and `noise`, and not `{band}`")]
    BandOfSurface { band: &'static str },
    #[error(
        "values at a point may not be normal: the evidence for another shape is {} times that for the normal one. A normal chart is shown \
         where the normal shape has more",
        times(*log_evidence)
    )]
    NotNormal {
        /// The logarithm of that ratio.
        log_evidence: f64,
    },
    #[error(
        "the bounds cut off many values, and whether those are normal cannot be seen. A normal chart is shown where the bounds hold nearly all"
    )]
    CutOff,
    #[error("the noise hides how people differ, and with it whether their values are normal")]
    SpreadHidden,
    #[error(transparent)]
    Centiles(CentilesError),
    #[error("{what} have the band `population`, and not `{band}`")]
    OneBand {
        /// Centiles, or correlations.
        what: &'static str,
        band: &'static str,
    },
    #[error(
        "the test of equality needs white noise on both means: release both with the isonormal mechanism, a delta above 0 and no bound on \
         slope or roughness"
    )]
    TestNeedsIsonormal,
    #[error("the two releases are on different grids: only means at the same points can be compared")]
    OtherGrid,
    #[error("the first is a mean {first}, and the second one {second}: only means of the same can be compared")]
    OtherQuantity { first: &'static str, second: &'static str },
    #[error(
        "a test of several groups needs at least 2 whose noisy number of records is at least 10, and at least 4 standard deviations of its \
         noise; {left} of the groups asked for are left"
    )]
    FewGroups { left: usize },
    #[error(
        "one record of this release may count in {most} groups, which makes the means of groups depend on each other: the test of several \
         groups is for releases in which each record counts in one"
    )]
    SharedMembers { most: usize },
    #[error("group {place} of the list is no group of the release, or stands in the list twice")]
    NoGroup {
        /// The place of the name in the list, from 1.
        place: usize,
    },
    #[error("both releases are the same one: give the releases of two groups of people")]
    SameRelease,
    #[error(
        "the band `{band}` is about a population, and the release says {records} records: at least 2 are needed; ask for the \
         band `posterior`"
    )]
    TooFewRecords {
        band: &'static str,
        /// The number of records, noisy where it is private.
        records: f64,
    },
    #[error(
        "nothing can be said about a mean of records whose noisy number ({}, standard deviation of the noise {}) is below 10, \
         or below 4 of these standard deviations",
        rounded(*records),
        rounded(*sd)
    )]
    GroupTooSmall {
        /// The noisy number of records.
        records: f64,
        sd: f64,
    },
    #[error(
        "the design is too weak for its noise: the smallest eigenvalue of the noisy products of covariates is {}, and must be above {}. \
         {} would do; or have fewer covariates, narrower ranges or a larger budget. Nothing more can be made of this release",
        rounded(*smallest),
        rounded(*needed),
        records_for_design(*smallest, *needed, *records)
    )]
    DesignTooWeak {
        smallest: f64,
        needed: f64,
        /// The number of records, noisy where it is private.
        records: f64,
    },
    #[error("covariate {place} of the list is outside its public range, or no number or level")]
    Covariate {
        /// The place of the covariate, from 1.
        place: usize,
    },
    #[error(
        "the bands `prediction` and `tolerance` and completed curves need second moments of the curves, and this release holds none for this \
         mean: release a mean, or means of groups, with normal noise and the moments `mean` or `covariance`, which spends the budget of \
         a new release"
    )]
    NoMoments,
    #[error(
        "the release does not tell how much one person differs from the mean: the total variance of the curves is {}, its privacy noise has \
         a standard deviation of {}, and there are {} degrees of freedom. More than 2 of these standard deviations are needed, and \
         at least 5 degrees of freedom: more people, a smaller radius or a larger budget would do in a new release",
        rounded(*total),
        rounded(*sd),
        rounded(*freedom)
    )]
    PersonHidden {
        total: f64,
        sd: f64,
        /// The degrees of freedom of the estimate of the variance.
        freedom: f64,
    },
    #[error(
        "the outcome must be one of the private covariates of the release, a number or a category of two levels. Of a public design, and of \
         documents of earlier versions, nothing can be said here"
    )]
    NoOutcome,
    #[error(
        "noise hides how much {what} differ between people{}. More people, a larger budget or a narrower range would do in a new release",
        against_noise(*variance, *sd)
    )]
    OutcomeHidden {
        /// Outcomes, or curves.
        what: &'static str,
        variance: f64,
        sd: f64,
    },
    #[error(
        "the band of the correlation reaches {} to each side on average, and a correlation lies between -1 and 1",
        rounded(*half_width)
    )]
    CorrelationHidden { half_width: f64 },
    #[error(
        "no association can be told from the noise: the evidence for one is {} times that for none, and 10 times are needed",
        rounded(log_evidence.exp())
    )]
    NoAssociation {
        /// The logarithm of that ratio.
        log_evidence: f64,
    },
    #[error("a curve is completed from at least 3 values of it, and {found} are given")]
    FewSeen { found: usize },
    #[error("the points of a curve that is completed must increase: give one value for each point, in their order")]
    SeenOrder,
    #[error(
        "point {place} of the curve lies outside the domain of the release, which is from {} to {}: leave such points out",
        exact(*lower),
        exact(*upper)
    )]
    SeenOutside {
        /// The place of the point in the list, from 1.
        place: usize,
        lower: f64,
        upper: f64,
    },
    #[error("value {place} of the curve is no number of at most 1e100 in size")]
    SeenValue {
        /// The place of the value in the list, from 1.
        place: usize,
    },
    #[error("the curve has a value at every point of the release: nothing is left to complete")]
    SeenAll,
    #[error(transparent)]
    Functional(#[from] FunctionalError),
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    #[error(transparent)]
    Eigen(#[from] EigenError),
}

impl AnalysisError {
    /// The refusal of components in the words of what one person is made of.
    pub(crate) fn of_person(error: ComponentsError) -> Self {
        match error {
            ComponentsError::TooFewRecords { records } => Self::TooFewRecords { band: "prediction", records },
            ComponentsError::Analysis(error) => error,
            _ => Self::NoMoments,
        }
    }
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

/// How many times as large one evidence is as another, given the logarithm of the ratio.
fn times(log_evidence: f64) -> String {
    let ratio = log_evidence.exp();
    if ratio > 1e6 { "more than a million".to_owned() } else { rounded(ratio) }
}

/// A variance beside the standard deviation of its noise; nothing where a noisy number of people leaves neither.
fn against_noise(variance: f64, sd: f64) -> String {
    if !(variance.is_finite() && sd.is_finite()) {
        return String::new();
    }
    let (variance, sd) = (rounded(variance), rounded(sd));
    format!(
        ": the variance is {variance}, and its noise has a standard deviation of {sd}. More than 2 of these are needed"
    )
}
