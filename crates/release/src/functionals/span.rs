//! Orthonormal directions of the functionals in whitened coordinates.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;

/// A row is taken to lie in the span of the others when what is left of it is below this fraction of its length.
const TOLERANCE: f64 = 1e-10;

/// Rows as `B = L Q`: `Q` has orthonormal rows, as many as the rows of `B` have dimensions.
///
/// A dispersion `B B'` that is singular so has noise on its range alone. What the tolerance cuts off changes the values
/// released, by at most `1e-10` of what one record could, and no sensitivity: what is perturbed is `Q z`.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    /// `Q`, `k x m`.
    pub(crate) directions: Array2<f64>,
    /// `L`, `d x k`.
    pub(crate) coefficients: Array2<f64>,
}

impl Span {
    /// The span of the rows of `B`, by Gram-Schmidt with reorthogonalisation.
    pub(crate) fn new(rows: ArrayView2<'_, f64>) -> Self {
        let mut directions: Vec<Array1<f64>> = Vec::new();
        let mut coefficients: Vec<Vec<f64>> = Vec::new();
        for row in rows.rows() {
            coefficients.push(add(&mut directions, row));
        }
        let rank = directions.len();
        Self {
            directions: Array2::from_shape_fn((rank, rows.ncols()), |(i, j)| directions[i][j]),
            coefficients: Array2::from_shape_fn((rows.nrows(), rank), |(i, j)| {
                coefficients[i].get(j).copied().unwrap_or(0.0)
            }),
        }
    }

    /// `k`, the number of directions.
    pub(crate) fn rank(&self) -> usize {
        self.directions.nrows()
    }
}

/// The coefficients of a row along the directions, to which its own is added if it has one.
fn add(directions: &mut Vec<Array1<f64>>, row: ArrayView1<'_, f64>) -> Vec<f64> {
    let mut rest = row.to_owned();
    let mut coefficients = vec![0.0; directions.len()];
    // twice is enough (Kahan)
    for _ in 0..2 {
        for (coefficient, direction) in coefficients.iter_mut().zip(directions.iter()) {
            let along = direction.dot(&rest);
            *coefficient += along;
            rest.scaled_add(-along, direction);
        }
    }
    let (length, left) = (row.dot(&row).sqrt(), rest.dot(&rest).sqrt());
    if left > TOLERANCE * length {
        directions.push(rest / left);
        coefficients.push(left);
    }
    coefficients
}
