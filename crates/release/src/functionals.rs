//! A fixed number of linear functionals of the mean function, released with pure differential privacy.

use dpfda_privacy::{
    Arithmetic, BudgetError, DiscreteLaplace, DiscreteLaplaceError, EllipticalError, KNorm, LatticeError, LatticeSum,
    NeighbouringRelation, NoisySum, PrivacyBudget, Randomness, SphericalLaw, SphericalNoise, StudentT,
};
use dpfda_smoothing::{Ball, CurveSet, PenalizedMean};
use ndarray::{Array1, Array2, ArrayView2};
use serde::Serialize;
use thiserror::Error;

use crate::encode::lattice_sum;
use crate::functional::{FunctionalError, LinearFunctional};
use crate::functional_map::{Dispersion, FunctionalBasis, FunctionalMapError};
use crate::functionals_release::FunctionalsRelease;
use crate::span::Span;
use crate::whitening::{Coordinates, Whitening};

#[cfg(test)]
mod tests;

/// The law of the noise of [`PrivateFunctionals`], in the `k` whitened coordinates that the functionals span.
///
/// In whitened coordinates one record moves the sum within a Euclidean ball, the same in all directions. So at the same
/// epsilon the K-norm law has the smaller mean squared error: under substitute-one `(k + 1)/(2k)` of that of independent
/// Laplace noise, which for one functional is the same law. (Under add/remove-one the count is one coordinate more.)
/// Independent discrete Laplace noise is exact.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FunctionalNoise {
    /// Independent discrete Laplace noise calibrated to the l1 sensitivity: exact arithmetic.
    #[default]
    DiscreteLaplace,
    /// Density proportional to `exp(-|x|)`, the ellipsoidal K-norm mechanism: idealised arithmetic.
    KNorm,
    /// Multivariate t noise, for those who want its heavy tails: idealised arithmetic.
    StudentT {
        /// `nu > 0`.
        degrees_of_freedom: f64,
    },
}

/// Why functionals were not released. Nothing in it depends on the values of the curves.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum FunctionalsError {
    /// Noise in floating point must be asked for.
    #[error(
        "K-norm and t noise are drawn in floating point, whose low-order bits are outside the proof: accept that with idealised_arithmetic(), which stamps the release, or use discrete Laplace noise, which is exact"
    )]
    Idealised,
    /// Pure privacy at epsilon 0 would be noise alone.
    #[error("epsilon must be positive for a release without delta, got {value}")]
    Epsilon {
        /// The epsilon given.
        value: f64,
    },
    /// A mean of fewer than two records is a record.
    #[error("at least 2 records (subjects or curves) are needed when their number is public, got {found}")]
    TooFewRecords {
        /// The public number of records.
        found: usize,
    },
    /// The functionals or the smoother do not fit the curves.
    #[error(transparent)]
    Map(#[from] FunctionalMapError),
    /// Epsilon is not an epsilon.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The elliptical law is not private or not a law.
    #[error(transparent)]
    Elliptical(#[from] EllipticalError),
    /// The discrete Laplace law cannot be calibrated.
    #[error(transparent)]
    Laplace(#[from] DiscreteLaplaceError),
    /// Too many functionals or records.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// `d` linear functionals of the private mean function, `epsilon`-private with `delta = 0`.
///
/// ```text
/// g_i(c + S (Xbar - c)) + noise,    i = 1..d
/// ```
///
/// The noise has the dispersion `{C(g_i, g_j)}` of the chosen [`Dispersion`]: one record moves `{g_i}` by at most `Delta` in
/// its norm whatever the functionals are, so the guarantee depends on their number alone (Reimherr and Awan, Corollary 1),
/// and on no more than the number `k <= d` of them that are linearly independent. No noise of this kind protects a whole
/// function (their Theorem 4): for that see [`PrivateMean`](crate::PrivateMean).
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateFunctionals {
    ball: Ball,
    epsilon: f64,
    smoother: PenalizedMean,
    dispersion: Dispersion,
    neighbours: NeighbouringRelation,
    noise: FunctionalNoise,
    idealised: bool,
}

/// The functionals as combinations of coordinates, the exact sum of these, and the noise they get. Private.
#[derive(Clone)]
struct Prepared {
    offsets: Array1<f64>,
    coefficients: Array2<f64>,
    noise: Calibrated,
    sum: LatticeSum,
}

/// A calibrated law for some number of coordinates.
#[derive(Clone, Copy)]
enum Calibrated {
    Exact(DiscreteLaplace),
    Idealised(SphericalNoise),
}

impl PrivateFunctionals {
    /// Functionals of the mean of the curves in this ball, seen through this smoother.
    ///
    /// Unlike that of [`PrivateMean::isonormal`](crate::PrivateMean::isonormal) the smoother acts before the noise: it is
    /// part of the question, and cannot be changed afterwards.
    ///
    /// # Errors
    /// [`FunctionalsError::Epsilon`] unless `epsilon` is positive, [`FunctionalsError::Budget`] unless it is finite.
    pub fn new(ball: Ball, epsilon: f64, smoother: PenalizedMean) -> Result<Self, FunctionalsError> {
        let epsilon = PrivacyBudget::new(epsilon, 0.0)?.epsilon();
        if epsilon == 0.0 {
            return Err(FunctionalsError::Epsilon { value: epsilon });
        }
        Ok(Self {
            ball,
            epsilon,
            smoother,
            dispersion: Dispersion::default(),
            neighbours: NeighbouringRelation::default(),
            noise: FunctionalNoise::default(),
            idealised: false,
        })
    }

    /// Sets the law of the noise (default: discrete Laplace, which is exact).
    #[must_use]
    pub fn noise(mut self, noise: FunctionalNoise) -> Self {
        self.noise = noise;
        self
    }

    /// Accepts noise drawn in floating point; the release is stamped [`Arithmetic::Idealised`].
    #[must_use]
    pub fn idealised_arithmetic(mut self) -> Self {
        self.idealised = true;
        self
    }

    /// Sets the covariance that the functionals' dispersion comes from (default: white noise through the smoother).
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

    /// Releases the functionals of the mean: **spends the budget**.
    ///
    /// # Errors
    /// [`FunctionalsError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness>(
        &self,
        curves: &CurveSet,
        functionals: &[LinearFunctional],
        randomness: &mut R,
    ) -> Result<FunctionalsRelease, FunctionalsError> {
        if self.noise != FunctionalNoise::DiscreteLaplace && !self.idealised {
            return Err(FunctionalsError::Idealised);
        }
        let prepared = self.prepare(curves, functionals)?;
        let records = prepared.sum.records();
        if self.neighbours == NeighbouringRelation::SubstituteOne && records < 2 {
            return Err(FunctionalsError::TooFewRecords { found: usize::from(records == 1) });
        }
        Ok(self.draw(curves, functionals, prepared, randomness))
    }

    /// Everything up to the noise.
    fn prepare(&self, curves: &CurveSet, functionals: &[LinearFunctional]) -> Result<Prepared, FunctionalsError> {
        let basis = FunctionalBasis::new(&self.smoother, self.dispersion, curves.grid(), &self.ball)?;
        let map = basis.map(functionals)?;
        let span = Span::new(map.rows.view());
        if span.rank() == 0 {
            return Err(FunctionalMapError::from(FunctionalError::Constant).into());
        }
        let noise = self.calibrated(span.rank())?;
        let sum = self.encode(curves, &basis.whitening, span.directions.view())?;
        Ok(Prepared { offsets: map.offsets, coefficients: span.coefficients, noise, sum })
    }

    /// The privacy boundary: what it returns is public.
    fn draw<R: Randomness>(
        &self,
        curves: &CurveSet,
        functionals: &[LinearFunctional],
        prepared: Prepared,
        randomness: &mut R,
    ) -> FunctionalsRelease {
        let Prepared { offsets, coefficients, noise, sum } = prepared;
        let public_units = match self.neighbours {
            NeighbouringRelation::SubstituteOne => Some(sum.records()),
            NeighbouringRelation::AddRemoveOne => None,
        };
        FunctionalsRelease {
            software: concat!("dpfda ", env!("CARGO_PKG_VERSION")),
            functionals: functionals.to_vec(),
            domain: (curves.grid().lower(), curves.grid().upper()),
            epsilon: self.epsilon,
            neighbours: self.neighbours,
            unit: curves.unit(),
            public_units,
            private: randomness.is_private(),
            arithmetic: noise.arithmetic(),
            noise: self.noise,
            noise_variance: noise.variance(),
            dispersion: self.dispersion,
            ball: self.ball.clone(),
            smoother: self.smoother.clone(),
            offsets,
            coefficients,
            noisy: noise.perturb(sum, self.neighbours, randomness),
        }
    }

    /// The exact sum of the records' coordinates along the directions that the functionals span.
    fn encode(
        &self,
        curves: &CurveSet,
        whitening: &Whitening,
        directions: ArrayView2<'_, f64>,
    ) -> Result<LatticeSum, FunctionalsError> {
        let map = match whitening.coordinates() {
            Coordinates::Isonormal { .. } => directions.t().to_owned(),
            Coordinates::Mapped(map) => map.dot(&directions.t()),
        };
        let bounded = self.ball.bound(curves).map_err(FunctionalMapError::from)?;
        Ok(lattice_sum(&bounded, Coordinates::Mapped(map.view()))?)
    }

    fn calibrated(&self, rank: usize) -> Result<Calibrated, FunctionalsError> {
        // Under add/remove-one the count is one more coordinate.
        let dimension = match self.neighbours {
            NeighbouringRelation::SubstituteOne => rank,
            NeighbouringRelation::AddRemoveOne => rank + 1,
        };
        let sensitivity = self.neighbours.lattice_sensitivity();
        let spherical = |law| SphericalNoise::calibrated(law, sensitivity, self.epsilon).map(Calibrated::Idealised);
        Ok(match self.noise {
            FunctionalNoise::DiscreteLaplace => {
                let sensitivity = self.neighbours.lattice_l1_sensitivity(rank);
                let budget = PrivacyBudget::new(self.epsilon, 0.0)?;
                Calibrated::Exact(DiscreteLaplace::calibrated(sensitivity, dimension, &budget)?)
            }
            FunctionalNoise::KNorm => spherical(SphericalLaw::KNorm(KNorm::new(dimension)?))?,
            FunctionalNoise::StudentT { degrees_of_freedom } => {
                spherical(SphericalLaw::StudentT(StudentT::new(degrees_of_freedom, dimension)?))?
            }
        })
    }
}

impl Calibrated {
    fn perturb<R: Randomness>(
        &self,
        sum: LatticeSum,
        neighbours: NeighbouringRelation,
        randomness: &mut R,
    ) -> NoisySum {
        match self {
            Self::Exact(noise) => sum.perturb(noise, neighbours, randomness),
            Self::Idealised(noise) => sum.perturb(noise, neighbours, randomness),
        }
    }

    fn arithmetic(&self) -> Arithmetic {
        match self {
            Self::Exact(_) => Arithmetic::Exact,
            Self::Idealised(_) => Arithmetic::Idealised,
        }
    }

    /// The variance of one coordinate, in squared lattice steps.
    fn variance(&self) -> f64 {
        match self {
            Self::Exact(noise) => noise.variance(),
            Self::Idealised(noise) => noise.variance(),
        }
    }
}
