//! The noise of a histogram's counts, and how far neighbours move them.

use dpfda_privacy::{
    Calibration, DiscreteLaplace, GaussianPrivacy, LatticeNoise, NeighbouringRelation, PrivacyBudget, RoundedNormal,
};
use rand::CryptoRng;

use super::HistogramError;
use crate::counts::CellCounts;

/// Independent noise of equal law for every count, in steps of a public lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistogramNoise {
    /// Whole records: purely private in any dimension.
    DiscreteLaplace(DiscreteLaplace),
    /// `2^-20` records: so many steps that rounding the scale up to an integer costs nothing.
    RoundedNormal(RoundedNormal),
}

/// Lattice steps to one record for normal noise.
const STEPS: u64 = 1 << 20;

/// How far neighbours move the counts, in the sum of absolute values, in records; attained.
///
/// ```text
/// substitute one:  |1| + |-1| = 2        add/remove one:  1
/// ```
pub(super) fn absolute_sensitivity(neighbours: NeighbouringRelation) -> u64 {
    match neighbours {
        NeighbouringRelation::SubstituteOne => 2,
        NeighbouringRelation::AddRemoveOne => 1,
    }
}

/// How far neighbours move the counts in the Euclidean norm, in steps of normal noise, rounded up; attained.
///
/// ```text
/// substitute one:  sqrt(2)               add/remove one:  1        in records
/// ```
pub(super) fn euclidean_sensitivity(neighbours: NeighbouringRelation) -> f64 {
    match neighbours {
        // the product with a power of two is exact
        NeighbouringRelation::SubstituteOne => 2.0_f64.sqrt().next_up() * STEPS as f64,
        NeighbouringRelation::AddRemoveOne => STEPS as f64,
    }
}

impl HistogramNoise {
    /// The smallest noise of its lattice that meets the budget: discrete Laplace for `delta = 0`, else normal.
    pub(super) fn calibrated(
        budget: &PrivacyBudget,
        neighbours: NeighbouringRelation,
        cells: usize,
    ) -> Result<Self, HistogramError> {
        if budget.delta() == 0.0 {
            let sensitivity = absolute_sensitivity(neighbours);
            return Ok(Self::DiscreteLaplace(DiscreteLaplace::calibrated(sensitivity, cells, budget)?));
        }
        let privacy = GaussianPrivacy::calibrated(Calibration::Tight, budget)?;
        let normal = RoundedNormal::at_least(privacy.scale(euclidean_sensitivity(neighbours))?)?;
        // The quotient is rounded up when it is reported: it must not be reported above what was allowed.
        let within = normal_privacy(normal, neighbours) <= privacy;
        Ok(Self::RoundedNormal(if within { normal } else { RoundedNormal::new(normal.scale() + 1)? }))
    }

    /// The noisy counts, in lattice steps: **this is the privacy boundary**. The exact counts are consumed.
    pub(super) fn perturb<R: CryptoRng + ?Sized>(&self, counts: CellCounts, randomness: &mut R) -> Vec<i64> {
        let steps = self.steps_to_record().cast_signed();
        // points that fit in memory are far fewer than 2^43
        let in_steps = |count: &u64| i64::try_from(*count).unwrap_or(i64::MAX).saturating_mul(steps);
        let mut noisy: Vec<i64> = counts.counts().iter().map(in_steps).collect();
        match self {
            Self::DiscreteLaplace(laplace) => laplace.add_to(&mut noisy, randomness),
            Self::RoundedNormal(normal) => normal.add_to(&mut noisy, randomness),
        }
        noisy
    }

    /// The lattice steps in one record.
    pub fn steps_to_record(&self) -> u64 {
        match self {
            Self::DiscreteLaplace(_) => 1,
            Self::RoundedNormal(_) => STEPS,
        }
    }

    /// The variance of the noise in one count, in squared records.
    pub fn variance(&self) -> f64 {
        match self {
            Self::DiscreteLaplace(laplace) => laplace.variance(),
            // rounding adds 1/12 squared step, up to e^(-2 pi^2 scale^2)
            Self::RoundedNormal(normal) => ((normal.scale() as f64).powi(2) + 1.0 / 12.0) / (STEPS as f64).powi(2),
        }
    }

    /// The cost as that of a Gaussian release, for exact composition; `None` for Laplace noise.
    pub(super) fn gaussian_privacy(&self, neighbours: NeighbouringRelation) -> Option<GaussianPrivacy> {
        match self {
            Self::DiscreteLaplace(_) => None,
            Self::RoundedNormal(normal) => Some(normal_privacy(*normal, neighbours)),
        }
    }

    /// Whether this noise has the law that the budget calls for, and meets it.
    pub(super) fn meets(&self, budget: &PrivacyBudget, neighbours: NeighbouringRelation) -> bool {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        match self {
            Self::DiscreteLaplace(laplace) => {
                delta == 0.0 && laplace.epsilon(absolute_sensitivity(neighbours)) <= epsilon
            }
            Self::RoundedNormal(normal) => delta > 0.0 && normal_privacy(*normal, neighbours).delta(epsilon) <= delta,
        }
    }
}

/// `mu`, rounded up.
fn normal_privacy(normal: RoundedNormal, neighbours: NeighbouringRelation) -> GaussianPrivacy {
    let mu = (euclidean_sensitivity(neighbours) / normal.scale() as f64).next_up();
    GaussianPrivacy::new(mu).unwrap_or_else(|_| unreachable!("a positive integer divides a positive number"))
}
