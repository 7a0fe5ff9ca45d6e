//! Principal components from private second moments.

use dpfda_kernels::{Grid, eigenpairs};
use dpfda_release::SecondMoments;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use crate::population::{Population, PopulationMean};
use crate::posterior::Posterior;

mod basis;
mod component;
mod error;
mod noisy;
pub(crate) mod synthetic;
mod tensor;
#[cfg(test)]
mod tests;
mod total;

pub use component::Component;
pub use error::ComponentsError;

use basis::PublicBasis;
use component::Eigenfunctions;
use noisy::NoisyCovariance;
use tensor::{TensorSmoother, capped};
use total::TotalVariance;

/// The most values of synthetic curves in memory.
pub(crate) const MOST_VALUES: usize = 100_000_000;

/// An interval of 95% reaches so many standard deviations to each side.
const INTERVAL: f64 = 1.96;

/// A total variance below so many standard deviations of its noise is not told from 0.
const DISTINCT: f64 = 2.0;

/// How curves vary around their mean: the covariance operator of a release, its eigenvalues and its eigenfunctions.
///
/// ```text
/// C(s, t) = sum_k theta_k v_k(s) v_k(t),    integral of v_k^2 = 1 on the domain mapped to [0, 1]
/// ```
///
/// Eigenvalues and the total variance are in squared units of the data: `sqrt(theta_k)` is the root-mean-square size of what the
/// component adds to a typical curve. All of it is made of the noisy second moments in the release and of public numbers: it
/// costs no privacy. The curves are those in the release, pulled into its ball.
///
/// The noisy covariance is smoothed in the eigenbasis of a public kernel (Matern 3/2, range 0.5), with the penalty of least
/// estimated risk. The *rank* is the number of smoothed eigenvalues that noise alone exceeds in at most one of 400 draws; the
/// noise of the mean is in these draws. A rank of 0 is an answer: the release does not tell any component from its noise.
/// `docs/proofs/components.md` says which numbers are exact, which are first-order and which are measured.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Band, Components, DEFAULT_LEVEL, Estimated};
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{Mean, PrivateMean};
/// use dpfda_smoothing::{Ball, Center, CurveSet};
/// use ndarray::Array2;
///
/// let wave = |i: usize, k: usize| 0.5 + 0.02 * (i % 11) as f64 * (k as f64 / 9.0).sin() - 0.1 * (k as f64 / 9.0).sin();
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 40)?, Array2::from_shape_fn((5000, 40), |(i, k)| wave(i, k)))?;
/// let private_mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.2)?, PrivacyBudget::new(2.0, 1e-5)?);
/// let release = private_mean.release(&curves, &mut SystemRandomness::new()?)?;
///
/// // from here on only the release is used: nothing more is spent
/// let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL)?;
/// let components = Components::new(estimated.population())?;
/// assert!(components.rank() >= 1 && components.total_variance() > 0.0);
/// let first = &components.all()[0];
/// assert!(first.eigenvalue > 2.0 * first.eigenvalue_sd && first.function.len() == 40);
/// // the score of a new curve: how much of the first component it has
/// let scores = components.scores(components.mean())?;
/// assert!(scores[0].abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Components {
    grid: Grid,
    weights: Array1<f64>,
    mean: Array1<f64>,
    all: Vec<Component>,
    total: f64,
    total_sd: f64,
    total_sampling_sd: f64,
    /// How much of the energy of curves may lie outside a bought ball.
    outside: f64,
    smoothed: Array1<f64>,
    threshold: f64,
    /// The standard deviation of the privacy noise in the variance at each point of the grid, to first order.
    pub(crate) variance_sd: Array1<f64>,
    pub(crate) covariance: ModelCovariance,
}

/// The covariance in public coordinates.
#[derive(Debug, Clone)]
pub(crate) struct ModelCovariance {
    /// The public functions, `n x D`: values at the grid's points.
    pub(crate) functions: Array2<f64>,
    /// The eigenvalues of the public kernel, largest first.
    pub(crate) kernel: Array1<f64>,
    /// The smoothed covariance, positive and with its trace capped, `D x D`.
    pub(crate) capped: Array2<f64>,
    /// The coordinates of the eigenfunctions within the rank, `D x rank`.
    pub(crate) retained: Array2<f64>,
}

impl Components {
    /// The components of a population whose second moments were released.
    ///
    /// # Errors
    /// [`ComponentsError::NoMoments`] for a release without second moments, [`ComponentsError::TooFewRecords`] for fewer than 2
    /// records, or a number of records that is too noisy to divide by.
    pub fn new(population: &PopulationMean) -> Result<Self, ComponentsError> {
        Self::of(population.posterior(), population.moments().ok_or(ComponentsError::NoMoments)?)
    }

    /// The components of second moments and of the posterior of the mean, both from one release.
    ///
    /// # Errors
    /// As [`Components::new`], and [`ComponentsError::Analysis`] for moments that do not belong to the posterior.
    pub fn of(posterior: &Posterior, moments: &SecondMoments) -> Result<Self, ComponentsError> {
        let decoded = posterior.observation().decode(moments).map_err(ComponentsError::of_moments)?;
        let basis = PublicBasis::of(posterior, &decoded)?;
        let noisy = NoisyCovariance::of(posterior, moments, &decoded, &basis.rotation);
        let smoother = TensorSmoother::chosen(&basis.eigenvalues, &noisy);
        let threshold = noisy.threshold(&smoother)?;

        let pairs = eigenpairs(&smoother.smoothed(&noisy.matrix))?;
        let TotalVariance { value: total, sd: total_sd } = TotalVariance::of(posterior, moments);
        let of_capped = capped(&pairs.values, total.max(0.0));
        let squares = of_capped.dot(&of_capped);
        let found = Eigenfunctions { noisy: &noisy, smoother: &smoother, pairs: &pairs, threshold };
        let found = found.within_the_rank();
        let records = posterior.observation().records;
        let outside = posterior.observation().energy_outside;
        // where nothing is told from noise, all of the variance may be one component
        let squares = if found.is_empty() { squares.max(total.max(0.0).powi(2)) } else { squares };
        let share = Share { total, sd: total_sd, squares, records, outside, threshold };
        let all = found.iter().map(|one| one.component(&basis.functions, &share)).collect();
        let mut retained = Array2::zeros((basis.eigenvalues.len(), found.len()));
        for (mut column, one) in retained.columns_mut().into_iter().zip(&found) {
            column.assign(&one.vector);
        }
        let variance_sd = noisy.sds(&(&basis.functions * smoother.factors()));
        Ok(Self {
            grid: posterior.grid().clone(),
            weights: posterior.observation().unit_grid.weights().to_owned(),
            mean: posterior.values().to_owned(),
            all,
            total,
            total_sd,
            total_sampling_sd: (2.0 * squares / records).sqrt(),
            outside,
            smoothed: pairs.values.iter().rev().map(|value| value.max(0.0)).collect(),
            threshold,
            variance_sd,
            covariance: ModelCovariance {
                functions: basis.functions,
                kernel: basis.eigenvalues,
                capped: crate::psd::with_values(&pairs, &of_capped),
                retained,
            },
        })
    }

    /// The number of components that can be told from the privacy noise.
    pub fn rank(&self) -> usize {
        self.all.len()
    }

    /// The components, that of the largest eigenvalue first.
    pub fn all(&self) -> &[Component] {
        &self.all
    }

    /// The first components.
    pub fn first(&self, count: usize) -> Result<&[Component], ComponentsError> {
        self.all.get(..count).ok_or(ComponentsError::Rank { asked: count, rank: self.rank() })
    }

    /// The points that the functions are known at.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The posterior mean at the grid's points.
    pub fn mean(&self) -> ArrayView1<'_, f64> {
        self.mean.view()
    }

    /// The total variance: the average squared root-mean-square distance of the curves from their mean. Noise may make it negative.
    pub fn total_variance(&self) -> f64 {
        self.total
    }

    /// The standard deviation of the privacy noise in the total variance, to first order.
    pub fn total_variance_sd(&self) -> f64 {
        self.total_sd
    }

    /// The standard deviation of the total variance over samples of people, for Gaussian curves: `sqrt(2 tr(C^2) / N)`.
    pub fn total_variance_sampling_sd(&self) -> f64 {
        self.total_sampling_sd
    }

    /// The 95% interval of the total variance of the population: privacy and sampling to both sides, and above what a bought ball may have
    /// cut off. Its lower end is the statement that is worth most.
    ///
    /// ```text
    /// [ T - 1.96 sd,  T + 1.96 sd + e ],     e = 2 max( ehat2(tau), 10 p^4 tau^2 )
    /// ```
    ///
    /// Clipping only lowers second moments; `docs/proofs/components.md`.
    pub fn total_variance_interval(&self) -> (f64, f64) {
        let half = INTERVAL * self.total_sd.hypot(self.total_sampling_sd);
        ((self.total - half).max(0.0), self.total + half + self.outside)
    }

    /// How much of the energy of curves may lie outside a bought ball, `e`: below it, upper ends say little. 0 in a stated ball.
    pub fn energy_outside(&self) -> f64 {
        self.outside
    }

    /// Whether the total variance is above 2 standard deviations of its privacy noise.
    pub fn is_total_variance_distinct(&self) -> bool {
        self.total > DISTINCT * self.total_sd
    }

    /// The eigenvalues of the smoothed covariance, largest first: what is compared with [`Components::threshold`].
    pub fn smoothed_eigenvalues(&self) -> ArrayView1<'_, f64> {
        self.smoothed.view()
    }

    /// What the largest eigenvalue of smoothed privacy noise alone exceeds in one of 400 draws.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The covariance surface between the grid's points, `n x n`, in squared units of the data: smoothed, without negative
    /// eigenvalues, and with a trace of at most the total variance. It is there for a rank of 0 as well.
    pub fn covariance(&self) -> Array2<f64> {
        let functions = &self.covariance.functions;
        functions.dot(&self.covariance.capped).dot(&functions.t())
    }

    /// The public functions that the covariance is made of, at the grid's points: `n x D`.
    pub fn public_functions(&self) -> ArrayView2<'_, f64> {
        self.covariance.functions.view()
    }

    /// The scores of a new curve: how much of each component the curve has.
    ///
    /// ```text
    /// score_k = sum_i w_i (x(t_i) - mean(t_i)) v_k(t_i),    w the weights of the grid mapped to [0, 1]
    /// ```
    ///
    /// `curve` holds one value for each point of the grid. A curve of a person is private, and so are its scores.
    pub fn scores(&self, curve: ArrayView1<'_, f64>) -> Result<Array1<f64>, ComponentsError> {
        let (expected, found) = (self.grid.len(), curve.len());
        if expected != found {
            return Err(ComponentsError::Length { expected, found });
        }
        if let Some(place) = curve.iter().position(|value| value.is_nan() || value.abs() > 1e100) {
            return Err(ComponentsError::Value { place });
        }
        let deviation = (&curve - &self.mean) * &self.weights;
        Ok(self.all.iter().map(|component| component.function.dot(&deviation)).collect())
    }
}

/// What an explained share is a share of.
pub(crate) struct Share {
    total: f64,
    sd: f64,
    /// `tr(C^2)`.
    squares: f64,
    records: f64,
    /// `e`.
    outside: f64,
    threshold: f64,
}

impl Share {
    /// The 95% interval of an eigenvalue: 0 below, where noise may have made it.
    fn eigenvalue(&self, eigenvalue: f64, sd: f64) -> (f64, f64) {
        let half = INTERVAL * sd.hypot(eigenvalue * (2.0 / self.records).sqrt());
        let lower = if eigenvalue - half > self.threshold { eigenvalue - half } else { 0.0 };
        (lower, eigenvalue + half + self.outside)
    }

    /// The 95% interval of a share with this standard deviation.
    ///
    /// ```text
    /// [ f T / (T + e) - 1.96 sd,  min(1, (f T + e) / (T + e) + 1.96 sd) ]
    /// ```
    fn interval(&self, share: f64, sd: f64) -> (f64, f64) {
        let (total, outside) = (self.total, self.outside);
        let half = INTERVAL * sd;
        let lower = share * total / (total + outside) - half;
        (lower.max(0.0), ((share * total + outside) / (total + outside) + half).min(1.0))
    }

    /// The share of an eigenvalue, with the standard deviations of privacy and of sampling; `None` where the total may be noise.
    ///
    /// ```text
    /// f = theta / T,    sd^2 = (sd_theta / T)^2 + (f sd_T / T)^2,    sampling^2 = 2/N (f^2 (1 - 2f) + f^2 tr(C^2) / T^2)
    /// ```
    fn of(&self, eigenvalue: f64, eigenvalue_sd: f64) -> Option<(f64, f64, f64)> {
        if self.total <= DISTINCT * self.sd {
            return None;
        }
        let share = (eigenvalue / self.total).min(1.0);
        let sd = (eigenvalue_sd / self.total).hypot(share * self.sd / self.total);
        let spread = share * share * (1.0 - 2.0 * share + self.squares / self.total.powi(2));
        Some((share, sd, (2.0 * spread.max(0.0) / self.records).sqrt()))
    }
}
