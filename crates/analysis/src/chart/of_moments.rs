//! Centiles of normal values, from a mean with second moments.

use dpfda_kernels::{CovarianceKernel, DomainKernel, Exponential};
use ndarray::{Array1, Array2, Zip};

use super::shape::normal_quantile;
use crate::band::critical::tube;
use crate::band::process::SMOOTHING;
use crate::components::{Components, ComponentsError};
use crate::error::{AnalysisError, check_level};
use crate::population::{Population, PopulationMean};
use crate::posterior::Posterior;

#[cfg(test)]
#[path = "of_moments_tests.rs"]
mod tests;

/// The range of the exponential kernel that shapes the variance beyond the components. Measured, as is the allowance.
const FILL: f64 = 0.2;

/// What the relative standard deviation of a variance is at least: the smoother's bias, which no formula here holds.
const ALLOWANCE: f64 = 0.15;

/// The path of the band is taken to be as long as that of a mean at least is.
const PATH: f64 = 32.0;

/// Variances below this part of the total are rounding error.
const ROUNDING: f64 = 1e-12;

/// Centiles of the values at each point of the domain, if these are normal: a look at a release that was paid for already.
///
/// ```text
/// q_p(t) = m(t) + z_p s(t),    s^2 = sum_k theta_k v_k(t)^2 + fill(t)
/// Var q_p = Var m + z_p^2 s^2 r^2 / 4 + s^2 (1 + z_p^2 / 2) / N
/// r^2 = (sd of the noise of s^2 / s^2)^2 + (sd_T / T)^2 + (fill / s^2)^2 + .15^2
/// ```
///
/// Components `theta_k`, `v_k` and the total variance `T` are those of [`Components`]; `fill` is what the components leave of `T`, in the
/// shape of an exponential kernel of range 0.2. To first order; normality is assumed, and not checked: `docs/proofs/charts.md`.
/// All values are in data units.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalCentiles {
    mean: Array1<f64>,
    mean_variance: Array1<f64>,
    variance: Array1<f64>,
    /// `r`.
    relative_sd: Array1<f64>,
    records: f64,
}

impl NormalCentiles {
    /// Of a population whose second moments were released.
    ///
    /// # Errors
    /// As [`Components::new`], and [`ComponentsError::IndistinctVariance`] for a total variance that may be noise.
    pub fn of(population: &PopulationMean) -> Result<Self, ComponentsError> {
        Self::of_components(population, &Components::new(population)?)
    }

    /// The same where the components are known.
    pub(crate) fn of_components(population: &PopulationMean, components: &Components) -> Result<Self, ComponentsError> {
        let (total, sd) = (components.total_variance(), components.total_variance_sd());
        if !components.is_total_variance_distinct() {
            return Err(ComponentsError::IndistinctVariance { total, sd });
        }
        let posterior = population.posterior();
        let fill = fill(components, posterior)?;
        let known =
            components.all().iter().fold(fill.clone(), |sum, one| sum + &one.function * &one.function * one.eigenvalue);
        // where all components vanish and nothing is left, a ratio of variances still is a number
        let variance = known.mapv(|variance| variance.max(ROUNDING * total));
        let relative_sd =
            Zip::from(&variance).and(&fill).and(&components.variance_sd).map_collect(|variance, fill, noise| {
                let parts = [noise / variance, sd / total, fill / variance, ALLOWANCE];
                parts.iter().map(|part| part * part).sum::<f64>().sqrt()
            });
        Ok(Self {
            mean: posterior.values().to_owned(),
            mean_variance: posterior.sd().mapv(|sd| sd * sd),
            variance,
            relative_sd,
            records: population.records(),
        })
    }

    /// The variance of the values at each point of the grid.
    pub(crate) fn variance(&self) -> &Array1<f64> {
        &self.variance
    }

    /// Its relative standard deviation.
    pub(crate) fn relative_sd(&self) -> &Array1<f64> {
        &self.relative_sd
    }

    /// The centile at each point of the grid.
    pub fn centile(&self, p: f64) -> Array1<f64> {
        let z = normal_quantile(p);
        Zip::from(&self.mean).and(&self.variance).map_collect(|mean, variance| mean + z * variance.sqrt())
    }

    /// The standard deviation of the centile at each point: privacy, smoothing and sampling.
    pub fn sd(&self, p: f64) -> Array1<f64> {
        let square = normal_quantile(p).powi(2);
        Zip::from(&self.mean_variance).and(&self.variance).and(&self.relative_sd).map_collect(
            |mean, variance, relative| {
                let of_scale = square * variance * relative * relative / 4.0;
                (mean + of_scale + variance * (1.0 + square / 2.0) / self.records).sqrt()
            },
        )
    }

    /// The band of one centile: lower and upper ends at each point of the grid.
    ///
    /// ```text
    /// q_p +- 1.06 tube(32) sd
    /// ```
    ///
    /// # Errors
    /// [`AnalysisError::Level`] for a level outside (0.5, 0.9999).
    pub fn band(&self, p: f64, level: f64) -> Result<(Array1<f64>, Array1<f64>), AnalysisError> {
        check_level(level)?;
        let half = self.sd(p) * (SMOOTHING * tube(PATH, 1.0 - level));
        let middle = self.centile(p);
        Ok((&middle - &half, middle + half))
    }
}

/// What the components leave of the total variance, at each point of the grid.
///
/// ```text
/// (T - sum theta)_+ diag((I - P) E (I - P)) / tr((I - P) W^(1/2) E W^(1/2) (I - P)),    P the projection on the components
/// ```
fn fill(components: &Components, posterior: &Posterior) -> Result<Array1<f64>, AnalysisError> {
    let unit = &posterior.observation().unit_grid;
    let kernel = DomainKernel::new(Exponential::new(FILL)?, unit)?;
    let points = unit.points();
    let known: f64 = components.all().iter().map(|one| one.eigenvalue).sum();
    let functions: Vec<&Array1<f64>> = components.all().iter().map(|one| &one.function).collect();
    Ok(left_of(&functions, unit.weights().to_owned(), |i, j| kernel.covariance(points[i], points[j]))
        * (components.total_variance() - known).max(0.0))
}

/// The variances of a process along each point once these functions are taken out, scaled to a total variance of 1.
///
/// ```text
/// diag((I - V V'W) E (I - W V V')),    the columns of V orthonormal with weights W
/// ```
fn left_of(functions: &[&Array1<f64>], weights: Array1<f64>, covariance: impl Fn(usize, usize) -> f64) -> Array1<f64> {
    let n = weights.len();
    let weighted: Vec<Array1<f64>> = functions.iter().map(|function| *function * &weights).collect();
    // E W V, a row at a time: E may be large
    let mut across = Array2::zeros((n, functions.len()));
    for i in 0..n {
        let row: Array1<f64> = (0..n).map(|j| covariance(i, j)).collect();
        for (k, function) in weighted.iter().enumerate() {
            across[[i, k]] = row.dot(function);
        }
    }
    let between =
        Array2::from_shape_fn((functions.len(), functions.len()), |(k, l)| weighted[k].dot(&across.column(l)));
    let left: Array1<f64> = (0..n)
        .map(|i| {
            let here: Array1<f64> = functions.iter().map(|function| function[i]).collect();
            (covariance(i, i) - 2.0 * here.dot(&across.row(i)) + here.dot(&between.dot(&here))).max(0.0)
        })
        .collect();
    let total = left.dot(&weights);
    if total > 0.0 { left / total } else { left }
}
