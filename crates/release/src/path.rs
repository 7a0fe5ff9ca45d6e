//! One noise path, of which more may be published later at no further cost.

use dpfda_kernels::Grid;
use dpfda_privacy::{
    Calibration, CalibrationError, GaussianPrivacy, LatticeError, LatticeSum, MixedGaussianPrivacy, MixingError,
    MixingLaw, NeighbouringRelation, NoiseScaleError, PrivacyBudget, Randomness, RoundedNormal, Spend,
};
use dpfda_smoothing::{Ball, CurveSet, PenalizedMean};
use thiserror::Error;

use crate::encode::lattice_sum;
use crate::functional::LinearFunctional;
use crate::functional_map::{Dispersion, FunctionalBasis, FunctionalMapError};
use crate::kept_path::KeptPath;
use crate::path_release::PathRelease;

#[cfg(test)]
mod tests;

/// Why a path was not released or extended. Nothing in it depends on the values of the curves.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum PathError {
    /// A mean of fewer than two records is a record.
    #[error("at least 2 records (subjects or curves) are needed when their number is public, got {found}")]
    TooFewRecords {
        /// The public number of records.
        found: usize,
    },
    /// The kept path is of another release.
    #[error(
        "this kept path does not belong to this release: its noise is another, and extending with it would publish the data under two noises for the price of one"
    )]
    NotThisRelease,
    /// The functionals or the smoother do not fit the curves.
    #[error(transparent)]
    Map(#[from] FunctionalMapError),
    /// The budget cannot be met by Gaussian noise.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The budget cannot be met by a mixture of Gaussian noises.
    #[error(transparent)]
    Mixing(#[from] MixingError),
    /// The noise would leave the integers.
    #[error(transparent)]
    Noise(#[from] NoiseScaleError),
    /// Too many points or records.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// Linear functionals of the private mean function, now and later, for one `(epsilon, delta)`.
///
/// ```text
/// g(c + S (Xbar - c)) + sigma V g(Z),    Z ~ GP(0, C)
/// ```
///
/// The whole function with this noise is `(epsilon, delta)`-private (Theorem 3.3 of Mirshani, Reimherr and Slavkovic; for a
/// random `V` the mixture of their profiles, since one path gives `V` away, Reimherr and Awan, Theorem 4). So any number of
/// functionals of the *same* path may be published, at any time. The path is drawn whole and exactly, once, and kept:
/// [`KeptPath::extend`] reads more numbers off it. That has the law of drawing the rest conditionally on what was
/// published, and leaves no second path that could be drawn by mistake; see `docs/proofs/extension.md`.
#[derive(Debug, Clone)]
pub struct PrivatePath {
    ball: Ball,
    budget: PrivacyBudget,
    smoother: PenalizedMean,
    dispersion: Dispersion,
    neighbours: NeighbouringRelation,
    mixing: Option<MixingLaw>,
}

impl PrivatePath {
    /// A path of the mean of the curves in this ball seen through this smoother, with Gaussian noise.
    pub fn new(ball: Ball, budget: PrivacyBudget, smoother: PenalizedMean) -> Self {
        Self {
            ball,
            budget,
            smoother,
            dispersion: Dispersion::default(),
            neighbours: NeighbouringRelation::default(),
            mixing: None,
        }
    }

    /// Sets the covariance of the noise (default: white noise through the smoother).
    #[must_use]
    pub fn dispersion(mut self, dispersion: Dispersion) -> Self {
        self.dispersion = dispersion;
        self
    }

    /// Sets which data sets are neighbours (default: substitute one).
    #[must_use]
    pub fn neighbours(mut self, neighbours: NeighbouringRelation) -> Self {
        self.neighbours = neighbours;
        self
    }

    /// Makes the noise elliptical: a Gaussian path times an independent `V` of this law (default: `V = 1`).
    #[must_use]
    pub fn mixing(mut self, law: MixingLaw) -> Self {
        self.mixing = Some(law);
        self
    }

    /// Draws the path and releases functionals of it: **spends the budget**.
    ///
    /// The second value is for the curator: [`KeptPath::write`] puts it in a file that only its owner can read.
    ///
    /// # Errors
    /// [`PathError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness>(
        &self,
        curves: &CurveSet,
        functionals: &[LinearFunctional],
        randomness: &mut R,
    ) -> Result<(PathRelease, KeptPath), PathError> {
        let basis = self.basis(curves.grid())?;
        // whatever can be refused is refused before the first bit of noise
        let map = basis.map(functionals)?;
        let law = self.noise_law()?;
        let sum = self.encode(curves, &basis)?;
        if self.neighbours == NeighbouringRelation::SubstituteOne && sum.records() < 2 {
            return Err(PathError::TooFewRecords { found: usize::from(sum.records() == 1) });
        }
        let kept = self.draw(curves, sum, &law, randomness)?;
        Ok((kept.release(functionals, &map), kept))
    }

    fn encode(&self, curves: &CurveSet, basis: &FunctionalBasis) -> Result<LatticeSum, PathError> {
        let bounded = self.ball.bound(curves).map_err(FunctionalMapError::from)?;
        Ok(lattice_sum(&bounded, basis.whitening.coordinates())?)
    }

    /// The privacy boundary: what it returns is public, though kept.
    fn draw<R: Randomness>(
        &self,
        curves: &CurveSet,
        sum: LatticeSum,
        law: &PathNoise<'_>,
        randomness: &mut R,
    ) -> Result<KeptPath, PathError> {
        let public_units = match self.neighbours {
            NeighbouringRelation::SubstituteOne => Some(sum.records()),
            NeighbouringRelation::AddRemoveOne => None,
        };
        let noise = law.draw(randomness)?;
        Ok(KeptPath {
            id: identifier(randomness),
            budget: self.budget,
            smoother: self.smoother.clone(),
            dispersion: self.dispersion,
            neighbours: self.neighbours,
            unit: curves.unit(),
            public_units,
            private: randomness.is_private(),
            ball: self.ball.clone(),
            grid: curves.grid().clone(),
            law: self.mixing.as_ref().map_or_else(|| "gaussian".to_owned(), MixingLaw::to_string),
            noise,
            noisy: sum.perturb(&noise, self.neighbours, randomness),
        })
    }

    fn basis(&self, grid: &Grid) -> Result<FunctionalBasis, FunctionalMapError> {
        FunctionalBasis::new(&self.smoother, self.dispersion, grid, &self.ball)
    }

    /// What a path costs, for an account of several. With a random scale it costs its budget: what is known of a mixture
    /// beyond that does not add up.
    ///
    /// # Errors
    /// [`PathError`] for a budget that the calibration cannot meet.
    pub fn spend(&self) -> Result<Spend, PathError> {
        Ok(match self.noise_law()? {
            PathNoise::Gaussian(noise) => Spend::of_gaussian(noise.privacy(self.neighbours)),
            PathNoise::Elliptical { .. } => Spend::of_budget(&self.budget),
        })
    }

    fn noise_law(&self) -> Result<PathNoise<'_>, PathError> {
        Ok(match &self.mixing {
            None => {
                let privacy = GaussianPrivacy::calibrated(Calibration::Tight, &self.budget)?;
                PathNoise::Gaussian(RoundedNormal::calibrated(privacy, self.neighbours)?)
            }
            Some(law) => {
                let privacy = MixedGaussianPrivacy::calibrated(law.clone(), &self.budget)?;
                let scale = privacy.scale(self.neighbours.lattice_sensitivity())?;
                // The largest V must leave the noise within the integers: refused here, so that no draw is.
                RoundedNormal::at_least((scale * law.largest()).next_up())?;
                PathNoise::Elliptical { law, scale }
            }
        })
    }
}

/// The law of the path's noise, calibrated.
enum PathNoise<'a> {
    Gaussian(RoundedNormal),
    Elliptical { law: &'a MixingLaw, scale: f64 },
}

impl PathNoise<'_> {
    /// The Gaussian noise of this path: for an elliptical law that of the `V` drawn, rounded up.
    fn draw<R: Randomness>(&self, randomness: &mut R) -> Result<RoundedNormal, NoiseScaleError> {
        match self {
            Self::Gaussian(noise) => Ok(*noise),
            Self::Elliptical { law, scale } => RoundedNormal::at_least((scale * law.draw(randomness)).next_up()),
        }
    }
}

/// 128 random bits, in hexadecimal digits.
fn identifier<R: Randomness>(randomness: &mut R) -> String {
    format!("{:016x}{:016x}", randomness.next_u64(), randomness.next_u64())
}
