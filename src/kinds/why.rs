//! Why a kind lacks something: a sentence for each gap in the table.

use super::capability::Can;

type Gaps = &'static [(Can, &'static str)];

const STUDY: &str = "not yet: a study is of what the command releases";
const PARTS: &str = "not yet: nothing of the mechanism forbids it";
const NO_PARTS: &str = "a cluster makes parts, and there are none of this kind";
const LABELS: &str = "labels and covariates are read beside the curves, so a file is read twice and held";
const HELD: &str = "not yet: the records are held in memory";
const PURE: &str = "not yet: noise without a delta is proved for public coordinates of one mean of curves ([proof](proofs/pure-epsilon.md))";
const FORECAST: &str = "a forecast is of studies of curves";
const CHECK: &str = "not yet: `dpfda check` has the options of `dpfda release`, which does not release these";
const POSTERIOR: &str =
    "the estimate is a posterior mean, which has a public prior and no smoother ([proof](proofs/posterior.md))";
const ONE_MEAN: &str = "a release holds no two means";
const NO_COVARIATES: &str = "there are no covariates";
const PYTHON: &str = "not yet: Rust and Python release it";
const RUST: &str = "not yet: Rust releases it, and the front ends follow with the study";
const NUMBERS: &str = "numbers have standard deviations and no band";
const ASKED: &str =
    "the smoother is part of the question, and cannot be changed after the noise ([proof](proofs/functionals.md))";
const ASKED_PATH: &str =
    "the smoother is part of the mechanism, and cannot be changed after the noise ([proof](proofs/extension.md))";
const ASKED_BEFORE: &str = "slopes and areas are among the numbers that are asked for before the noise";
const DIFFERENCE: &str = "two numbers need no tool: the noise of two releases is independent, and its variances add up";
const FEW: &str = "some numbers are no function";
const TABLE: &str = "numbers are a table";
#[cfg(feature = "density")]
const NO_BALL: &str = "points lie in a box that is stated";
#[cfg(feature = "density")]
const NO_CURVE: &str = "points are no curves";

pub const MEAN: Gaps = &[(Can::CompareWithin, ONE_MEAN), (Can::Predict, NO_COVARIATES)];

pub const GROUPS: Gaps = &[
    (Can::Parts, PARTS),
    (Can::Stream, LABELS),
    (Can::Dask, NO_PARTS),
    (Can::Pure, PURE),
    (Can::Smoother, POSTERIOR),
    (Can::Compare, "the groups of one release are compared with each other"),
    (Can::Predict, NO_COVARIATES),
    (Can::Components, "not yet: the second moments of each group serve its band"),
];

pub const CHANGE: Gaps = &[
    (Can::Parts, PARTS),
    (Can::Stream, "visits are read beside the curves, so a file is read twice and held"),
    (Can::Dask, NO_PARTS),
    (Can::Pure, PURE),
    (Can::Smoother, POSTERIOR),
    (Can::CompareWithin, "not yet: the change of groups; the releases of two groups of people are compared"),
    (Can::Predict, NO_COVARIATES),
];

pub const ROWS: Gaps = &[
    (Can::Dask, "not yet: a cluster encodes curves, and each part of a long table is encoded where its rows are"),
    (Can::Pure, PURE),
    (Can::BoughtCentre, "not yet: rows of a long table are gone through once ([proof](proofs/rounds.md))"),
    (Can::Smoother, POSTERIOR),
    (Can::CompareWithin, ONE_MEAN),
    (Can::Predict, NO_COVARIATES),
    (Can::Components, "no second moments are released"),
];

pub const SURFACE: Gaps = &[
    (Can::Dask, "not yet: no test encodes surfaces on a cluster"),
    (Can::Pure, PURE),
    (Can::Periodic, "not yet: the domain is a rectangle ([proof](proofs/surfaces.md))"),
    (Can::Smoother, POSTERIOR),
    (Can::CompareWithin, ONE_MEAN),
    (Can::Predict, NO_COVARIATES),
    (Can::Components, "not yet: components of second moments are those of curves"),
];

pub const REGRESSION: Gaps = &[
    (Can::Parts, PARTS),
    (Can::Stream, LABELS),
    (Can::Dask, NO_PARTS),
    (Can::Pure, PURE),
    (Can::Smoother, POSTERIOR),
    (Can::Compare, "not yet"),
    (
        Can::CompareWithin,
        "the coefficient of a level is its difference from the reference level, with a band of its own ([proof](proofs/regression.md))",
    ),
    (Can::Components, "not yet: the second moments serve the bands"),
];

pub const CENTILES: Gaps = &[
    (Can::Parts, PARTS),
    (Can::Stream, "curves are encoded again about the distance that was bought, and so they are held in memory"),
    (Can::Dask, NO_PARTS),
    (
        Can::Pure,
        "not yet: noise without a delta is proved for public coordinates of one mean of curves ([proof](proofs/pure-epsilon.md))",
    ),
    (
        Can::BoughtCentre,
        "a bought centre costs more than it saves: state a typical curve ([proof](proofs/centiles.md))",
    ),
    (Can::Smoother, POSTERIOR),
    (Can::Features, "not yet: slopes and areas are those of means"),
    (Can::Compare, "not yet"),
    (Can::CompareWithin, ONE_MEAN),
    (Can::Predict, NO_COVARIATES),
    (Can::Components, "a distribution at each point says nothing about how points go together"),
];

pub const FUNCTIONALS: Gaps = &[
    (Can::Study, STUDY),
    (Can::Command, PYTHON),
    (Can::Parts, PARTS),
    (Can::Stream, HELD),
    (Can::Dask, NO_PARTS),
    (Can::BoughtRadius, "what buys a radius is normal noise, which has a delta ([proof](proofs/bought-ball.md))"),
    (Can::BoughtCentre, "what buys a centre is normal noise, which has a delta ([proof](proofs/bought-ball.md))"),
    (Can::Forecast, FORECAST),
    (Can::Check, CHECK),
    (Can::Band, NUMBERS),
    (Can::Smoother, ASKED),
    (Can::Features, ASKED_BEFORE),
    (Can::Compare, DIFFERENCE),
    (Can::CompareWithin, ONE_MEAN),
    (Can::Predict, NO_COVARIATES),
    (Can::Components, FEW),
    (Can::Figure, TABLE),
];

/// A new kind of numbers of curves, which Rust alone releases.
pub const NUMBERS_OF_CURVES: Gaps = &[
    (Can::Study, STUDY),
    (Can::Command, RUST),
    (Can::Python, RUST),
    (Can::Parts, PARTS),
    (Can::Stream, HELD),
    (Can::Dask, NO_PARTS),
    (Can::BoughtRadius, "what buys a radius is normal noise, which has a delta ([proof](proofs/bought-ball.md))"),
    (Can::BoughtCentre, "what buys a centre is normal noise, which has a delta ([proof](proofs/bought-ball.md))"),
    (Can::Forecast, FORECAST),
    (Can::Check, CHECK),
    (Can::Band, NUMBERS),
    (Can::Smoother, ASKED),
    (Can::Features, ASKED_BEFORE),
    (Can::Compare, DIFFERENCE),
    (Can::CompareWithin, ONE_MEAN),
    (Can::Predict, NO_COVARIATES),
    (Can::Components, FEW),
    (Can::Figure, TABLE),
];

pub const PATH: Gaps = &[
    (Can::Study, STUDY),
    (Can::Command, PYTHON),
    (Can::Parts, PARTS),
    (Can::Stream, HELD),
    (Can::Dask, NO_PARTS),
    (
        Can::Pure,
        "the path is a whole function, and no elliptical noise gives one without a delta ([proof](proofs/elliptical-process.md))",
    ),
    (Can::BoughtRadius, "not yet: one draw is kept, and it has no steps ([proof](proofs/extension.md))"),
    (Can::BoughtCentre, "not yet: one draw is kept, and it has no steps ([proof](proofs/extension.md))"),
    (Can::Forecast, FORECAST),
    (Can::Check, CHECK),
    (Can::Band, NUMBERS),
    (Can::Smoother, ASKED_PATH),
    (Can::Features, "slopes and areas are asked for like any other number, also later"),
    (Can::Compare, DIFFERENCE),
    (Can::CompareWithin, ONE_MEAN),
    (Can::Predict, NO_COVARIATES),
    (Can::Components, FEW),
    (Can::Figure, TABLE),
];

#[cfg(feature = "density")]
pub const DENSITY: Gaps = &[
    (Can::Parts, PARTS),
    (Can::Stream, HELD),
    (Can::Dask, NO_PARTS),
    (Can::BoughtRadius, NO_BALL),
    (Can::BoughtCentre, NO_BALL),
    (Can::Periodic, "not yet: each axis is an interval"),
    (Can::Forecast, FORECAST),
    (Can::Band, "not yet: no band of a density is proved"),
    (Can::Smoother, NO_CURVE),
    (Can::Features, NO_CURVE),
    (Can::Compare, "not yet"),
    (Can::CompareWithin, "a release holds no two densities"),
    (Can::Predict, NO_COVARIATES),
    (Can::Components, NO_CURVE),
];
