//! The public coordinates in which a covariance is smoothed.

use dpfda_kernels::eigenpairs;
use ndarray::{Array1, Array2, Axis};

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::sampling::decoded::DecodedMoments;
use crate::sampling::{binned_basis, shape};

/// Eigenvalues of the kernel below this part of the largest are raised to it.
const LEAST: f64 = 1e-13;

/// The eigenbasis of a public kernel within the span of the second moments.
///
/// ```text
/// B' W^{1/2} K W^{1/2} B = V diag(lambda) V',    functions W^{-1/2} B V
/// ```
///
/// `B` is the orthonormal basis of the moments, `K` the Matern 3/2 kernel of range 0.5 on the unit interval. On a grid of more than
/// 256 points `V` and `lambda` are those of averages in bins.
#[derive(Debug, Clone)]
pub(crate) struct PublicBasis {
    /// `V`, `D x D`. Every function is positive at the first point.
    pub(crate) rotation: Array2<f64>,
    /// `lambda`, largest first, all positive.
    pub(crate) eigenvalues: Array1<f64>,
    /// The functions at the grid's points, `n x D`.
    pub(crate) functions: Array2<f64>,
}

impl PublicBasis {
    pub(crate) fn of(posterior: &Posterior, decoded: &DecodedMoments) -> Result<Self, AnalysisError> {
        let basis = binned_basis(decoded, posterior)?;
        let pairs = eigenpairs(&basis.t().dot(&shape(posterior)?).dot(&basis))?;
        let largest = pairs.values.last().copied().unwrap_or(1.0);
        let mut rotation = pairs.vectors;
        rotation.invert_axis(Axis(1));
        let inverse = posterior.observation().unit_grid.weights().mapv(|weight| 1.0 / weight.sqrt());
        let mut functions = decoded.basis.dot(&rotation) * &inverse.insert_axis(Axis(1));
        for (mut function, mut vector) in functions.columns_mut().into_iter().zip(rotation.columns_mut()) {
            if function.first().is_some_and(|first| *first < 0.0) {
                function *= -1.0;
                vector *= -1.0;
            }
        }
        let eigenvalues = pairs.values.iter().rev().map(|value| value.max(LEAST * largest)).collect();
        Ok(Self { rotation, eigenvalues, functions })
    }
}
