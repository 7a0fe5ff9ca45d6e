//! Which law of noise is asked for.

use serde::{Deserialize, Serialize};

use crate::budget::PrivacyBudget;
use crate::budget::neighbours::NeighbouringRelation;
use crate::calibrate::elliptical::Cylinder;
use crate::calibrate::gaussian::Calibration;
use crate::calibrate::mixing::MixingLaw;

/// The law of the noise that a mechanism is asked to add: a public choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Law {
    /// Exactly rounded normal noise, for `delta > 0`.
    Gaussian {
        /// How its scale is found.
        calibration: Calibration,
    },
    /// Exact discrete Laplace noise, for `delta = 0`.
    DiscreteLaplace {},
    /// Exactly rounded noise of density proportional to `exp(-|x|)` over all coordinates together, the K-norm mechanism of the
    /// Euclidean ball, for `delta = 0`.
    KNorm {},
    /// The same of the cylinder `max(|z|, 2 |c|)` that a sum and its private number of records move in ([`Cylinder`]), for `delta = 0` under
    /// add/remove-one.
    KNormCylinder {},
    /// Multivariate t noise, for `delta = 0` and those who want its heavy tails. Drawn in floating point.
    StudentT {
        /// `nu > 0`.
        degrees_of_freedom: f64,
    },
    /// Gaussian noise times one independent random scale `V` of this law, for `delta > 0`; one draw of the noise gives `V`
    /// away.
    RandomScale {
        /// The law of `V`.
        mixing: MixingLaw,
    },
}

impl Law {
    /// Tightly calibrated normal noise.
    pub const GAUSSIAN: Self = Self::gaussian(Calibration::Tight);

    /// Normal noise of this calibration.
    pub const fn gaussian(calibration: Calibration) -> Self {
        Self::Gaussian { calibration }
    }

    /// The exact law for a budget: discrete Laplace for `delta = 0`, else tightly calibrated normal noise.
    pub fn exact(budget: &PrivacyBudget) -> Self {
        if budget.delta() == 0.0 { Self::DiscreteLaplace {} } else { Self::GAUSSIAN }
    }

    /// K-norm noise for the sum of records in a Euclidean ball in so many coordinates: of the body under which a coordinate has less noise.
    pub fn k_norm(coordinates: usize, relation: NeighbouringRelation) -> Self {
        let has_count = relation == NeighbouringRelation::AddRemoveOne;
        if has_count && coordinates >= Cylinder::LEAST_COORDINATES { Self::KNormCylinder {} } else { Self::KNorm {} }
    }

    /// Whether the noise is drawn in integers, or in floating point.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Self::StudentT { .. })
    }
}
