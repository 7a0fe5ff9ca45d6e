//! The floor of the error of a mean: what somebody would reach who is told a good radius, the centre and the best smoother.
//!
//! Nothing is paid for them, so that the whole budget is for the mean. Records are clipped about the true mean in the half norm of the
//! default release, at the radius that the rule of the default would find from counts without noise: where the noise of the mean and half
//! the pull `E(|u| - r)_+` balance. (The radius of the least error would be 0 here, since the centre is the answer.) In coordinate `j` of
//! the cosines the clipped mean `phi_j` has the variance `w_j` of people and noise, and the estimate is `s_j` times what was released,
//! with `s_0 >= s_1 >= ...`: the best monotone linear smoother, which minimises
//!
//! ```text
//! sum_j (theta_j - s_j phi_j)^2 + s_j^2 w_j
//! ```
//!
//! over non-increasing weights, an isotonic regression of `theta_j phi_j / (phi_j^2 + w_j)`. Weights that need not fall would know the
//! mean itself; a monotone smoother is what blockwise shrinkage reaches as the number of people grows (Cavalier and Tsybakov 2001,
//! *Penalized blockwise Stein's method, monotone oracles and sharp adaptive estimation*).

use std::f64::consts::{PI, SQRT_2};

use dpfda::analysis::Estimate;
use dpfda::prelude::*;
use ndarray::{Array1, Array2, Axis, Zip};

use crate::Fault;
use crate::cell::Cell;
use crate::claim::{Outcome, Seen};
use crate::line::Measure;
use crate::pools::Pool;

/// The length of the default half norm, as a part of the domain.
const LENGTH: f64 = 0.15;
/// The coordinates that the rule of the radius counts the noise of.
const SMOOTH: usize = 20;
/// The radii that are tried, as quantiles of the norms of people.
const RADII: usize = 200;

/// The mean squared error of the best smoother at the best radius, for a mean of a pool in a cell on this grid.
pub fn squared_error(cell: &Cell, pool: &Pool, grid: &Grid) -> Result<f64, Fault> {
    let (epsilon, delta) = cell.budget.numbers();
    let mu = GaussianPrivacy::calibrated(Calibration::Tight, &PrivacyBudget::new(epsilon, delta)?)?.mu();
    let people = cell.records as f64;
    let cosines = cosines(grid);
    let truth = cosines.dot(&(&pool.mean - f64::midpoint(pool.bounds.0, pool.bounds.1)));
    let records = pool.deviations().dot(&cosines.t());
    let norms = norms(&records);
    let radius = best_radius(&norms, mu * people);
    let noise = (2.0 * radius / (mu * people)).powi(2);
    let mut clipped = records.clone();
    Zip::from(clipped.rows_mut()).and(&norms).for_each(|mut row, norm| row *= (radius / norm).min(1.0));
    let released = &truth + &clipped.mean_axis(Axis(0)).ok_or("a pool of nobody")?;
    let sampling = records.var_axis(Axis(0), 0.0) / people;
    let uncertain = Array1::from_shape_fn(truth.len(), |j| sampling[j] + noise / weight(j));
    Ok(least_error(&truth, &released, &uncertain))
}

/// Where `D (2 r / (N mu))^2 + (E(|u| - r)_+ / 2)^2` is least, of the quantiles of the norms; `D` is the sum of the weights of the noise.
fn best_radius(norms: &Array1<f64>, mu_records: f64) -> f64 {
    let mut sorted = norms.to_vec();
    sorted.sort_by(f64::total_cmp);
    let noise: f64 = (0..SMOOTH).map(|j| 1.0 / weight(j)).sum();
    let loss = |r: f64| {
        let pull = norms.iter().map(|norm| (norm - r).max(0.0)).sum::<f64>() / norms.len() as f64;
        noise * (2.0 * r / mu_records).powi(2) + (pull / 2.0).powi(2)
    };
    let radii = (1..=RADII).map(|k| sorted[(sorted.len() - 1) * k / RADII]);
    radii.min_by(|a, b| loss(*a).total_cmp(&loss(*b))).unwrap_or_default()
}

/// What was measured over the floor.
pub fn outcome<P>(floor: f64, estimate: &Estimate<P>, truth: &Array1<f64>) -> Outcome {
    let squared = (&estimate.values - truth).mapv(|d| d * d).sum() / truth.len() as f64;
    let seen = Seen { share: None, width: f64::NAN, squared_error: squared / floor };
    Outcome { quantity: "over the floor".to_owned(), measure: Measure::Floor, seen: Some(seen) }
}

/// The rows are the cosines `1, sqrt 2 cos(pi j t)`, orthonormal under the trapezoidal rule, times its weights.
fn cosines(grid: &Grid) -> Array2<f64> {
    let (lower, length, weights) = (grid.lower(), grid.length(), grid.weights());
    let count = grid.len();
    Array2::from_shape_fn((count, count), |(j, point)| {
        let height = if j == 0 || j + 1 == count { 1.0 } else { SQRT_2 };
        height * (PI * j as f64 * (grid.points()[point] - lower) / length).cos() * weights[point] / length
    })
}

/// How much finer than the plain norm the half norm is in coordinate `j`: `(1 + (pi j l)^2)^(1/2)`.
fn weight(j: usize) -> f64 {
    (1.0 + (PI * j as f64 * LENGTH).powi(2)).sqrt()
}

fn norms(records: &Array2<f64>) -> Array1<f64> {
    let square =
        |row: ndarray::ArrayView1<'_, f64>| row.iter().enumerate().map(|(j, u)| weight(j) * u * u).sum::<f64>();
    records.map_axis(Axis(1), |row| square(row).sqrt())
}

/// The minimum over non-increasing weights, by pooling adjacent violators.
fn least_error(truth: &Array1<f64>, released: &Array1<f64>, variance: &Array1<f64>) -> f64 {
    // blocks of coordinates with one weight: sums of `theta phi` and of `phi^2 + w`
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for j in 0..truth.len() {
        let mut block = (truth[j] * released[j], released[j].powi(2) + variance[j]);
        while let Some(&(product, square)) = blocks.last() {
            if product * block.1 >= block.0 * square {
                break;
            }
            block = (block.0 + product, block.1 + square);
            blocks.pop();
        }
        blocks.push(block);
    }
    let gained: f64 = blocks.iter().map(|(product, square)| product.max(0.0).powi(2) / square).sum();
    truth.mapv(|theta| theta * theta).sum() - gained
}
