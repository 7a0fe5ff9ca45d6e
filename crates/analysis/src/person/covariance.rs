//! The covariance of one person: components, and a public shape for the rest.

use dpfda_kernels::{DomainKernel, Exponential};
use ndarray::{Array1, Array2};

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::seen::between;
use crate::psd::outer;
use crate::sampling::trace;

/// The range of the public shape on the unit interval. A smooth shape makes values of a curve tell their neighbours more than they do.
const RANGE: f64 = 0.2;

/// A component in whitened coordinates.
pub(super) struct Found {
    pub(super) variance: f64,
    pub(super) vector: Array1<f64>,
}

/// The exponential kernel between the points of the support.
pub(super) fn fill(posterior: &Posterior) -> Result<Array2<f64>, AnalysisError> {
    let kernel = DomainKernel::new(Exponential::new(RANGE)?, &posterior.observation().unit_grid)?;
    Ok(between(&kernel, &posterior.support.points))
}

/// `sum theta_k a_k a_k' + rest (I - P) E (I - P) / tr`.
pub(super) fn of_person(found: &[Found], rest: f64, fill: &Array2<f64>) -> Array2<f64> {
    let mut outside = Array2::eye(fill.nrows());
    let mut covariance = Array2::zeros(fill.dim());
    for Found { variance, vector } in found {
        let square = outer(vector);
        outside.scaled_add(-1.0 / vector.dot(vector), &square);
        covariance.scaled_add(*variance, &square);
    }
    let shape = outside.dot(fill).dot(&outside);
    let size = trace(&shape);
    if rest > 0.0 && size > 1e-12 * trace(fill) {
        covariance.scaled_add(rest / size, &shape);
    }
    covariance
}

/// `nu = 2 / ( (sd_T / T)^2 + 2 tr(Sigma^2) / (T^2 N) )`, with `Sigma` in whitened coordinates.
pub(super) fn degrees_of_freedom(total: f64, sd: f64, covariance: &Array2<f64>, records: f64) -> f64 {
    let squares: f64 = covariance.iter().map(|entry| entry * entry).sum();
    2.0 / ((sd / total).powi(2) + 2.0 * squares / (total.powi(2) * records))
}
