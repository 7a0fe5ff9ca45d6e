//! Populations that curves are drawn from: simulated with a mean and a covariance, or drawn again from curves at hand.

use dpfda::prelude::*;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::{RngExt, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

use crate::Fault;
use crate::cholesky::cholesky;

pub struct Population {
    grid: Grid,
    pub mean: Array1<f64>,
    draw: Draw,
}

enum Draw {
    /// The mean and this matrix times normal numbers.
    Normal(Array2<f64>),
    /// Rows, drawn with replacement.
    Again(Array2<f64>),
}

impl Population {
    /// Normal curves with this mean and covariance.
    pub fn normal(grid: Grid, mean: Array1<f64>, covariance: &Array2<f64>) -> Self {
        Self { grid, mean, draw: Draw::Normal(cholesky(covariance)) }
    }

    /// Curves drawn again from these, with replacement.
    pub fn again(grid: Grid, curves: Array2<f64>) -> Self {
        let mean = curves.sum_axis(Axis(0)) / curves.nrows() as f64;
        Self { grid, mean, draw: Draw::Again(curves) }
    }

    pub fn sample(&self, records: usize, generator: &mut ChaCha20Rng) -> Result<CurveSet, Fault> {
        let values = match &self.draw {
            Draw::Normal(factor) => {
                let normals =
                    Array2::from_shape_simple_fn((records, factor.ncols()), || StandardNormal.sample(generator));
                normals.dot(&factor.t()) + &self.mean
            }
            Draw::Again(curves) => {
                let rows: Vec<usize> = (0..records).map(|_| generator.random_range(0..curves.nrows())).collect();
                curves.select(Axis(0), &rows)
            }
        };
        Ok(CurveSet::new(self.grid.clone(), values)?)
    }
}

/// The covariance of the rows of a matrix.
pub fn covariance(rows: &Array2<f64>) -> Array2<f64> {
    let count = rows.nrows() as f64;
    let centred = rows - &(rows.sum_axis(Axis(0)) / count);
    centred.t().dot(&centred) / (count - 1.0)
}

/// The covariance of a kernel on a grid, with this standard deviation.
pub fn of_kernel(kernel: &Kernel, points: ArrayView1<'_, f64>, sd: f64) -> Array2<f64> {
    Array2::from_shape_fn((points.len(), points.len()), |(i, j)| sd * sd * kernel.covariance(points[i], points[j]))
}
