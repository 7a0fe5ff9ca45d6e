//! A centre from a first noisy mean: the public half of buying one.

use dpfda_kernels::Grid;

use crate::coordinates::rotation::{Rotation, whole_frequencies};

#[cfg(test)]
#[path = "coarse_center_tests.rs"]
mod tests;

/// The number of smooth functions that a bought centre is made of, where there are as many points.
const FUNCTIONS: usize = 40;

/// The length below which a bought centre has little detail, as a part of the domain.
const LENGTH: f64 = 0.2;

/// The deviation of a bought centre from the stated one, in isonormal coordinates, from a noisy mean in the same coordinates
/// with independent noise of standard deviation `sd`.
///
/// ```text
/// b = first K coordinates of the noisy mean in the public functions 1, t, t^2, cos(pi t), cos(2 pi t), ...
/// b_j ~ N(0, a l_j + sd^2),   l_j proportional to (1 + (pi j / 5)^2)^-2 with sum 1,   a = radius^2 4^-i, i = 0..8
/// on a circle 1, cos(2 pi t), sin(2 pi t), ...   and l_j by the half turns 0, 2, 2, 4, 4, ... in place of j
/// on a rectangle products of the functions of its axes, and of their l_j
/// answer = sum_j a l_j / (a l_j + sd^2) b_j,   with the a of largest likelihood
/// ```
///
/// It uses additions, products, quotients and roots in a fixed order and one logarithm to compare likelihoods: a release says
/// the same centre on every machine.
pub(crate) fn coarse(unit_axes: &[Grid], noisy: &[f64], sd: f64, radius: f64) -> Vec<f64> {
    let smooth: Vec<SmoothAxis> = unit_axes.iter().map(SmoothAxis::of).collect();
    let mut coordinates = noisy.to_vec();
    along_each(&smooth, &mut coordinates, Rotation::apply);
    let shape = smooth.iter().fold(vec![1.0], |shape, axis| {
        shape.iter().flat_map(|of_others| axis.prior.iter().map(move |l| of_others * l)).collect()
    });
    let total: f64 = shape.iter().sum();
    let kept = || shape.iter().zip(&coordinates).filter(|(l, _)| **l > 0.0);
    let loss = |i: i32| -> f64 {
        let amplitude = radius * radius * 0.25_f64.powi(i) / total;
        let each = kept().map(|(l, b)| {
            let variance = amplitude * l + sd * sd;
            variance.ln() + b / variance * b
        });
        each.sum()
    };
    let best = (0..=8).map(|i| (i, loss(i))).min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i);
    let amplitude = radius * radius * 0.25_f64.powi(best) / total;
    for (b, l) in coordinates.iter_mut().zip(&shape) {
        let prior = amplitude * l;
        *b = if *l > 0.0 { prior / (prior + sd * sd) * *b } else { 0.0 };
    }
    along_each(&smooth, &mut coordinates, Rotation::undo);
    coordinates
}

/// The smooth functions of an axis.
struct SmoothAxis {
    rotation: Rotation,
    /// `l_j` for each coordinate, 0 beyond the first [`FUNCTIONS`].
    prior: Vec<f64>,
}

impl SmoothAxis {
    fn of(unit_grid: &Grid) -> Self {
        let kept = whole_frequencies(unit_grid.len(), unit_grid.is_periodic(), FUNCTIONS);
        // a cosine and its sine on a circle have one frequency
        let half_turns = |j: usize| if unit_grid.is_periodic() { 2 * j.div_ceil(2) } else { j };
        let prior = |j: usize| (1.0 + (std::f64::consts::PI * half_turns(j) as f64 * LENGTH).powi(2)).powi(-2);
        let prior = (0..unit_grid.len()).map(|j| if j < kept { prior(j) } else { 0.0 }).collect();
        Self { rotation: Rotation::new(unit_grid, kept), prior }
    }
}

/// Changes the coordinates along each axis; the last one runs fastest.
fn along_each(axes: &[SmoothAxis], coordinates: &mut [f64], change: impl Fn(&Rotation, &mut [f64])) {
    let (mut stride, mut line) = (1, Vec::new());
    for axis in axes.iter().rev() {
        let block = stride * axis.prior.len();
        for block in coordinates.chunks_mut(block) {
            for start in 0..stride {
                line.clear();
                line.extend(block[start..].iter().step_by(stride));
                change(&axis.rotation, &mut line);
                block[start..].iter_mut().step_by(stride).zip(&line).for_each(|(to, from)| *to = *from);
            }
        }
        stride = block;
    }
}
