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

/// Points of the first look at the shapes of Subbotin noise, equally spaced in `log r`.
const SHAPES: u32 = 24;

/// Shapes are looked at to this many decimals: the variance is flat about its minimum.
const DECIMALS: f64 = 100.0;

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
/// The shape is searched on 24 points, equally spaced in `log r`, and then between the neighbours of the best by golden
/// section, to two decimals. Nothing shows that the variance has a single minimum in `r`; what is certain is that no named
/// family and none of the 24 shapes has a smaller variance. The scale is the one of the family chosen, so that privacy
/// does not depend on the search.
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

fn best_subbotin(budget: &PrivacyBudget) -> Result<CalibratedFamily, LogConcaveError> {
    let at = |log_shape: f64| {
        let shape = ((log_shape.exp() * DECIMALS).round() / DECIMALS).clamp(1.0, 100.0);
        // the shape is within the range: it was clamped
        let subbotin = Subbotin::new(shape).map_or(NoiseFamily::Laplace, NoiseFamily::Subbotin);
        CalibratedFamily::new(subbotin, budget)
    };
    let spacing = 100.0_f64.ln() / f64::from(SHAPES - 1);
    let mut best = at(0.0)?;
    let mut place = 0.0;
    for i in 1..SHAPES {
        let log_shape = spacing * f64::from(i);
        let next = at(log_shape)?;
        if next.variance < best.variance {
            (best, place) = (next, log_shape);
        }
    }
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = ((place - spacing).max(0.0), (place + spacing).min(100.0_f64.ln()));
    while (high.exp() - low.exp()) * DECIMALS > 1.0 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        let (at_left, at_right) = (at(left)?, at(right)?);
        best = smaller(smaller(best, at_left), at_right);
        if at_left.variance <= at_right.variance {
            high = right;
        } else {
            low = left;
        }
    }
    Ok(best)
}
