//! Exactly rounded log-concave noise: `round(S X)` for an integer scale `S` and `X` of a named family.

use std::f64::consts::LN_2;

use rand::Rng;
use thiserror::Error;

use crate::budget::PrivacyBudget;
use crate::lazy_uniform::{LazyUniform, round_scaled};
use crate::log_concave::{LogConcaveError, LogConcavePrivacy};
use crate::noise_family::NoiseFamily;
use crate::rounded_normal::{NoiseScaleError, RoundedNormal};

mod refinement;
#[cfg(test)]
mod tests;

/// The distribution of `round(scale X)` for an integer scale and `X` of the family's density at scale 1.
///
/// ```text
/// P(k) = F((k + 1/2) / scale) - F((k - 1/2) / scale)
/// ```
///
/// `X` is drawn exactly, by rejection: an integer part, a fraction and a uniform deviate, with as many digits as the
/// decisions need. A decision is taken in doubles if no rounding error could change it, and otherwise between
/// enclosures of growing precision. So each decision is the one that real numbers would give. Since
/// `round(s + N) = s + round(N)` for an integer `s`, adding this noise to an integer is post-processing of the
/// continuous mechanism. So it has the guarantee of that mechanism for sensitivity over scale; see
/// `docs/proofs/exact-log-concave-noise.md`.
///
/// The result fits into the integers: a magnitude above `2^63` needs `|X| > 127` even at the largest scale `2^56`,
/// which has probability below `2^-180` in every family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundedNoise {
    family: NoiseFamily,
    /// The normal noise of the same scale. It checks the scale. For the Gaussian family, samples come from here.
    normal: RoundedNormal,
}

/// Why exactly rounded noise could not be calibrated.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RoundedNoiseError {
    /// The family cannot meet the budget.
    #[error(transparent)]
    LogConcave(#[from] LogConcaveError),
    /// The noise scale is outside the range of the integers.
    #[error(transparent)]
    Scale(#[from] NoiseScaleError),
}

/// `-log` of a density relative to its value at 0: even, convex, and increasing on `x >= 0`.
#[derive(Debug, Clone, Copy)]
enum Exponent {
    /// `x + 2 log((1 + e^-x) / 2)`.
    Logistic,
    /// `x^r / r`.
    Power(f64),
}

/// The relative and absolute bounds on the error of a density ratio computed in doubles; see [`Exponent::keeps`].
const RELATIVE_ERROR: f64 = 1.0 / (1_u64 << 30) as f64;
const ABSOLUTE_ERROR: f64 = 1.0 / (1_u64 << 60) as f64;

/// The largest integer part for which decisions are tried in doubles. Larger ones have probability `2^-200`.
const LARGEST_FAST_WHOLE: u64 = 200;

impl RoundedNoise {
    /// Makes noise of this family and scale, in lattice steps.
    ///
    /// # Errors
    /// [`NoiseScaleError`] unless `1 <= scale <= 2^56`.
    pub fn new(family: NoiseFamily, scale: u64) -> Result<Self, NoiseScaleError> {
        Ok(Self { family, normal: RoundedNormal::new(scale)? })
    }

    /// Finds an integer scale within the budget, for one integer that changes by at most `sensitivity` between
    /// neighbours. It is the smallest such scale or the next one.
    ///
    /// # Errors
    /// [`RoundedNoiseError`] for a budget that the family cannot meet, a sensitivity of 0, and noise beyond `2^56`
    /// steps.
    pub fn calibrated(
        family: NoiseFamily,
        sensitivity: u64,
        budget: &PrivacyBudget,
    ) -> Result<Self, RoundedNoiseError> {
        let privacy = LogConcavePrivacy::calibrated(family, budget)?;
        let nearest = sensitivity as f64;
        // every integer up to 2^53 is a double
        let sensitivity = if sensitivity > 1 << 53 { nearest.next_up() } else { nearest };
        Ok(Self { family, normal: RoundedNormal::at_least(privacy.scale(sensitivity)?)? })
    }

    /// The family of `X`.
    pub fn family(&self) -> NoiseFamily {
        self.family
    }

    /// The factor of `X`, in lattice steps.
    pub fn scale(&self) -> u64 {
        self.normal.scale()
    }

    /// Draws one value.
    pub fn sample<R: Rng + ?Sized>(&self, randomness: &mut R) -> i128 {
        let exponent = match self.family {
            NoiseFamily::Gaussian => return self.normal.sample(randomness),
            NoiseFamily::Laplace => Exponent::Power(1.0),
            NoiseFamily::Logistic => Exponent::Logistic,
            NoiseFamily::Subbotin(subbotin) => Exponent::Power(subbotin.shape()),
        };
        let (negative, whole, mut fraction) = exponent.deviate(randomness);
        let magnitude = round_scaled(self.scale(), whole, &mut fraction, randomness);
        if negative { -magnitude } else { magnitude }
    }
}

impl Exponent {
    /// Draws a deviate of density proportional to `exp(-psi)`, as its sign, its integer part and its lazy fraction.
    ///
    /// It proposes `k` with probability `2^-(k+1)` and a uniform fraction, and keeps them with probability
    /// `2^(k-1) exp(-psi(k + x))`. This is at most 1: `psi >= 0`, and `psi(k) >= (k - 1) log 2` for `k >= 1`.
    fn deviate<R: Rng + ?Sized>(self, randomness: &mut R) -> (bool, u64, LazyUniform) {
        loop {
            let (negative, whole) = sign_and_geometric(randomness);
            let (mut fraction, mut level) = (LazyUniform::new(randomness), LazyUniform::new(randomness));
            let kept = self
                .keeps(whole, fraction.first, level.first)
                .unwrap_or_else(|| refinement::keeps(self, whole, &mut fraction, &mut level, randomness));
            if kept {
                return (negative, whole, fraction);
            }
        }
    }

    /// Whether `level < 2^(k-1) exp(-psi(k + fraction))`, if the first digits decide this in spite of rounding errors.
    ///
    /// It assumes that `pow`, `exp` and `log1p` of `libm` have a relative error below `2^-42` (`libm` states 1 unit in
    /// the last place, `2^-52`). Then the computed right side has a relative error below `2^-30` if it is above
    /// `2^-60`. Otherwise the true right side is also below that.
    fn keeps(self, whole: u64, fraction: u64, level: u64) -> Option<bool> {
        if whole > LARGEST_FAST_WHOLE {
            return None;
        }
        // the right side is at most 1/2 there
        if whole == 0 && level >> 63 == 1 {
            return Some(false);
        }
        let x = whole as f64 + unit(fraction);
        let probability = libm::exp((whole as f64 - 1.0) * LN_2 - self.at(x));
        let margin = probability * RELATIVE_ERROR + 2.0 * ABSOLUTE_ERROR;
        let level = unit(level);
        if level < probability - margin {
            Some(true)
        } else if level > probability + margin {
            Some(false)
        } else {
            None
        }
    }

    /// `psi(x)` in doubles.
    fn at(self, x: f64) -> f64 {
        match self {
            Self::Logistic => x + 2.0 * (libm::log1p(libm::exp(-x)) - LN_2),
            Self::Power(1.0) => x,
            Self::Power(shape) => libm::pow(x, shape) / shape,
        }
    }
}

/// A 64-bit digit as a fraction, to nearest.
fn unit(digit: u64) -> f64 {
    const STEP: f64 = 1.0 / (1_u64 << 32) as f64;
    digit as f64 * STEP * STEP
}

/// Draws a fair sign, and the number of tails before the first head of a fair coin.
fn sign_and_geometric<R: Rng + ?Sized>(randomness: &mut R) -> (bool, u64) {
    let first = randomness.next_u64();
    // the 63 bits below the sign, which is shifted out
    let tails = u64::from((first << 1).leading_zeros().min(63));
    let mut whole = tails;
    let mut all_tails = tails == 63;
    while all_tails {
        let tails = u64::from(randomness.next_u64().leading_zeros());
        whole += tails;
        all_tails = tails == 64;
    }
    (first >> 63 == 1, whole)
}
