//! The noise of a series: calibrated to what one record can do to its integers.

use dpfda_privacy::{
    Calibration, CalibrationError, DiscreteLaplace, DiscreteLaplaceError, GaussianPrivacy, LatticeNoise,
    NeighbouringRelation, NoiseScaleError, PrivacyBudget, Randomness, RoundedNormal,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::basis::CosineBasis;
use super::sensitivity::{l1_steps, l2_steps};

/// Independent integer noise for the sums of a series, in steps of `2^-20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeriesNoise {
    /// `delta = 0`: the sensitivity is that in the sum of absolute values.
    Laplace(DiscreteLaplace),
    /// `delta > 0`: the sensitivity is Euclidean.
    Gaussian(RoundedNormal),
}

/// Why there is no noise for this budget.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SeriesNoiseError {
    /// With `delta = 0`.
    #[error(transparent)]
    Laplace(#[from] DiscreteLaplaceError),
    /// With `delta > 0`.
    #[error(transparent)]
    Gaussian(#[from] CalibrationError),
    /// The scale is out of range.
    #[error(transparent)]
    Scale(#[from] NoiseScaleError),
}

/// The noise as it stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, tag = "law")]
pub(super) enum NoiseDocument {
    /// The scale `numerator / denominator`.
    DiscreteLaplace { numerator: u64, denominator: u64 },
    /// The standard deviation before rounding.
    RoundedNormal { scale: u64 },
}

impl SeriesNoise {
    /// The least noise that meets the budget for this basis and relation.
    pub(super) fn calibrated(
        basis: &CosineBasis,
        neighbours: NeighbouringRelation,
        budget: &PrivacyBudget,
    ) -> Result<Self, SeriesNoiseError> {
        if budget.delta() == 0.0 {
            let coordinates = basis.terms() + usize::from(neighbours == NeighbouringRelation::AddRemoveOne);
            return Ok(Self::Laplace(DiscreteLaplace::calibrated(l1_steps(basis, neighbours), coordinates, budget)?));
        }
        let privacy = GaussianPrivacy::calibrated(Calibration::Tight, budget)?;
        let scale = privacy.scale(l2_steps(basis, neighbours))?;
        Ok(Self::Gaussian(RoundedNormal::at_least(scale)?))
    }

    pub(super) fn add_to<R: Randomness + ?Sized>(&self, exact: &mut [i64], randomness: &mut R) {
        match self {
            Self::Laplace(noise) => noise.add_to(exact, randomness),
            Self::Gaussian(noise) => noise.add_to(exact, randomness),
        }
    }

    /// The variance of one draw, in squared steps.
    pub(super) fn variance(&self) -> f64 {
        match self {
            Self::Laplace(noise) => noise.variance(),
            // rounding adds the variance of a uniform deviate, up to exp(-2 pi^2 scale^2)
            Self::Gaussian(noise) => (noise.scale() as f64).powi(2) + 1.0 / 12.0,
        }
    }

    /// The scale in steps.
    pub(super) fn scale(&self) -> f64 {
        match self {
            Self::Laplace(noise) => noise.scale().0 as f64 / noise.scale().1 as f64,
            Self::Gaussian(noise) => noise.scale() as f64,
        }
    }

    pub(super) fn document(&self) -> NoiseDocument {
        match self {
            Self::Laplace(noise) => {
                let (numerator, denominator) = noise.scale();
                NoiseDocument::DiscreteLaplace { numerator, denominator }
            }
            Self::Gaussian(noise) => NoiseDocument::RoundedNormal { scale: noise.scale() },
        }
    }
}

impl TryFrom<NoiseDocument> for SeriesNoise {
    type Error = SeriesNoiseError;

    fn try_from(document: NoiseDocument) -> Result<Self, SeriesNoiseError> {
        Ok(match document {
            NoiseDocument::DiscreteLaplace { numerator, denominator } => {
                Self::Laplace(DiscreteLaplace::new(numerator, denominator)?)
            }
            NoiseDocument::RoundedNormal { scale } => Self::Gaussian(RoundedNormal::new(scale)?),
        })
    }
}
