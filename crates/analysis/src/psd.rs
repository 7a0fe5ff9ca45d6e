//! Matrices that should have no negative eigenvalue.

use dpfda_kernels::{EigenError, Eigenpairs, eigenpairs};
use ndarray::{Array1, Array2, Axis};

/// The matrix with its negative eigenvalues set to 0.
pub(crate) fn positive_part(matrix: &Array2<f64>) -> Result<Array2<f64>, EigenError> {
    with_eigenvalues(matrix, |value| value.max(0.0))
}

/// The symmetric square root of the positive part. No choice of eigenvectors enters, so every machine finds the same root.
pub(crate) fn square_root(matrix: &Array2<f64>) -> Result<Array2<f64>, EigenError> {
    with_eigenvalues(matrix, |value| value.max(0.0).sqrt())
}

fn with_eigenvalues(matrix: &Array2<f64>, change: impl Fn(f64) -> f64) -> Result<Array2<f64>, EigenError> {
    let pairs = eigenpairs(matrix)?;
    Ok(with_values(&pairs, &pairs.values.mapv(change)))
}

/// The matrix with these eigenvalues and the eigenvectors of the pairs.
pub(crate) fn with_values(pairs: &Eigenpairs, values: &Array1<f64>) -> Array2<f64> {
    (&pairs.vectors * &values.view().insert_axis(Axis(0))).dot(&pairs.vectors.t())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use approx::assert_abs_diff_eq;
    use ndarray::array;

    use super::*;

    #[test]
    fn the_positive_part_drops_negative_eigenvalues_and_its_root_squares_to_it() {
        // eigenvalues 3 and -1
        let matrix = array![[1.0, 2.0], [2.0, 1.0]];
        let part = positive_part(&matrix).unwrap();
        assert_abs_diff_eq!(part, array![[1.5, 1.5], [1.5, 1.5]], epsilon = 1e-12);
        let root = square_root(&matrix).unwrap();
        assert_abs_diff_eq!(root.dot(&root), part, epsilon = 1e-12);
    }
}
