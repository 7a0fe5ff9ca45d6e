//! Eigenpairs of a covariance matrix of small rank, without the matrix.

use ndarray::{Array2, ArrayView1, Axis, ShapeBuilder, Slice};

use crate::mercer::centrosymmetric::eigenpairs;
use crate::mercer::eigensolver::{EigenError, Eigenpairs};

/// The factor stops where what it leaves is below this fraction of the trace: a dense eigensolver is not more exact.
const REMAINDER: f64 = 16.0 * f64::EPSILON;

/// The eigenpairs of a positive semi-definite matrix `A` in increasing order, if its rank in double precision is at most `most`.
///
/// ```text
/// A = L L' + R,   R positive semi-definite,   ||R|| <= tr R <= 16 eps tr A       pivoted Cholesky, L is n x r
/// L = Q T,   Q'Q = I,   T T' = V diag(lambda) V',   U = Q V
/// ```
///
/// By Weyl's inequality no eigenvalue is further than `tr R` from that of `A`. Time grows with `n r^2` and memory with `n r`; only
/// the entries of `r` columns are evaluated. (Harbrecht, Peters and Schneider, Appl. Numer. Math. 62, 2012.)
pub(crate) fn low_rank_eigenpairs(
    diagonal: ArrayView1<'_, f64>,
    entry: impl Fn(usize, usize) -> f64,
    most: usize,
) -> Result<Option<Eigenpairs>, EigenError> {
    let Some(factor) = pivoted_cholesky(diagonal, entry, most) else { return Ok(None) };
    let (orthonormal, triangle) = orthonormalised(factor);
    let Eigenpairs { values, vectors } = eigenpairs(&triangle.dot(&triangle.t()))?;
    // a pair of the size of the remainder is none
    let trace = diagonal.sum();
    let dropped = values.iter().take_while(|value| **value <= REMAINDER * trace).count();
    let values = values.iter().skip(dropped).copied().collect();
    let vectors = orthonormal.dot(&vectors.slice_axis(Axis(1), Slice::from(dropped..)));
    Ok(Some(Eigenpairs { values, vectors }))
}

/// `Q` and `T` of `L = Q T`, by Gram and Schmidt's method. Twice is enough (Kahan and Parlett).
fn orthonormalised(mut columns: Array2<f64>) -> (Array2<f64>, Array2<f64>) {
    let rank = columns.ncols();
    let mut triangle = Array2::zeros((rank, rank));
    for k in 0..rank {
        let (earlier, mut rest) = columns.view_mut().split_at(Axis(1), k);
        let mut column = rest.column_mut(0);
        for _ in 0..2 {
            for (j, other) in earlier.columns().into_iter().enumerate() {
                let along = other.dot(&column);
                column.scaled_add(-along, &other);
                triangle[[j, k]] += along;
            }
        }
        let length = column.dot(&column).sqrt();
        column /= length;
        triangle[[k, k]] = length;
    }
    (columns, triangle)
}

/// `L`, `n x r` and column-major, or `None` where more than `most` columns are needed.
fn pivoted_cholesky(
    diagonal: ArrayView1<'_, f64>,
    entry: impl Fn(usize, usize) -> f64,
    most: usize,
) -> Option<Array2<f64>> {
    let n = diagonal.len();
    let mut left = diagonal.to_owned();
    let enough = REMAINDER * left.sum();
    let mut columns: Vec<Vec<f64>> = Vec::new();
    // NaN ends here too: the dense path says what is wrong
    while left.sum() > enough {
        let (pivot, largest) =
            left.iter().copied().enumerate().fold((0, 0.0), |most, here| if here.1 > most.1 { here } else { most });
        if columns.len() == most || largest <= 0.0 {
            return None;
        }
        let root = largest.sqrt();
        let mut column: Vec<f64> = (0..n).map(|i| entry(i, pivot)).collect();
        for earlier in &columns {
            let share = earlier[pivot];
            column.iter_mut().zip(earlier).for_each(|(x, l)| *x -= share * l);
        }
        for (x, left) in column.iter_mut().zip(&mut left) {
            *x /= root;
            *left = (*left - *x * *x).max(0.0);
        }
        left[pivot] = 0.0;
        columns.push(column);
    }
    let rank = columns.len();
    Array2::from_shape_vec((n, rank).f(), columns.concat()).ok()
}
