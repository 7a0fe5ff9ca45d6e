//! What a mean may be where a bought radius pulls the estimate to the centre and calls that certain.

use dpfda_kernels::{CovarianceKernel, DomainKernel, Matern};
use ndarray::{Array1, Array2, Axis};

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed::Observation;

#[cfg(test)]
#[path = "second_opinion_tests.rs"]
mod tests;

/// The kernel of the second opinion: Matern 5/2 of this range.
const KERNEL: (f64, f64) = (2.5, 0.14);

/// From so much information on, the sums say enough for a second estimate of their own.
const ENOUGH: f64 = 30.0;

/// The variance of a second opinion at the points of the support, in squared data units, at least that of the posterior.
///
/// ```text
/// K* = Matern 5/2 (0.14),  amplitude tau^2,  the same scaled sums  y = A f + sigma e
///    I >= 30:   max( C_tt,  V*_tt + (m - m*)^2 )              m*, V* the posterior under tau^2 K*
///    I <  30:   max( C_tt,  tau^2 (T K* T')_tt + sigma^2 |L_t|^2 ),   T = 1 - L A
/// ```
///
/// `C` and `m` are the posterior's, `L` the linear map of its mean with its weights held fixed, and `I = mu sum_b H_b^+ / sqrt(bins)`. The
/// second form is the Bayes risk of the estimate under `K*` (`docs/proofs/rows.md`); the first and the number 30 are measured.
pub(crate) fn variance(
    posterior: &Posterior,
    averages: &Array2<f64>,
    information: f64,
) -> Result<Array1<f64>, AnalysisError> {
    let own = posterior.covariance().diag().to_owned();
    let other = if information >= ENOUGH { estimated(posterior)? } else { risked(posterior, averages)? };
    Ok(ndarray::Zip::from(&own).and(&other).map_collect(|own, other| own.max(*other)))
}

fn estimated(posterior: &Posterior) -> Result<Array1<f64>, AnalysisError> {
    let kernel = Matern::new(KERNEL.0, KERNEL.1)?;
    let ladder = Ladder::new(vec![vec![kernel.into()]], vec![1.0], 0.0, 1.0)?;
    let observation = Observation { clipping: 0.0, ..posterior.observation.clone() };
    let second = Posterior::new(observation, &ladder)?;
    let apart = (&posterior.at_support.mean - &second.at_support.mean) * posterior.observation.radius;
    Ok(second.covariance().diag().to_owned() + &apart * &apart)
}

/// `averages`, `n x m`, is what each scaled sum weighs the values at the grid's points with.
fn risked(posterior: &Posterior, averages: &Array2<f64>) -> Result<Array1<f64>, AnalysisError> {
    let (observation, support) = (&posterior.observation, &posterior.support.points);
    let kernel = DomainKernel::new(Matern::new(KERNEL.0, KERNEL.1)?, &observation.unit_grid)?;
    let points = observation.unit_grid.points();
    let map = posterior.linear_map();
    let seen = map.dot(&averages.t());
    let inside = Array2::from_shape_fn((points.len(), points.len()), |(i, j)| kernel.covariance(points[i], points[j]));
    let across =
        Array2::from_shape_fn((support.len(), points.len()), |(i, j)| kernel.covariance(support[i], points[j]));
    let prior: Array1<f64> = support.iter().map(|&t| kernel.covariance(t, t)).collect();
    let forms = (seen.dot(&inside) * &seen - &across * &seen * 2.0).sum_axis(Axis(1));
    let noise = (&map * &map).sum_axis(Axis(1));
    Ok((prior + forms).mapv(|v| v.max(0.0)) * observation.radius.powi(2) + noise * observation.sigma.powi(2))
}
