//! The root of a covariance.

use ndarray::Array2;

/// A lower triangular root of a covariance; a hair is added to its diagonal.
pub fn cholesky(covariance: &Array2<f64>) -> Array2<f64> {
    let n = covariance.nrows();
    let hair = 1e-10 * covariance.diag().sum() / n as f64;
    let mut root = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| root[[i, k]] * root[[j, k]]).sum();
            let left = covariance[[i, j]] - known;
            root[[i, j]] = if i == j { (left + hair).max(hair).sqrt() } else { left / root[[j, j]] };
        }
    }
    root
}
