//! The one place that names the eigensolver: faer, or LAPACK with the `lapack` feature.

use ndarray::{Array1, Array2, ShapeBuilder};
use thiserror::Error;

#[cfg(test)]
#[path = "eigensolver_tests.rs"]
mod tests;

/// The eigensolver did not converge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the eigensolver did not converge on a {size} x {size} matrix; check the kernel's range against the grid")]
pub struct EigenError {
    /// The size of the matrix.
    pub size: usize,
}

/// Eigenvalues in increasing order, and unit eigenvectors as columns (column-major).
#[derive(Debug, Clone)]
pub struct Eigenpairs {
    /// The eigenvalues.
    pub values: Array1<f64>,
    /// The unit eigenvectors: column `j` belongs to eigenvalue `j`.
    pub vectors: Array2<f64>,
}

/// All eigenpairs of a symmetric matrix. Only the lower triangle is read.
pub(crate) fn symmetric_eigenpairs(matrix: &Array2<f64>) -> Result<Eigenpairs, EigenError> {
    #[cfg(feature = "lapack")]
    return by_lapack(matrix);
    #[cfg(not(feature = "lapack"))]
    by_faer(matrix)
}

/// Eigenpairs by faer on one thread: parallel sums would change the last bits from machine to machine.
#[cfg(any(test, not(feature = "lapack")))]
fn by_faer(matrix: &Array2<f64>) -> Result<Eigenpairs, EigenError> {
    use faer::diag::DiagMut;
    use faer::dyn_stack::{MemBuffer, MemStack};
    use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
    use faer::{MatMut, MatRef, Par};

    let size = matrix.nrows();
    let error = EigenError { size };
    // A symmetric matrix is its own transpose, so row-major input may be read as column-major.
    let entries = matrix.as_slice_memory_order().ok_or(error)?;
    let mut values = Array1::zeros(size);
    let mut vectors = Array2::zeros((size, size).f());
    let mut memory = MemBuffer::new(self_adjoint_evd_scratch::<f64>(
        size,
        ComputeEigenvectors::Yes,
        Par::Seq,
        faer::prelude::default(),
    ));
    self_adjoint_evd(
        MatRef::from_column_major_slice(entries, size, size),
        DiagMut::from_slice_mut(values.as_slice_memory_order_mut().ok_or(error)?),
        Some(MatMut::from_column_major_slice_mut(vectors.as_slice_memory_order_mut().ok_or(error)?, size, size)),
        Par::Seq,
        MemStack::new(&mut memory),
        faer::prelude::default(),
    )
    .map_err(|_| error)?;
    leave_wide_registers();
    Ok(Eigenpairs { values, vectors })
}

/// Makes `exp` and `ln` fast again.
///
/// Faer's kernels return with the upper halves of the wide registers in use. Until something clears them, every call of the C
/// library's `exp` takes 50 times as long. Kernels of `ndarray`'s matrix product clear them on return.
#[cfg(any(test, not(feature = "lapack")))]
fn leave_wide_registers() {
    let small = Array2::<f64>::eye(8);
    std::hint::black_box(small.dot(&small));
}

#[cfg(feature = "lapack")]
fn by_lapack(matrix: &Array2<f64>) -> Result<Eigenpairs, EigenError> {
    use ndarray_linalg::{Eigh, UPLO};

    let (values, vectors) = matrix.eigh(UPLO::Lower).map_err(|_| EigenError { size: matrix.nrows() })?;
    let mut columns = Array2::zeros(vectors.raw_dim().f());
    columns.assign(&vectors);
    Ok(Eigenpairs { values, vectors: columns })
}
