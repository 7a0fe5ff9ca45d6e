//! How the curve of one person varies about the mean: what bands for a new person and the rest of a curve follow from.

use ndarray::{Array1, Array2, ArrayView2};

use crate::components::{Component, Components};
use crate::error::AnalysisError;
use crate::population::{Population, PopulationMean};
use crate::posterior::Posterior;
use crate::posterior::seen::scaled;

pub(crate) mod completion;
mod covariance;
mod largest;
#[cfg(test)]
mod tests;

use covariance::{Found, degrees_of_freedom, fill};

/// Below so many degrees of freedom the total variance is known too badly for a band of one person.
const LEAST_FREEDOM: f64 = 5.0;

/// The normal quantile of the confidence of a tolerance band, 90%.
const CONFIDENCE: f64 = 1.281_551_565_544_600_4;

/// The curve of a new person of a population: a Gaussian process about the mean, as the second moments of a release tell it.
///
/// ```text
/// Sigma = sum_{k <= K} theta_k a_k a_k' + max(T - sum theta, sd_T) (I - P_K) E (I - P_K) / tr
/// nu    = 2 / ( (sd_T / T)^2 + 2 tr(Sigma^2) / (T^2 N) )
/// ```
///
/// `theta` and `a` are the `K` [components](crate::Components) that can be told from noise, `P_K` the projection on them, `T` the total
/// variance, `E` the exponential kernel of range 0.2 on the domain mapped to `[0, 1]`: a public shape for the rest, rough enough that no
/// value of a curve tells its neighbours more than it does. What the components leave of `T` is known up to its noise `sd_T`, and is
/// taken to be at least that: a rest of 0 would make the values of a curve follow from a few of them without error. With `K = 0` all of the covariance has this shape. `nu` are the degrees of freedom of Student's law for
/// which the estimate of the variance stands, to first order.
///
/// That people are normal about their mean is assumed, and not checked. `docs/proofs/person.md` says what is proved and what is measured.
#[derive(Debug, Clone)]
pub struct Person {
    /// `Sigma` between the points of the posterior's support, in squared data units.
    covariance: Array2<f64>,
    /// That of the mean of the population.
    of_mean: Array2<f64>,
    total: f64,
    freedom: f64,
    rank: usize,
}

impl Person {
    /// A person of a population whose second moments were released.
    ///
    /// # Errors
    /// [`AnalysisError::NoMoments`] for a release without second moments, [`AnalysisError::PersonHidden`] for a total variance of at most
    /// 2 standard deviations of its noise, or with fewer than 5 degrees of freedom, [`AnalysisError::TooFewRecords`].
    pub(crate) fn new(population: &PopulationMean) -> Result<Self, AnalysisError> {
        Self::of_components(population, &Components::new(population).map_err(AnalysisError::of_person)?)
    }

    /// The same where the components are known.
    pub(crate) fn of_components(population: &PopulationMean, components: &Components) -> Result<Self, AnalysisError> {
        let posterior = population.posterior();
        let (total, sd) = (components.total_variance(), components.total_variance_sd());
        let whitened = whitened(posterior, components)?;
        let freedom = degrees_of_freedom(total, sd, &whitened, posterior.observation().records);
        if !components.is_total_variance_distinct() || freedom < LEAST_FREEDOM {
            return Err(AnalysisError::PersonHidden { total, sd, freedom });
        }
        let inverse = posterior.support.weights.mapv(|weight| 1.0 / weight.sqrt());
        Ok(Self {
            covariance: scaled(whitened, &inverse),
            of_mean: population.covariance()?,
            total,
            freedom,
            rank: components.rank(),
        })
    }

    /// `Sigma` between the points of the posterior's [support](Posterior::support), in squared units of the data.
    pub fn covariance(&self) -> ArrayView2<'_, f64> {
        self.covariance.view()
    }

    /// The degrees of freedom `nu` of the estimate of the variance.
    pub fn degrees_of_freedom(&self) -> f64 {
        self.freedom
    }

    /// `K`: the number of components that were told from noise.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// What the covariance is made of, and what is assumed, in words.
    pub(crate) fn in_words(&self) -> String {
        let shape = match self.rank {
            0 => "No component could be told from the privacy noise: a public shape spreads the total variance over the domain.".to_owned(),
            1 => "1 component was told from the privacy noise; a public shape holds the rest of the variance.".to_owned(),
            rank => format!("{rank} components were told from the privacy noise; a public shape holds the rest of the variance."),
        };
        format!("{shape} That people are normal about their mean is assumed, and was not checked.")
    }

    /// How far a band reaches for a new person, and its critical value: `sd` at the points of the support.
    ///
    /// ```text
    /// half-width = c sqrt(Sigma_tt + Var m),   c = 1.06 max( min(tube(32), Sidak_n), q )
    /// ```
    ///
    /// `q` is the quantile of `max |G| / sd sqrt(nu / chi2_nu)` over public draws of `G ~ N(0, Sigma + Cov m)`.
    pub(crate) fn prediction(&self, level: f64) -> Result<(f64, Array1<f64>), AnalysisError> {
        largest::critical_value(&(&self.covariance + &self.of_mean), Some(self.freedom), level)
    }

    /// The same for a band that holds this share of all people with a confidence of 90%.
    ///
    /// ```text
    /// half-width = c sqrt(Sigma_tt (1 + 1.28 sqrt(2 / nu)) + Var m),   q of max |G| / sd
    /// ```
    pub(crate) fn tolerance(&self, content: f64) -> Result<(f64, Array1<f64>), AnalysisError> {
        let scale = tolerance_scale(self.freedom);
        largest::critical_value(&(&self.covariance * scale + &self.of_mean), None, content)
    }
}

fn tolerance_scale(freedom: f64) -> f64 {
    1.0 + CONFIDENCE * (2.0 / freedom).sqrt()
}

/// `Sigma` in the support's whitened coordinates.
fn whitened(posterior: &Posterior, components: &Components) -> Result<Array2<f64>, AnalysisError> {
    let support = &posterior.support;
    let roots = posterior.observation().unit_grid.weights().mapv(f64::sqrt);
    let of =
        |one: &Component| Found { variance: one.eigenvalue, vector: support.binned((&one.function * &roots).view()) };
    let found: Vec<Found> = components.all().iter().map(of).collect();
    let rest = scaled(fill(posterior)?, &support.weights.mapv(f64::sqrt));
    let told: f64 = found.iter().map(|one| one.variance).sum();
    let left = (components.total_variance() - told).max(components.total_variance_sd());
    Ok(covariance::of_person(&found, left, &rest))
}
