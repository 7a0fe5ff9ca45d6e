//! Bands around the posterior mean: population, in-sample, noise alone.

use dpfda_kernels::Grid;
use ndarray::{Array1, Array2, ArrayView1, Axis, Zip, concatenate};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use crate::band::critical::{path_length, quantile, sidak, tube};
use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::draws::Sampler;
use crate::posterior::summary::linear_map;
use crate::sampling::{SamplingCovariance, public_shape};

/// The seed of the draws that make critical values: public, so that every reader finds the same band.
const SEED: u64 = 13;

/// The number of draws up to the level 0.99, and the number beyond the level that is kept above it.
const DRAWS: usize = 2000;
const BEYOND: f64 = 20.0;

/// What a band is made of, at the grid's points.
pub(crate) struct Parts {
    pub(super) middle: Array1<f64>,
    pub(super) critical: f64,
    pub(super) half: Array1<f64>,
    pub(super) noise_sd: Option<Array1<f64>>,
}

impl Parts {
    pub(crate) fn around_mean(posterior: &Posterior, critical: f64, half: Array1<f64>) -> Self {
        Self { middle: posterior.values().to_owned(), critical, half, noise_sd: None }
    }
}

/// What the critical value of the population band is multiplied with: it pays for what smoothing may have removed where the
/// posterior does not see it. Measured (`docs/results/means.md`), not proved.
pub(crate) const SMOOTHING: f64 = 1.06;

/// The path of a band is taken to be at least this long: a posterior of much noise is smoother than the mean.
pub(crate) const SHORTEST_PATH: f64 = 32.0;

/// The posterior with the sampling of people on top, and with the pull of a bought ball.
///
/// ```text
/// C = C_posterior + Sigma / N + E^2 K,    half-width = 1.06 min(tube(max(kappa, 32)), Sidak_n) sqrt(C_tt)
/// ```
///
/// `kappa` is the length of the path of `C`, `K` the Matern 3/2 kernel of range 0.5.
pub(super) fn population(
    posterior: &Posterior,
    sampling: &SamplingCovariance,
    level: f64,
) -> Result<Parts, AnalysisError> {
    let covariance = population_covariance(posterior, sampling)?;
    let (critical, sd) = critical_value(&covariance, Path::of(posterior.grid()), level);
    let half = posterior.support.on_grid(sd.view()) * critical;
    Ok(Parts::around_mean(posterior, critical, half))
}

/// `C_posterior + Sigma / N + E^2 K` between the points of the support, and what rows add to their variances.
pub(crate) fn population_covariance(
    posterior: &Posterior,
    sampling: &SamplingCovariance,
) -> Result<Array2<f64>, AnalysisError> {
    let mut covariance = posterior.covariance() + beyond_the_posterior(posterior, sampling)?;
    if let Some(factors) = widened(posterior, covariance.diag()) {
        multiply_deviations(&mut covariance, &factors);
    }
    Ok(covariance)
}

/// Multiplies standard deviations: correlations stay, and so do critical values.
pub(crate) fn multiply_deviations(covariance: &mut Array2<f64>, factors: &Array1<f64>) {
    *covariance *= factors;
    *covariance *= &factors.view().insert_axis(Axis(1));
}

/// What rows multiply the standard deviations at the support with: see `Posterior::beyond`.
pub(crate) fn widened(posterior: &Posterior, variances: ArrayView1<'_, f64>) -> Option<Array1<f64>> {
    let factor = |variance: &f64, more: &f64| if *variance > 0.0 { (1.0 + more / variance).sqrt() } else { 1.0 };
    posterior.beyond.as_ref().map(|beyond| Zip::from(variances).and(beyond).map_collect(factor))
}

/// `Sigma / N + E^2 K` between the points of the support.
pub(crate) fn beyond_the_posterior(
    posterior: &Posterior,
    sampling: &SamplingCovariance,
) -> Result<Array2<f64>, AnalysisError> {
    let mut covariance = sampling.of_mean(posterior)?;
    covariance.scaled_add(
        posterior.observation.clipping.powi(2),
        &public_shape(&posterior.observation.unit_grid, &posterior.support.points)?,
    );
    Ok(covariance)
}

/// The points that a band holds at, and whether the last is followed by the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    pub(crate) points: usize,
    pub(crate) is_closed: bool,
}

impl Path {
    pub(crate) fn of(grid: &Grid) -> Self {
        Self { points: grid.len(), is_closed: grid.is_periodic() }
    }
}

/// What the standard deviations of a process are multiplied with in the population band, and those standard deviations.
pub(crate) fn critical_value(covariance: &Array2<f64>, path: Path, level: f64) -> (f64, Array1<f64>) {
    let sd = covariance.diag().mapv(|variance| variance.max(0.0).sqrt());
    let alpha = 1.0 - level;
    let kappa = length_of_process(covariance, &sd, path.is_closed).max(SHORTEST_PATH);
    (SMOOTHING * tube(kappa, alpha).min(sidak(path.points, alpha)), sd)
}

/// `sum_i arccos corr(t_i, t_{i+1})`; the path of a circle is closed.
fn length_of_process(covariance: &Array2<f64>, sd: &Array1<f64>, is_closed: bool) -> f64 {
    let angle = |(i, j): (usize, usize)| {
        let scale = sd[i] * sd[j];
        if scale > 0.0 { (covariance[[i, j]] / scale).clamp(-1.0, 1.0).acos() } else { 0.0 }
    };
    let last = sd.len().saturating_sub(1);
    (0..last).map(|i| (i, i + 1)).chain((is_closed && last > 0).then_some((last, 0))).map(angle).sum()
}

/// The posterior alone.
pub(super) fn in_sample(posterior: &Posterior, level: f64) -> Result<Parts, AnalysisError> {
    simultaneous(posterior, level)
}

/// The quantile of `max |draw - mean| / sd` over draws, and at least Sidak's value for independent points.
///
/// The draws follow the prior's idea of how neighbouring points move together, and Sidak's value none. With little noise left
/// the first was too small in our measurements, so the larger of the two is used.
fn simultaneous(posterior: &Posterior, level: f64) -> Result<Parts, AnalysisError> {
    let radius = posterior.observation.radius;
    let at_support = &posterior.at_support;
    let pairs = at_support.variance.iter().zip(&at_support.mean);
    let sd: Array1<f64> =
        pairs.map(|(variance, mean)| posterior.with_count(variance.sqrt() * radius, mean * radius)).collect();
    let sampler = Sampler::new(posterior, &posterior.support.points, &posterior.sections);
    let mut generator = ChaCha20Rng::seed_from_u64(SEED);
    let mut largest: Vec<f64> = Vec::with_capacity(DRAWS);
    while largest.is_empty() || (1.0 - level) * (largest.len() as f64) < BEYOND {
        let deviations = sampler.draw(DRAWS, &mut generator)? * radius;
        largest.extend(deviations.columns().into_iter().map(|draw| {
            draw.iter().zip(&sd).fold(0.0_f64, |most, (d, sd)| if *sd > 0.0 { most.max(d.abs() / sd) } else { most })
        }));
    }
    let critical = quantile(&mut largest, level).max(sidak(posterior.support.len(), 1.0 - level));
    let half = posterior.support.on_grid(sd.view()) * critical;
    Ok(Parts::around_mean(posterior, critical, half))
}

/// The noise that the posterior mean passes on, weights held fixed. Its correlations are known, so no draws are needed.
pub(super) fn noise(posterior: &Posterior, level: f64) -> Parts {
    let sections = &posterior.sections;
    let map = linear_map(&posterior.parts(sections)) * posterior.reduced.sigma;
    let count = (&posterior.at_support.mean * posterior.observation.relative_count_sd).insert_axis(Axis(1));
    let rows = concatenate![Axis(1), map, count];
    let alpha = 1.0 - level;
    let critical = tube(path_length(rows.view()), alpha).min(sidak(posterior.support.len(), alpha));
    Parts::around_mean(posterior, critical, &posterior.noise_sd() * critical)
}
