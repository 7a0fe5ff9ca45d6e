//! A test whether two populations have one mean.

use ndarray::{Array1, Array2, Axis};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use super::Difference;
use crate::error::AnalysisError;
use crate::population::{Population, PopulationMean};
use crate::posterior::Posterior;
use crate::posterior::unmapped::Unmapped;
use crate::psd::square_root;
use crate::sampling::{public_functions, public_shape};

/// The number of public functions that a test looks along: the first of the public shape of covariances.
const DIRECTIONS: usize = 8;

/// What smooth functions count in the statistic: `s_j = lambda_j / (lambda_j + phi)`.
const PENALTY: f64 = 0.01;

/// The number of draws from the law of the statistic for equal means, and their seed: public, so that every reader finds the same.
pub(super) const DRAWS: u32 = 20_000;
pub(super) const SEED: u64 = 16;

/// The part of the pull that two means with one radius need not have in common. Measured, not proved.
const OF_ONE_RADIUS: f64 = 0.5;

/// The answer of a test whether two means are equal.
///
/// ```text
/// T = sum_j s_j^2 (P'D)_j^2,    D = Y_A - Y_B,    P'D ~ N(0, S_A + S_B),    S_g = sigma_g^2 P'(BB')^(-1)P + [P' Sigma_g P]_+ / N_g + (c E_g)^2 P'KP
/// ```
///
/// `Y` are the noisy means as they were released, before smoothing, and `P` the first 8 eigenfunctions of the Matern 3/2 kernel of
/// range 0.5. `B` is what their coordinates are of the mean; `B = I` for white noise. `c = 1/2` for two groups of one release: one radius
/// pulls both alike, so that pulls cancel where their laws are the same; `c = 1` for two releases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EqualityTest {
    /// `T`, in squared units of the data.
    pub statistic: f64,
    /// `(1 + #{draws for equal means at least T}) / (1 + draws)`.
    pub p_value: f64,
    /// The number of draws.
    pub draws: u32,
}

impl Difference<'_, PopulationMean> {
    /// Tests whether the two populations have one mean.
    pub fn equality(&self) -> Result<EqualityTest, AnalysisError> {
        let Directions { directions, weights } = Directions::of(self.sides[0].posterior())?;
        let mut null = Array2::zeros((weights.len(), weights.len()));
        let mut along = Array1::zeros(weights.len());
        let [one, other] = self.sides;
        let pull = if one.has_one_radius_with(other) { OF_ONE_RADIUS } else { 1.0 };
        for (side, sign) in self.sides.into_iter().zip([1.0, -1.0]) {
            let Whitened { observed, covariance } = Whitened::of(side, &directions, pull)?;
            along.scaled_add(sign, &directions.t().dot(&observed));
            null += &covariance;
        }
        let statistic = |along: &Array1<f64>| along.iter().zip(&weights).map(|(d, s)| (s * d).powi(2)).sum::<f64>();
        let seen = statistic(&along);
        let root = square_root(&null)?;
        let mut generator = ChaCha20Rng::seed_from_u64(SEED);
        let at_least = (0..DRAWS).filter(|_| {
            let normal = Array1::from_shape_simple_fn(weights.len(), || StandardNormal.sample(&mut generator));
            statistic(&root.dot(&normal)) >= seen
        });
        let p_value = (1.0 + at_least.count() as f64) / (1.0 + f64::from(DRAWS));
        Ok(EqualityTest { statistic: seen, p_value, draws: DRAWS })
    }
}

/// What a test looks along.
pub(super) struct Directions {
    /// `P` in the support's whitened coordinates.
    pub(super) directions: Array2<f64>,
    /// `s_j`.
    pub(super) weights: Vec<f64>,
}

impl Directions {
    pub(super) fn of(posterior: &Posterior) -> Result<Self, AnalysisError> {
        let (spectrum, directions) = public_functions(posterior, DIRECTIONS)?;
        let weights = spectrum.eigenvalues().iter().map(|lambda| lambda / (lambda + PENALTY)).collect();
        Ok(Self { directions, weights })
    }
}

/// A noisy mean in the support's whitened coordinates, in data units, and its covariance along some directions.
pub(super) struct Whitened {
    pub(super) observed: Array1<f64>,
    pub(super) covariance: Array2<f64>,
}

impl Whitened {
    pub(super) fn of(side: &PopulationMean, directions: &Array2<f64>, pull: f64) -> Result<Self, AnalysisError> {
        let posterior = side.posterior();
        let observation = &posterior.observation;
        let support = &posterior.support;
        let roots = observation.unit_grid.weights().mapv(f64::sqrt);
        // coordinates that do not tell the mean, and sums of rows: other means would be seen as the same
        let seen = Unmapped::of(posterior)?.ok_or(AnalysisError::TestNeedsIsonormal)?;
        let (deviation, along) = (&seen.deviation, directions.t().to_owned());
        let along = seen.noise(&along);
        let noise = along.dot(&along.t()) * observation.sigma.powi(2);
        let observed = support.binned((&observation.center * &roots).view()) + deviation;
        // the noise of the number of records moves the deviation in proportion
        let count = directions.t().dot(deviation) * observation.relative_count_sd;
        let sampling = side.sampling().along(directions, posterior)? / observation.records;
        let weighted = directions * &support.weights.mapv(f64::sqrt).insert_axis(Axis(1));
        let pull = weighted.t().dot(&public_shape(&observation.unit_grid, &support.points)?).dot(&weighted)
            * (pull * observation.clipping).powi(2);
        let count = count.insert_axis(Axis(1));
        Ok(Self { observed, covariance: noise + sampling + pull + count.dot(&count.t()) })
    }
}
