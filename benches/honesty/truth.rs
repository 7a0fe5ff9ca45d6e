//! What is true of a curve, and what an average over people would say of it without privacy.

use dpfda::analysis::{sidak, tube};
use dpfda::prelude::*;
use ndarray::{Array1, Array2};

use crate::claim::{Unit, tilted};

const ALPHA: f64 = 0.05;

/// A curve at the points of its grid, and the covariance of its estimate without privacy: `Sigma / N` for a mean of people.
#[derive(Clone)]
pub struct Truth {
    pub grid: Grid,
    pub values: Array1<f64>,
    pub covariance: Array2<f64>,
}

impl Truth {
    /// That of a difference, where both are known from other people.
    pub fn minus(&self, other: &Self) -> Self {
        Self {
            grid: self.grid.clone(),
            values: &self.values - &other.values,
            covariance: &self.covariance + &other.covariance,
        }
    }

    /// The matrix that takes values on the grid to values at points of the domain, linear between.
    pub fn interpolation(&self, points: &[f64]) -> Array2<f64> {
        let mut matrix = Array2::zeros((points.len(), self.values.len()));
        for (mut row, t) in matrix.rows_mut().into_iter().zip(points) {
            let cell = self.grid.cell(*t);
            row[cell.left] += 1.0 - cell.share;
            row[cell.right] += cell.share;
        }
        matrix
    }

    /// What is true of a linear map of the curve: its values and their unit.
    pub fn through(&self, map: &Array2<f64>) -> (Array1<f64>, Unit) {
        (map.dot(&self.values), band_unit(&tilted(map, &self.covariance), self.grid.is_periodic()))
    }

    pub fn unit(&self) -> Unit {
        band_unit(&self.covariance, self.grid.is_periodic())
    }
}

/// The band without privacy along a path of numbers with this covariance, `min(tube(kappa), Sidak) sd`; a closed path returns to its first.
fn band_unit(covariance: &Array2<f64>, is_closed: bool) -> Unit {
    let count = covariance.nrows();
    let variances = covariance.diag().to_owned();
    let angle = |i: usize, j: usize| {
        let size = (variances[i] * variances[j]).sqrt();
        if size > 0.0 { (covariance[[i, j]] / size).clamp(-1.0, 1.0).acos() } else { 0.0 }
    };
    let open: f64 = (1..count).map(|i| angle(i - 1, i)).sum();
    let kappa = if is_closed { open + angle(count - 1, 0) } else { open };
    Unit::of_variances(&variances, tube(kappa, ALPHA).min(sidak(count, ALPHA)))
}

/// The band without privacy of numbers without an order.
pub fn unordered_unit(covariance: &Array2<f64>) -> Unit {
    Unit::of_variances(&covariance.diag().to_owned(), sidak(covariance.nrows(), ALPHA))
}
