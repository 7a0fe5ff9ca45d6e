//! Eigenpairs of a centrosymmetric matrix, from two problems of half the size.

use ndarray::{Array1, Array2, ShapeBuilder};

use crate::mercer::eigensolver::{EigenError, Eigenpairs, symmetric_eigenpairs};

#[cfg(test)]
#[path = "centrosymmetric_tests.rs"]
mod tests;

/// A matrix whose mirrored entries differ by this fraction of its largest entry is centrosymmetric: weights and covariances of a
/// symmetric grid of some hundred points are rounded as much.
const MIRROR_SLACK: f64 = 1e-12;

/// All eigenpairs of a symmetric matrix, eigenvalues increasing. A centrosymmetric matrix takes a quarter of the time.
///
/// The matrix must be finite. Only the lower triangle is read.
pub fn eigenpairs(matrix: &Array2<f64>) -> Result<Eigenpairs, EigenError> {
    let n = matrix.nrows();
    if n != matrix.ncols() || !matrix.iter().all(|x| x.is_finite()) {
        return Err(EigenError { size: n });
    }
    if n == 0 {
        return Ok(Eigenpairs { values: Array1::zeros(0), vectors: Array2::zeros((0, 0)) });
    }
    let lower = |i: usize, j: usize| matrix[[i.max(j), i.min(j)]];
    let slack = MIRROR_SLACK * matrix.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mirrored = |i: usize| (0..=i).all(|j| (lower(i, j) - lower(n - 1 - i, n - 1 - j)).abs() <= slack);
    if (0..n).all(mirrored) { centrosymmetric_eigenpairs(n, lower) } else { symmetric_eigenpairs(matrix) }
}

/// All eigenpairs of the symmetric centrosymmetric matrix `A(i, j) = A(n-1-i, n-1-j)`, eigenvalues increasing.
///
/// ```text
/// even: x = (y, Jy) / sqrt 2,  (A11 + A12 J) y = lambda y        J the exchange matrix
/// odd:  x = (y, -Jy) / sqrt 2, (A11 - A12 J) y = lambda y
/// ```
///
/// For odd `n` the middle row joins the even problem, scaled by `sqrt 2` (Cantoni and Butler, Linear Algebra Appl. 13,
/// 1976). Two problems of half the size cost a quarter of the whole. Only entries with `i < (n + 1) / 2` are evaluated.
pub(crate) fn centrosymmetric_eigenpairs(
    n: usize,
    entry: impl Fn(usize, usize) -> f64,
) -> Result<Eigenpairs, EigenError> {
    let half = n / 2;
    let even_size = n - half;
    let even = symmetric_eigenpairs(&even_block(n, &entry))?;
    let odd = if half == 0 {
        Eigenpairs { values: Array1::zeros(0), vectors: Array2::zeros((0, 0)) }
    } else {
        symmetric_eigenpairs(&Array2::from_shape_fn((half, half), |(i, j)| entry(i, j) - entry(i, n - 1 - j)))?
    };

    let mut values = Array1::zeros(n);
    let mut vectors = Array2::zeros((n, n).f());
    let (mut next_even, mut next_odd) = (0, 0);
    for k in 0..n {
        let take_even = next_odd == half || (next_even < even_size && even.values[next_even] <= odd.values[next_odd]);
        let (source, index, sign) = if take_even {
            next_even += 1;
            (&even, next_even - 1, 1.0)
        } else {
            next_odd += 1;
            (&odd, next_odd - 1, -1.0)
        };
        values[k] = source.values[index];
        let y = source.vectors.column(index);
        let mut x = vectors.column_mut(k);
        for i in 0..half {
            let folded = y[i] * std::f64::consts::FRAC_1_SQRT_2;
            x[i] = folded;
            x[n - 1 - i] = sign * folded;
        }
        if n % 2 == 1 && take_even {
            x[half] = y[half];
        }
    }
    Ok(Eigenpairs { values, vectors })
}

fn even_block(n: usize, entry: &impl Fn(usize, usize) -> f64) -> Array2<f64> {
    let half = n / 2;
    let size = n - half;
    Array2::from_shape_fn((size, size), |(i, j)| match (i < half, j < half) {
        (true, true) => entry(i, j) + entry(i, n - 1 - j),
        (false, false) => entry(half, half),
        // the middle couples to both halves of the vector: 2 / sqrt 2
        _ => std::f64::consts::SQRT_2 * entry(i, j),
    })
}
