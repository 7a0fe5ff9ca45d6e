//! Released functionals with their provenance.

use dpfda_privacy::{Arithmetic, LATTICE_BITS, NeighbouringRelation, NoisySum, PrivacyUnit, steps_to_unit};
use dpfda_smoothing::{Ball, PenalizedMean};
use ndarray::{Array1, Array2};
use serde::{Serialize, Serializer};

use crate::document::SmootherDocument;
use crate::functional::LinearFunctional;
use crate::functional_map::Dispersion;
use crate::functionals::FunctionalNoise;

/// The version of the file format.
const SCHEMA: u32 = 1;

/// Published functionals of a private mean. Everything in it may be shown to anybody.
#[derive(Debug, Clone)]
pub struct FunctionalsRelease {
    pub(crate) software: &'static str,
    pub(crate) functionals: Vec<LinearFunctional>,
    /// Where the curves' domain begins and ends.
    pub(crate) domain: (f64, f64),
    pub(crate) epsilon: f64,
    pub(crate) neighbours: NeighbouringRelation,
    pub(crate) unit: PrivacyUnit,
    /// The public `N`; `None` under add/remove-one.
    pub(crate) public_units: Option<u64>,
    pub(crate) private: bool,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) noise: FunctionalNoise,
    /// Of one coordinate, in squared lattice steps.
    pub(crate) noise_variance: f64,
    pub(crate) dispersion: Dispersion,
    pub(crate) ball: Ball,
    pub(crate) smoother: PenalizedMean,
    /// The functionals of the centre.
    pub(crate) offsets: Array1<f64>,
    /// `d x k`: the functionals as combinations of the coordinates that were released.
    pub(crate) coefficients: Array2<f64>,
    pub(crate) noisy: NoisySum,
}

impl FunctionalsRelease {
    /// What was asked.
    pub fn functionals(&self) -> &[LinearFunctional] {
        &self.functionals
    }

    /// The answers, in the order asked, in the units of the data (and of `t`, for derivatives and integrals).
    pub fn values(&self) -> Array1<f64> {
        &self.offsets + &self.deviations()
    }

    /// The standard deviations of the privacy noise in [`FunctionalsRelease::values`].
    ///
    /// Infinite for t noise with at most 2 degrees of freedom. Under add/remove-one it includes, to first order, the noise
    /// of the count.
    pub fn noise_sd(&self) -> Array1<f64> {
        self.noise_covariance().diag().mapv(f64::sqrt)
    }

    /// The `d x d` covariance matrix of the privacy noise: `L L'` times the variance of one coordinate.
    ///
    /// Where functionals depend on one another it is singular, and the noise lies in its range.
    pub fn noise_covariance(&self) -> Array2<f64> {
        let variance = self.step().powi(2) * self.noise_variance;
        let mut covariance = self.coefficients.dot(&self.coefficients.t()).mapv(|c| c * variance);
        let (relative, deviations) = (self.relative_count_sd(), self.deviations());
        if relative > 0.0 {
            for ((i, j), value) in covariance.indexed_iter_mut() {
                *value += deviations[i] * deviations[j] * relative * relative;
            }
        }
        covariance
    }

    /// `epsilon`, with `delta = 0`.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// Which data sets the release does not tell apart.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.unit
    }

    /// The number of records: exact where it is public, a noisy estimate under add/remove-one.
    pub fn units(&self) -> f64 {
        let public = self.public_units.map(|units| units as f64);
        public.or_else(|| self.noisy.records()).unwrap_or(1.0)
    }

    /// Whether the noise was secret. A release made from a seed is a demonstration and protects nobody.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Whether the guarantee holds to the last bit, or for real numbers only.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The law of the noise.
    pub fn noise(&self) -> FunctionalNoise {
        self.noise
    }

    /// `k`: how many of the functionals are linearly independent, which is what the noise grows with.
    pub fn rank(&self) -> usize {
        self.coefficients.ncols()
    }

    /// The noisy integers that were drawn: sums over records of the coordinates that the functionals span, in lattice steps.
    pub fn coordinates(&self) -> &[i64] {
        &self.noisy.coordinates
    }

    /// Under add/remove-one the noisy count as it was drawn, in lattice steps.
    pub fn count(&self) -> Option<i64> {
        self.noisy.count
    }

    /// The covariance that the noise's dispersion comes from.
    pub fn dispersion(&self) -> Dispersion {
        self.dispersion
    }

    /// The public ball that every curve was projected on.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// The smoother that the mean was seen through.
    pub fn smoother(&self) -> &PenalizedMean {
        &self.smoother
    }

    /// The release as a JSON document, for reading: it is made by [`PrivateFunctionals`](crate::PrivateFunctionals) alone.
    ///
    /// # Errors
    /// None in practice.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// `L (S + noise) tau / N`: the functionals less those of the centre.
    fn deviations(&self) -> Array1<f64> {
        let coordinates: Array1<f64> = self.noisy.coordinates.iter().map(|&k| k as f64 * self.step()).collect();
        self.coefficients.dot(&coordinates)
    }

    /// One lattice step of the sum, as a step of the mean in data units.
    fn step(&self) -> f64 {
        self.ball.radius() / steps_to_unit(self.rank()) / self.units()
    }

    fn relative_count_sd(&self) -> f64 {
        match self.neighbours {
            NeighbouringRelation::SubstituteOne => 0.0,
            NeighbouringRelation::AddRemoveOne => NoisySum::records_sd(self.noise_variance.sqrt()) / self.units(),
        }
    }
}

impl Serialize for FunctionalsRelease {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Document {
            schema: SCHEMA,
            software: self.software,
            epsilon: self.epsilon,
            delta: 0.0,
            arithmetic: self.arithmetic,
            private: self.private,
            neighbours: self.neighbours,
            unit: self.unit,
            units: self.units(),
            noise: self.noise,
            dispersion: self.dispersion,
            rank: self.rank(),
            ball: &self.ball,
            smoother: (&self.smoother).into(),
            domain: self.domain,
            lattice_bits: LATTICE_BITS,
            lattice_step: self.ball.radius() / steps_to_unit(self.rank()),
            functionals: &self.functionals,
            values: self.values().to_vec(),
            noise_sd: self.noise_sd().iter().map(|sd| sd.is_finite().then_some(*sd)).collect(),
        }
        .serialize(serializer)
    }
}

/// What is written; a standard deviation that is infinite is `null`.
#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    software: &'a str,
    epsilon: f64,
    delta: f64,
    arithmetic: Arithmetic,
    private: bool,
    neighbours: NeighbouringRelation,
    unit: PrivacyUnit,
    units: f64,
    noise: FunctionalNoise,
    dispersion: Dispersion,
    rank: usize,
    ball: &'a Ball,
    smoother: SmootherDocument,
    domain: (f64, f64),
    lattice_bits: u32,
    lattice_step: f64,
    functionals: &'a [LinearFunctional],
    values: Vec<f64>,
    noise_sd: Vec<Option<f64>>,
}
