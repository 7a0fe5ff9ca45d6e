//! Bins of neighbouring points of a large grid, and averages over them.

use std::ops::Range;

use dpfda_kernels::{CovarianceKernel, Grid};
use ndarray::{Array1, Array2};

#[cfg(test)]
#[path = "bins_tests.rs"]
mod tests;

/// A bin of more points is averaged at the nodes of its runs, also where the function has a cusp.
const MOST_MEMBERS: usize = 32;

/// The runs of such a bin, each with two nodes.
const RUNS: usize = 16;

/// Neighbouring points of a grid that are averaged.
#[derive(Debug, Clone)]
pub(crate) struct Bin {
    /// The places of the points in the grid.
    pub(crate) members: Range<usize>,
    /// The sum of their weights.
    pub(crate) weight: f64,
    /// Two points, and their shares, that average every cubic as the members do (Gauss).
    nodes: [(f64, f64); 2],
    /// Points with weights that stand for the members where a function has a cusp: the members themselves, or nodes of runs.
    samples: Vec<(f64, f64)>,
}

/// The bins of a grid on the unit interval. The first and the last point of the grid stay alone.
#[derive(Debug, Clone)]
pub(crate) struct Bins {
    list: Vec<Bin>,
    points: Array1<f64>,
}

impl Bins {
    /// At most so many bins of equal width between the first and the last point.
    pub(crate) fn of(unit_grid: &Grid, inner: usize) -> Self {
        let (points, weights) = (unit_grid.points().to_owned(), unit_grid.weights().to_owned());
        let (n, width) = (points.len(), inner as f64);
        let cell = |i: usize| (points[i] * width).floor().min(width - 1.0);
        let mut ends: Vec<usize> = (2..n - 1).filter(|&i| cell(i) > cell(i - 1)).collect();
        ends.insert(0, 1);
        ends.extend([n - 1, n]);
        let begins = std::iter::once(0).chain(ends.iter().copied());
        let list = begins.zip(&ends).map(|(begin, &end)| Bin::of(begin..end, &points, &weights)).collect();
        Self { list, points }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Bin> {
        self.list.iter()
    }

    /// The weighted mean of each bin's points.
    pub(crate) fn centers(&self) -> Array1<f64> {
        self.list.iter().map(|bin| bin.nodes.iter().map(|(s, share)| s * share).sum()).collect()
    }

    /// The average of a function over a bin, where the function may have a cusp at `t` and is smooth elsewhere.
    ///
    /// A bin that holds `t` or is next to one that does is averaged point by point, or run by run, others by two nodes.
    pub(crate) fn average(&self, bin: usize, t: f64, of: impl Fn(f64) -> f64) -> f64 {
        let Bin { weight, nodes, samples, .. } = &self.list[bin];
        let before = &self.list[bin.saturating_sub(1)].members;
        let after = &self.list[(bin + 1).min(self.len() - 1)].members;
        let is_near = t >= self.points[before.start] && t <= self.points[after.end - 1];
        if is_near && samples.len() > 2 {
            return samples.iter().map(|&(s, weight)| weight * of(s)).sum::<f64>() / weight;
        }
        nodes.iter().filter(|(_, share)| *share > 0.0).map(|&(s, share)| share * of(s)).sum()
    }

    /// The covariances of the averages over the bins.
    pub(crate) fn covariance(&self, kernel: &impl CovarianceKernel) -> Array2<f64> {
        let mut matrix = Array2::zeros((self.len(), self.len()));
        for b in 0..self.len() {
            for c in 0..=b {
                let with = |t: f64| self.average(c, t, |s| kernel.covariance(t, s));
                let Bin { weight, nodes, samples, .. } = &self.list[b];
                let value = if b - c <= 1 && samples.len() > 2 {
                    samples.iter().map(|&(t, weight)| weight * with(t)).sum::<f64>() / weight
                } else {
                    nodes.iter().filter(|(_, share)| *share > 0.0).map(|&(t, share)| share * with(t)).sum()
                };
                matrix[[b, c]] = value;
                matrix[[c, b]] = value;
            }
        }
        matrix
    }
}

impl Bin {
    fn of(members: Range<usize>, points: &Array1<f64>, weights: &Array1<f64>) -> Self {
        let (weight, nodes) = two_nodes(&members, points, weights);
        let samples = if members.len() <= MOST_MEMBERS {
            members.clone().map(|i| (points[i], weights[i])).collect()
        } else {
            let end = |run: usize| members.start + run * members.len() / RUNS;
            let nodes_of = |run: usize| {
                let (weight, nodes) = two_nodes(&(end(run)..end(run + 1)), points, weights);
                nodes.map(|(t, share)| (t, share * weight))
            };
            (0..RUNS).flat_map(nodes_of).collect()
        };
        Self { members, weight, nodes, samples }
    }
}

/// The weight of some points, and two nodes with their shares that average every cubic as the points do.
fn two_nodes(members: &Range<usize>, points: &Array1<f64>, weights: &Array1<f64>) -> (f64, [(f64, f64); 2]) {
    let sum = |of: &dyn Fn(f64) -> f64| members.clone().map(|i| weights[i] * of(points[i])).sum::<f64>();
    let weight = sum(&|_| 1.0);
    let center = sum(&|t| t) / weight;
    let [square, cube] = [2, 3].map(|power| sum(&|t: f64| (t - center).powi(power)) / weight);
    let nodes = if members.len() == 1 {
        [(points[members.start], 1.0), (center, 0.0)]
    } else {
        // the roots of x^2 - (m_3 / m_2) x - m_2
        let skew = 0.5 * cube / square;
        let reach = skew.hypot(square.sqrt());
        let (low, high) = (skew - reach, skew + reach);
        [(center + low, high / (high - low)), (center + high, -low / (high - low))]
    };
    (weight, nodes)
}
