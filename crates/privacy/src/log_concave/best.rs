//! The family of smallest variance.

use super::{LogConcaveError, LogConcavePrivacy};
use crate::budget::PrivacyBudget;
use crate::noise_family::{NoiseFamily, Subbotin};

#[cfg(test)]
mod tests;

/// A family with the smallest scale that is within a budget, per unit of sensitivity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibratedFamily {
    family: NoiseFamily,
    scale: f64,
    variance: f64,
}

/// The family of smallest variance within a budget, and those it was compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct BestFamily {
    best: CalibratedFamily,
    candidates: Vec<CalibratedFamily>,
}

/// Points of the first look at the shapes `r` of Subbotin noise, equally spaced in `log (r - 1)`, beside `r = 1`.
const SHAPES: u32 = 16;

/// The smallest `r - 1` of these.
const NEAREST_TO_1: f64 = 1e-4;

/// Below this `r - 1` shapes are worth a look only if the variance there is not above that of Laplace noise by as much.
///
/// As `r` tends to 1 no budget was seen to gain more than `2.5 (r - 1)`.
const WORTH_A_LOOK: f64 = 1e-3;

/// How closely `log (r - 1)` is found: the variance is flat about its minimum.
const CLOSE_ENOUGH: f64 = 0.05;

impl CalibratedFamily {
    fn new(family: NoiseFamily, budget: &PrivacyBudget) -> Result<Self, LogConcaveError> {
        let privacy = LogConcavePrivacy::calibrated(family, budget)?;
        Ok(Self { family, scale: privacy.scale(1.0)?, variance: privacy.variance(1.0)? })
    }

    /// The family of noise.
    pub fn family(&self) -> NoiseFamily {
        self.family
    }

    /// The smallest scale for sensitivity 1; scales are proportional to sensitivities.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The variance, and mean squared error, for sensitivity 1; proportional to the square of the sensitivity.
    pub fn variance(&self) -> f64 {
        self.variance
    }
}

impl BestFamily {
    /// The family.
    pub fn family(&self) -> NoiseFamily {
        self.best.family
    }

    /// Its smallest scale, for sensitivity 1.
    pub fn scale(&self) -> f64 {
        self.best.scale
    }

    /// Its variance, for sensitivity 1.
    pub fn variance(&self) -> f64 {
        self.best.variance
    }

    /// Laplace, logistic, Gaussian and the best Subbotin noise (its shape may be 1, Laplace noise again), in this order; for
    /// delta = 0 the first two only.
    pub fn candidates(&self) -> &[CalibratedFamily] {
        &self.candidates
    }
}

/// The family of noise of smallest variance within a budget: Laplace, logistic, Gaussian, or Subbotin of a shape in
/// `[1, 100]`.
///
/// The shape is searched on 16 points from 100 down to 1.0001, equally spaced in `log (r - 1)`, and then between the
/// neighbours of the best by golden section. It is given to two decimals, and below 1.1 to two digits of `r - 1`: there
/// a few thousandths of the shape matter. Nothing shows that the variance has a single minimum in `r`; against 40 shapes
/// for each of 60 budgets, less than one part in 10^4 was lost. What is certain is that no named family has a
/// smaller variance. The scale is the one of the family chosen, so that privacy does not depend on the search.
///
/// # Errors
/// [`LogConcaveError`] for a budget that [`LogConcavePrivacy::calibrated`] refuses for every family.
pub fn best_family(budget: &PrivacyBudget) -> Result<BestFamily, LogConcaveError> {
    let laplace = CalibratedFamily::new(NoiseFamily::Laplace, budget)?;
    let logistic = CalibratedFamily::new(NoiseFamily::Logistic, budget)?;
    let mut candidates = vec![laplace, logistic];
    // no other family is purely private
    if budget.delta() > 0.0 {
        candidates.push(CalibratedFamily::new(NoiseFamily::Gaussian, budget)?);
        candidates.push(best_subbotin(budget)?);
    }
    let best = candidates.iter().copied().reduce(smaller).unwrap_or(laplace);
    Ok(BestFamily { best, candidates })
}

/// The one of smaller variance, the first if they agree.
fn smaller(a: CalibratedFamily, b: CalibratedFamily) -> CalibratedFamily {
    if b.variance < a.variance { b } else { a }
}

/// Subbotin noise of the best shape, and Laplace noise where no shape that is looked at is better.
fn best_subbotin(budget: &PrivacyBudget) -> Result<CalibratedFamily, LogConcaveError> {
    let at = |place: f64| {
        // the shape is within the range: it was clamped
        let subbotin = Subbotin::new(shape_at(place)).map_or(NoiseFamily::Laplace, NoiseFamily::Subbotin);
        CalibratedFamily::new(subbotin, budget)
    };
    let laplace = at(f64::NEG_INFINITY)?;
    let (first, last) = (NEAREST_TO_1.ln(), 99.0_f64.ln());
    let spacing = (last - first) / f64::from(SHAPES - 1);
    let (mut best, mut place) = (laplace, None);
    for i in 0..SHAPES {
        let next_place = last - spacing * f64::from(i);
        let next = at(next_place)?;
        if next.variance < best.variance {
            (best, place) = (next, Some(next_place));
        }
        if next_place < WORTH_A_LOOK.ln() && next.variance > laplace.variance * (1.0 + WORTH_A_LOOK) {
            break;
        }
    }
    let Some(place) = place else {
        return Ok(laplace);
    };
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (place - spacing, (place + spacing).min(last));
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (at(left)?, at(right)?);
    while high - low > CLOSE_ENOUGH && at_left.family != at_right.family {
        best = smaller(smaller(best, at_left), at_right);
        if at_left.variance <= at_right.variance {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = at(left)?;
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = at(right)?;
        }
    }
    Ok(smaller(smaller(best, at_left), at_right))
}

/// The shape `1 + e^place`, to two decimals, and below 1.1 to two digits of what it is above 1.
fn shape_at(place: f64) -> f64 {
    let above_1 = place.exp();
    let mut units = 100.0;
    while above_1 * units < 10.0 && units < 1e6 {
        units *= 10.0;
    }
    // an integer over a power of ten: the double nearest to the decimal number
    (((1.0 + above_1) * units).round() / units).clamp(1.0, 100.0)
}
