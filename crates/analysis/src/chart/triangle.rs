//! Lower triangular roots of positive definite matrices, in plain loops and products of matrices.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView2, Slice};

/// So many columns are eliminated one by one; the rest is a product of matrices.
const BLOCK: usize = 32;

/// The lower triangular `L` with `L L' = A`, of the lower triangle of `A`.
///
/// `least` is a public lower bound of the eigenvalues of `A`. No squared pivot is below it (a Schur complement of `A` is at least as
/// large as the least eigenvalue), so raising pivots to it undoes rounding and nothing else.
pub(super) fn cholesky(mut matrix: Array2<f64>, least: f64) -> Array2<f64> {
    let n = matrix.nrows();
    for start in (0..n).step_by(BLOCK) {
        let end = (start + BLOCK).min(n);
        let known = part(&matrix, start..n, 0..start).dot(&part(&matrix, start..end, 0..start).t());
        let mut panel = matrix
            .slice_each_axis_mut(|axis| if axis.axis.0 == 0 { Slice::from(start..n) } else { Slice::from(start..end) });
        panel -= &known;
        for column in 0..end - start {
            let pivots: Vec<f64> = panel.row(column).iter().take(column).copied().collect();
            let left = |row: &[f64]| row.iter().zip(&pivots).fold(row[column], |left, (a, b)| left - a * b);
            let mut root = f64::NAN;
            for mut row in panel.rows_mut().into_iter().skip(column) {
                let Some(row) = row.as_slice_mut() else { continue };
                let rest = left(row);
                if root.is_nan() {
                    root = rest.max(least).sqrt();
                    row[column] = root;
                } else {
                    row[column] = rest / root;
                }
            }
        }
    }
    matrix.indexed_iter_mut().filter(|((i, j), _)| j > i).for_each(|(_, entry)| *entry = 0.0);
    matrix
}

/// `L^-1 B`, where the first `skipped` rows of `B` are 0.
pub(super) fn solve_lower(lower: &Array2<f64>, mut right: Array2<f64>, skipped: usize) -> Array2<f64> {
    let (n, width) = right.dim();
    for start in (skipped..n).step_by(BLOCK) {
        let end = (start + BLOCK).min(n);
        let known = part(lower, start..end, skipped..start).dot(&part(&right, skipped..start, 0..width));
        for i in start..end {
            let mut own = &right.row(i) - &known.row(i - start);
            for j in start..i {
                own.scaled_add(-lower[[i, j]], &right.row(j));
            }
            own /= lower[[i, i]];
            right.row_mut(i).assign(&own);
        }
    }
    right
}

/// `(L L')^-1 b`.
pub(super) fn solve(lower: &Array2<f64>, right: &Array1<f64>) -> Array1<f64> {
    let mut found = right.clone();
    for (i, row) in lower.rows().into_iter().enumerate() {
        let known = row.iter().zip(&found).take(i).map(|(a, x)| a * x).sum::<f64>();
        found[i] = (found[i] - known) / row[i];
    }
    for (i, row) in lower.rows().into_iter().enumerate().rev() {
        let own = found[i] / row[i];
        found[i] = own;
        found.iter_mut().zip(row).take(i).for_each(|(x, a)| *x -= a * own);
    }
    found
}

fn part(matrix: &Array2<f64>, rows: Range<usize>, columns: Range<usize>) -> ArrayView2<'_, f64> {
    matrix
        .slice_each_axis(|axis| if axis.axis.0 == 0 { Slice::from(rows.clone()) } else { Slice::from(columns.clone()) })
}
