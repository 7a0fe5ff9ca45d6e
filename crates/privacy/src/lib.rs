//! The privacy half of dpfda: budgets, calibration, exact noise and exact sums. There are no curves in here.
//!
//! The chain is [`PrivacyBudget`] -> [`GaussianPrivacy`] (the number `mu`) -> [`RoundedNormal`] (an integer noise scale
//! and an exact sampler), added to an [`ExactSum`] of records in a [`Body`], whose bounds are proved in integers. Why the
//! stated (epsilon, delta) holds to the last bit is proved in `docs/proofs/exact-noise.md`.
//!
//! For one number there is other noise: [`LogConcavePrivacy`] calibrates any symmetric log-concave density, and
//! [`best_family`] chooses among those that have a name (`docs/proofs/log-concave.md`).

mod accountant;
mod amount;
mod arithmetic;
#[cfg(test)]
mod audit;
mod body;
mod budget;
mod clopper_pearson;
mod discrete_laplace;
mod elliptical;
mod enclosure;
pub mod exact_sampling;
mod exact_sum;
mod gaussian;
mod incomplete_gamma;
mod lattice;
mod law;
mod lazy_uniform;
mod log_concave;
mod mills;
mod mixing;
mod neighbours;
mod nested;
mod noise;
mod noise_error;
mod noise_family;
mod non_private;
mod randomness;
mod rounded_k_norm;
mod rounded_normal;
mod share;
mod spherical_noise;
mod trade_off;
mod unit;
mod word;

pub use accountant::{Account, Spend};
pub use amount::{Amount, AmountError};
pub use arithmetic::Arithmetic;
pub use body::cosine::{BasisError, CosineBasis, SeriesSensitivity};
pub use body::{
    Block, Body, Cosine, CosineVector, Design, Emphasis, EuclideanBall, GramBall, GramVector, GroupedBall, GroupedSum,
    GroupedVector, Membership, MomentBall, MomentSum, Moments, OneHot, OneHotVector, RunningSum, WeightedBall,
    WeightedVector,
};
pub use budget::{BudgetError, PrivacyBudget};
pub use clopper_pearson::{binomial_bounds, binomial_tail, refuted};
pub use discrete_laplace::{DiscreteLaplace, DiscreteLaplaceError};
pub use elliptical::{DensityGenerator, EllipticalError, KNorm, StudentT};
pub use exact_sum::{ExactSum, NoisySum};
pub use gaussian::{Calibration, CalibrationError, GaussianPrivacy};
pub use lattice::{
    LATTICE_BITS, LatticeError, LatticeVector, MAX_COVARIATES, MAX_DIMENSION, MAX_GROUPS, MAX_RECORDS, RecordMean,
    rounding_of_record, steps_to_unit, with_rounding,
};
pub use law::Law;
pub use log_concave::{BestFamily, CalibratedFamily, LogConcaveError, LogConcaveNoise, LogConcavePrivacy, best_family};
pub use mixing::{LARGEST_V, MixedGaussianPrivacy, MixingError, MixingLaw, SMALLEST_V, relative_variance};
pub use neighbours::{NeighbouringRelation, UnknownRelation};
pub use nested::{
    Bucket, ClippedBall, ClippedMoments, ContractionError, NestedRadius, NestedRecord, NestedSums, PersonSum,
    ProductsOf, PublicBasis, Radii,
};
pub use noise::{Noise, NormalBlock, RandomScale};
pub use noise_error::NoiseError;
pub use noise_family::{NoiseFamily, NoiseFamilyError, Subbotin};
pub use non_private::NonPrivate;
pub use randomness::{Generator, Randomness, RandomnessError, SeededRandomness, SystemRandomness};
pub use rounded_k_norm::RoundedKNorm;
pub use rounded_normal::{NoiseScaleError, RoundedNormal};
pub use share::{Share, ShareError};
pub use spherical_noise::{SphericalLaw, SphericalNoise};
pub use trade_off::TradeOff;
pub use unit::{PrivacyUnit, UnknownUnit};
pub use word::{ExactInteger, Word};
