//! The law of the random scale `V`, and its draws, which are never below what the profile assumes.

use std::fmt;

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::MixingError;
use super::atoms::Atoms;
use super::document::MixingDocument;
use super::profile;
use crate::budget::amount::Amount;
use crate::calibrate::enclosure::Bound;
use crate::calibrate::enclosure::continuous::{Continuous, LARGEST_V, Level};
use crate::calibrate::enclosure::random_scale::of_law;

#[cfg(test)]
#[path = "law_tests.rs"]
mod tests;

/// The smallest `V` in a draw: smaller values are raised to this one. The profile does not raise them.
pub const SMALLEST_V: f64 = 1.0 / LARGEST_V;

/// The law of the scale `V > 0` of noise `sigma V Z`; values above [`LARGEST_V`] are cut to it.
///
/// Only the shape of the law matters: a constant factor of `V` is absorbed by `sigma`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "MixingDocument", into = "MixingDocument")]
pub struct MixingLaw {
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Continuous(Continuous),
    Atoms(Atoms),
}

impl MixingLaw {
    /// Makes `V = value`: the Gaussian process.
    pub fn constant(value: f64) -> Result<Self, MixingError> {
        Atoms::constant(value).map(Self::from)
    }

    /// Makes `V = sqrt(nu / chi^2_nu)`: the t process.
    pub fn student_t(nu: f64) -> Result<Self, MixingError> {
        if (0.1..=1e4).contains(&nu) {
            Ok(Continuous::StudentT { nu }.into())
        } else {
            Err(MixingError::DegreesOfFreedom { value: nu })
        }
    }

    /// Makes `V = sqrt(G)`, where `G` is a gamma variable of this shape and of scale 1. Shape 1 is the Laplace process.
    pub fn gamma_root(shape: f64) -> Result<Self, MixingError> {
        if (0.1..=1e4).contains(&shape) {
            Ok(Continuous::GammaRoot { shape }.into())
        } else {
            Err(MixingError::Shape { value: shape })
        }
    }

    /// Makes `V = exp(sigma N)`, where `N` is standard normal.
    pub fn log_normal(sigma: f64) -> Result<Self, MixingError> {
        if (1e-3..=5.0).contains(&sigma) {
            Ok(Continuous::LogNormal { sigma }.into())
        } else {
            Err(MixingError::LogSpread { value: sigma })
        }
    }

    /// Makes a law of finitely many `(value, probability)`. Rounding errors of the probabilities go to the smaller
    /// values.
    pub fn finite(atoms: &[(f64, f64)]) -> Result<Self, MixingError> {
        Atoms::finite(atoms).map(Self::from)
    }

    /// Makes a law from its quantile function on (0, 1). The function is evaluated here and never again.
    ///
    /// It is evaluated at some 7000 levels, dense towards 0 and 1 (64 in each halving of the distance to the end), and
    /// `V` takes the value at the next higher level. So the same law of finitely many values is calibrated and drawn,
    /// whatever the function does between the levels. Values are cut to `[2^-20, 2^20]`.
    pub fn from_quantile(quantile: impl Fn(f64) -> f64) -> Result<Self, MixingError> {
        Atoms::tabulated(quantile).map(Self::from)
    }

    /// The quantile of `V` at level `p`, nondecreasing, rounded down by a relative 1e-10; 0 for `p <= 0` and for NaN.
    pub fn quantile(&self, p: f64) -> f64 {
        if p.is_nan() || p <= 0.0 {
            return 0.0;
        }
        match &self.kind {
            Kind::Continuous(_) if p >= 1.0 => LARGEST_V,
            Kind::Continuous(law) => (law.quantile(Level { below: p, above: 1.0 - p }) * (1.0 - 1e-10)).min(LARGEST_V),
            Kind::Atoms(law) => law.quantile(p),
        }
    }

    /// `E V^2` before values are cut: the variance of the noise in units of `sigma^2`. It may be infinite.
    pub fn second_moment(&self) -> f64 {
        match &self.kind {
            Kind::Continuous(law) => law.second_moment(),
            Kind::Atoms(law) => law.second_moment(),
        }
    }

    /// The largest `V` that can be drawn: the largest of finitely many values, otherwise [`LARGEST_V`].
    pub fn largest(&self) -> f64 {
        match &self.kind {
            Kind::Continuous(_) => LARGEST_V,
            Kind::Atoms(law) => law.largest(),
        }
    }

    /// Draws one `V`, never below what the profile accounts for.
    ///
    /// A uniform integer `k` of 64 bits stands for all levels in `(k, k+1] / 2^64`. The draw is at least the quantile
    /// at the upper end of these levels, and so stochastically larger than `V` (`docs/proofs/elliptical-process.md`).
    pub fn draw<R: Rng + ?Sized>(&self, randomness: &mut R) -> f64 {
        self.at_cell(randomness.next_u64())
    }

    /// The value drawn for the levels in `(k, k+1] / 2^64`.
    fn at_cell(&self, k: u64) -> f64 {
        const CELLS: f64 = 18_446_744_073_709_551_616.0;
        let below = rounded_up(u128::from(k) + 1) / CELLS;
        let value = match &self.kind {
            Kind::Continuous(law) => {
                // the complement of the upper end, rounded down
                let above = if k == u64::MAX { 0.0 } else { (((u64::MAX - k) as f64) / CELLS).next_down() };
                law.at_least(Level { below, above })
            }
            Kind::Atoms(law) => law.quantile(below),
        };
        value.clamp(SMALLEST_V, LARGEST_V)
    }

    /// A number that `E delta_Gauss(epsilon; distance / V)` is proved not to exceed, given what it is in doubles.
    pub(super) fn bound(&self, distance: f64, epsilon: &Amount, near: f64) -> Bound {
        let found = match &self.kind {
            Kind::Continuous(law) => of_law(*law, epsilon, distance, near),
            Kind::Atoms(law) => law.bound(distance, epsilon, near),
        };
        found.unwrap_or_else(Bound::one)
    }

    /// Lower and upper bound of `E delta_Gauss(epsilon; distance / V)`.
    pub(super) fn delta_bounds(&self, distance: f64, epsilon: f64) -> (f64, f64) {
        let (lower, upper) = match &self.kind {
            Kind::Continuous(law) => profile::bounds(law, distance, epsilon),
            Kind::Atoms(law) => law.delta_bounds(distance, epsilon),
        };
        if upper.is_nan() { (0.0, 1.0) } else { (lower.clamp(0.0, 1.0), upper.clamp(f64::MIN_POSITIVE, 1.0)) }
    }
}

/// The smallest double that is at least this integer of at most `2^64`.
fn rounded_up(integer: u128) -> f64 {
    let nearest = integer as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [1, 2^64]")]
    let back = nearest as u128;
    if back < integer { nearest.next_up() } else { nearest }
}

/// The law in words, for the provenance of a release.
impl fmt::Display for MixingLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Continuous(Continuous::StudentT { nu }) => write!(f, "t process with nu = {nu}"),
            Kind::Continuous(Continuous::GammaRoot { shape }) => write!(f, "root of a gamma variable of shape {shape}"),
            Kind::Continuous(Continuous::LogNormal { sigma }) => write!(f, "log-normal with sigma = {sigma}"),
            Kind::Atoms(law) => write!(f, "{} given values", law.len()),
        }
    }
}

impl From<Continuous> for MixingLaw {
    fn from(law: Continuous) -> Self {
        Self { kind: Kind::Continuous(law) }
    }
}

impl From<Atoms> for MixingLaw {
    fn from(law: Atoms) -> Self {
        Self { kind: Kind::Atoms(law) }
    }
}
