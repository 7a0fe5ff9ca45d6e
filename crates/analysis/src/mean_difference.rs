//! Two means of different people: their difference with a band, and a test whether they are equal.

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Matern, Spectrum};
use ndarray::{Array1, Array2, Axis};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::band::process::{critical_value, population_covariance};
use crate::error::{AnalysisError, check_level};
use crate::population_mean::PopulationMean;
use crate::psd::square_root;
use crate::sampling::{SHAPE, public_shape};

#[cfg(test)]
#[path = "mean_difference_tests.rs"]
mod tests;

/// The number of public functions that a test looks along: the first of the public shape of covariances.
const DIRECTIONS: usize = 8;

/// What smooth functions count in the statistic: `s_j = lambda_j / (lambda_j + phi)`.
const PENALTY: f64 = 0.01;

/// The number of draws from the law of the statistic for equal means, and their seed: public, so that every reader finds the same.
const DRAWS: u32 = 20_000;
const SEED: u64 = 16;

/// The difference of the means of two populations, from two releases, or two groups of one release, whose noise is independent.
///
/// ```text
/// d = f_A - f_B,    C = C_A + C_B,    half-width = 1.06 min(tube(max(kappa, 32)), Sidak_n) sqrt(C_tt)
/// ```
///
/// `f` is the posterior mean of a release, and `C_A` the covariance of its population band: posterior, sampling of people, and the
/// pull of a bought ball. The releases may have any balls and budgets. That they are of different people is the user's word: for people
/// who are in both, the sampling part of the band is not right.
///
/// Everything here is post-processing.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Band, DEFAULT_LEVEL, EstimatedMean, MeanDifference};
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::PrivateMean;
/// use dpfda_smoothing::{Ball, CurveSet};
/// use ndarray::Array2;
///
/// let plan = PrivateMean::isonormal(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?);
/// let release = |shift: f64| -> Result<EstimatedMean, Box<dyn std::error::Error>> {
///     let values = Array2::from_shape_fn((900, 30), |(i, k)| shift + 0.05 * ((i % 7 + k) as f64 / 9.0).sin());
///     let curves = CurveSet::new(Grid::uniform(0.0, 2.0, 30)?, values)?;
///     Ok(EstimatedMean::new(plan.release(&curves, &mut SystemRandomness::new()?)?, &Band::Population, DEFAULT_LEVEL)?)
/// };
/// let (first, second) = (release(0.6)?, release(0.4)?);
/// let difference = MeanDifference::new(first.population(), second.population(), DEFAULT_LEVEL)?;
/// assert!(difference.equality()?.p_value < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MeanDifference<'a> {
    sides: [&'a PopulationMean; 2],
    values: Array1<f64>,
    sd: Array1<f64>,
    critical: f64,
    level: f64,
}

/// The answer of a test whether two means are equal.
///
/// ```text
/// T = sum_j s_j^2 (P'D)_j^2,    D = Y_A - Y_B,    P'D ~ N(0, (sigma_A^2 + sigma_B^2) I + sum_g ([P' Sigma_g P]_+ / N_g + E_g^2 P'KP))
/// ```
///
/// `Y` are the noisy means as they were released, before smoothing, and `P` the first 8 eigenfunctions of the Matern 3/2 kernel of
/// range 0.5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EqualityTest {
    /// `T`, in squared units of the data.
    pub statistic: f64,
    /// `(1 + #{draws for equal means at least T}) / (1 + draws)`.
    pub p_value: f64,
    /// The number of draws.
    pub draws: u32,
}

impl<'a> MeanDifference<'a> {
    /// The first mean minus the second, with a simultaneous band of this level for the populations.
    ///
    /// # Errors
    /// [`AnalysisError::OtherGrid`] for releases on different grids, [`AnalysisError::SameRelease`] for one release twice,
    /// [`AnalysisError::Level`] for a level outside (0.5, 0.9999), [`AnalysisError::TooFewRecords`] for fewer than 2 records.
    pub fn new(first: &'a PopulationMean, second: &'a PopulationMean, level: f64) -> Result<Self, AnalysisError> {
        check_level(level)?;
        if first.grid() != second.grid() {
            return Err(AnalysisError::OtherGrid);
        }
        if first.posterior().observation.coordinates == second.posterior().observation.coordinates {
            return Err(AnalysisError::SameRelease);
        }
        let sides = [first, second];
        for side in sides {
            let records = side.posterior().observation.records;
            if records < 2.0 {
                return Err(AnalysisError::TooFewRecords { band: "difference", records });
            }
        }
        let [a, b] = sides.map(|side| population_covariance(side.posterior(), side.sampling()));
        let (critical, sd) = critical_value(&(a? + b?), first.grid().len(), level);
        let values = &first.posterior().values() - &second.posterior().values();
        Ok(Self { values, sd: first.posterior().support.on_grid(sd.view()), sides, critical, level })
    }

    /// The points of both releases.
    pub fn grid(&self) -> &Grid {
        self.sides[0].grid()
    }

    /// The first estimate minus the second at the grid's points.
    pub fn values(&self) -> &Array1<f64> {
        &self.values
    }

    /// The standard deviation of everything that the band covers, at the grid's points.
    pub fn sd(&self) -> &Array1<f64> {
        &self.sd
    }

    /// The lower end of the band.
    pub fn lower(&self) -> Array1<f64> {
        &self.values - &(&self.sd * self.critical)
    }

    /// The upper end of the band.
    pub fn upper(&self) -> Array1<f64> {
        &self.values + &(&self.sd * self.critical)
    }

    /// The level of the band.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The parts of the domain where the band does not hold 0, each from its first to its last point of the grid.
    pub fn where_it_is_not_zero(&self) -> Vec<(f64, f64)> {
        let points = self.grid().points();
        let (lower, upper) = (self.lower(), self.upper());
        let differs = |i: usize| lower[i] > 0.0 || upper[i] < 0.0;
        let mut parts: Vec<(f64, f64)> = Vec::new();
        for i in (0..points.len()).filter(|&i| differs(i)) {
            match parts.last_mut() {
                Some(part) if i > 0 && differs(i - 1) => part.1 = points[i],
                _ => parts.push((points[i], points[i])),
            }
        }
        parts
    }

    /// Tests whether the two populations have one mean.
    ///
    /// # Errors
    /// [`AnalysisError::TestNeedsIsonormal`] unless both releases have white noise on the mean itself.
    pub fn equality(&self) -> Result<EqualityTest, AnalysisError> {
        let (directions, weights) = self.directions()?;
        let mut null = Array2::zeros((weights.len(), weights.len()));
        let mut along = Array1::zeros(weights.len());
        for (side, sign) in self.sides.into_iter().zip([1.0, -1.0]) {
            let Whitened { observed, covariance } = Whitened::of(side, &directions)?;
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

    /// `P` in the support's whitened coordinates, and `s_j`.
    fn directions(&self) -> Result<(Array2<f64>, Vec<f64>), AnalysisError> {
        let posterior = self.sides[0].posterior();
        let grid = posterior.observation.unit_grid.clone();
        let spectrum = Spectrum::for_smoothing(Matern::new(SHAPE.0, SHAPE.1)?, grid, DEFAULT_TOLERANCE)?;
        let spectrum = spectrum.truncated(DIRECTIONS);
        let roots = posterior.observation.unit_grid.weights().mapv(f64::sqrt);
        let mut directions = Array2::zeros((posterior.support.len(), spectrum.rank()));
        let functions = spectrum.eigenfunctions();
        for (mut column, function) in directions.columns_mut().into_iter().zip(functions.columns()) {
            column.assign(&posterior.support.binned((&function * &roots).view()));
        }
        let weights = spectrum.eigenvalues().iter().map(|lambda| lambda / (lambda + PENALTY)).collect();
        Ok((directions, weights))
    }
}

/// A noisy mean in the support's whitened coordinates, in data units, and its covariance along some directions.
struct Whitened {
    observed: Array1<f64>,
    covariance: Array2<f64>,
}

impl Whitened {
    fn of(side: &PopulationMean, directions: &Array2<f64>) -> Result<Self, AnalysisError> {
        let posterior = side.posterior();
        let observation = &posterior.observation;
        if observation.map.is_some() {
            return Err(AnalysisError::TestNeedsIsonormal);
        }
        let support = &posterior.support;
        let roots = observation.unit_grid.weights().mapv(f64::sqrt);
        let deviation = support.binned(observation.coordinates.view());
        let observed = support.binned((&observation.center * &roots).view()) + &deviation;
        // the noise of the number of records moves the deviation in proportion
        let count = directions.t().dot(&deviation) * observation.relative_count_sd;
        let sampling = side.sampling().along(directions, posterior)? / observation.records;
        let weighted = directions * &support.weights.mapv(f64::sqrt).insert_axis(Axis(1));
        let pull = weighted.t().dot(&public_shape(&observation.unit_grid, &support.points)?).dot(&weighted)
            * observation.clipping.powi(2);
        let noise = directions.t().dot(directions) * observation.sigma.powi(2);
        let count = count.insert_axis(Axis(1));
        Ok(Self { observed, covariance: noise + sampling + pull + count.dot(&count.t()) })
    }
}
