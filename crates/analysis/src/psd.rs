//! Matrices that should have no negative eigenvalue.

use dpfda_kernels::{EigenError, Eigenpairs, eigenpairs};
use ndarray::{Array1, Array2, Axis};

#[cfg(test)]
#[path = "psd_tests.rs"]
mod tests;

/// The matrix with its negative eigenvalues set to 0.
pub(crate) fn positive_part(matrix: &Array2<f64>) -> Result<Array2<f64>, EigenError> {
    with_eigenvalues(matrix, |value| value.max(0.0))
}

/// The symmetric square root of the positive part. No choice of eigenvectors enters, so every machine finds the same root.
pub(crate) fn square_root(matrix: &Array2<f64>) -> Result<Array2<f64>, EigenError> {
    with_eigenvalues(matrix, |value| value.max(0.0).sqrt())
}

/// The inverse of a symmetric matrix.
pub(crate) fn inverse(matrix: &Array2<f64>) -> Result<Array2<f64>, EigenError> {
    with_eigenvalues(matrix, |value| 1.0 / value)
}

/// `x x'`.
pub(crate) fn outer(vector: &Array1<f64>) -> Array2<f64> {
    let column = vector.view().insert_axis(Axis(1));
    column.dot(&column.t())
}

fn with_eigenvalues(matrix: &Array2<f64>, change: impl Fn(f64) -> f64) -> Result<Array2<f64>, EigenError> {
    let pairs = eigenpairs(matrix)?;
    Ok(with_values(&pairs, &pairs.values.mapv(change)))
}

/// The matrix with these eigenvalues and the eigenvectors of the pairs.
pub(crate) fn with_values(pairs: &Eigenpairs, values: &Array1<f64>) -> Array2<f64> {
    (&pairs.vectors * &values.view().insert_axis(Axis(0))).dot(&pairs.vectors.t())
}
