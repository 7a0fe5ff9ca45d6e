//! The privacy half of dpfda: budgets, calibration, exact noise and exact sums. There are no curves in here.
//!
//! The chain is [`PrivacyBudget`] -> [`GaussianPrivacy`] (the number `mu`) -> [`RoundedNormal`] (an integer noise scale
//! and an exact sampler), added to an [`ExactSum`] of records in a [`Body`], whose bounds are proved in integers. Why the
//! stated (epsilon, delta) holds to the last bit is proved in `docs/proofs/exact-noise.md`.
//!
//! For one number there is other noise: [`LogConcavePrivacy`] calibrates any symmetric log-concave density, and
//! [`best_family`] chooses among those that have a name (`docs/proofs/log-concave.md`).

mod body;
mod budget;
mod calibrate;
mod draw;
mod nested;
mod shown;
mod sum;

pub use body::cosine::{BasisError, CosineBasis, SeriesSensitivity};
pub use body::lattice::{
    LATTICE_BITS, LatticeError, LatticeVector, MAX_COVARIATES, MAX_DIMENSION, MAX_GROUPS, MAX_RECORDS, RecordMean,
    rounding_of_record, steps_to_unit, with_rounding,
};
pub use body::word::{ExactInteger, Word};
pub use body::{
    Block, Body, Cosine, CosineVector, Emphasis, EuclideanBall, Moments, OneHot, OneHotVector, Orthant, RunningSum,
    WeightedBall, WeightedVector,
};
pub use budget::amount::{Amount, AmountError};
pub use budget::arithmetic::Arithmetic;
pub use budget::neighbours::{NeighbouringRelation, UnknownRelation};
pub use budget::share::{Share, ShareError};
pub use budget::unit::{PrivacyUnit, UnknownUnit};
pub use budget::{BudgetError, PrivacyBudget};
pub use calibrate::accountant::{Account, Spend};
pub use calibrate::clopper_pearson::{binomial_bounds, binomial_tail, refuted};
pub use calibrate::elliptical::{Cylinder, DensityGenerator, EllipticalError, KNorm, StudentT};
pub use calibrate::gaussian::{Calibration, CalibrationError, GaussianPrivacy};
pub use calibrate::log_concave::{
    BestFamily, CalibratedFamily, LogConcaveError, LogConcaveNoise, LogConcavePrivacy, best_family,
};
pub use calibrate::mixing::{LARGEST_V, MixedGaussianPrivacy, MixingError, MixingLaw, SMALLEST_V, relative_variance};
pub use calibrate::noise_family::{NoiseFamily, NoiseFamilyError, Subbotin};
pub use calibrate::trade_off::TradeOff;
pub use draw::discrete_laplace::{DiscreteLaplace, DiscreteLaplaceError};
pub use draw::exact_sampling;
pub use draw::law::Law;
pub use draw::noise::{Noise, NormalBlock, RandomScale};
pub use draw::noise_error::NoiseError;
pub use draw::randomness::{Generator, Randomness, RandomnessError, SeededRandomness, SystemRandomness};
pub use draw::rounded_cylinder::RoundedCylinder;
pub use draw::rounded_k_norm::RoundedKNorm;
pub use draw::rounded_normal::{NoiseScaleError, RoundedNormal};
pub use draw::spherical_noise::{SphericalLaw, SphericalNoise};
pub use nested::{
    Bucket, Bucketed, ClippedBall, ClippedMoments, ContractionError, Design, GramBall, GramSum, GramVector,
    GroupedBall, GroupedSum, GroupedVector, Membership, NestedRadius, NestedRecord, NestedSums, PersonSum, ProductsOf,
    PublicBasis, Radii,
};
pub use sum::exact_sum::{ExactSum, NoisySum};
pub use sum::non_private::NonPrivate;
