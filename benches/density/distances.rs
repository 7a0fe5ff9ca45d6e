//! Distances to the true density, as exact suprema and integrals where they have a closed form.

use dpfda::density::{PiecewiseDensity, SeriesDensity};
use dpfda_reproduction::SymmetricBeta;
use ndarray::ArrayView2;

/// Midpoints at which the error of a series is integrated.
const MIDPOINTS: u32 = 1024;

/// Points of each cell along an axis at which two distribution functions in the plane are compared.
const WITHIN: usize = 4;

/// `int (p^ - p)^2` for a series whose negative parts were cut, by midpoints.
pub fn squared_error_of_series(truth: SymmetricBeta, series: &SeriesDensity) -> f64 {
    let error = |i: u32| {
        let x = (f64::from(i) + 0.5) / f64::from(MIDPOINTS);
        (series.at(&[x]) - truth.density(x)).powi(2)
    };
    (0..MIDPOINTS).map(error).sum::<f64>() / f64::from(MIDPOINTS)
}

/// `sup |F_Z - F|` for the empirical distribution function of points on `[0, 1]`, exactly.
pub fn ks_of_points(truth: SymmetricBeta, points: ArrayView2<'_, f64>) -> f64 {
    let mut points: Vec<f64> = points.iter().copied().collect();
    points.sort_by(f64::total_cmp);
    let k = points.len() as f64;
    let at = |(i, x): (usize, &f64)| {
        let f = truth.cumulative(*x);
        (f - i as f64 / k).max((i + 1) as f64 / k - f)
    };
    points.iter().enumerate().map(at).fold(0.0, f64::max)
}

/// `max |F_n - F_Z|` over the edges of cells, from counts and probabilities.
pub fn ks_at_edges(counts: &[u64], probabilities: &[f64]) -> f64 {
    let n = counts.iter().sum::<u64>() as f64;
    let (mut gap, mut largest): (f64, f64) = (0.0, 0.0);
    for (count, q) in counts.iter().zip(probabilities) {
        gap += *count as f64 / n - q;
        largest = largest.max(gap.abs());
    }
    largest
}

/// [`ks_of_points`] in the plane: between the coordinates of the points `F_Z` is constant and `F` grows along both axes.
pub fn ks_of_points_in_the_plane(truth: SymmetricBeta, points: ArrayView2<'_, f64>) -> f64 {
    let sorted = |axis: usize| {
        let mut along: Vec<f64> = points.column(axis).to_vec();
        along.sort_by(f64::total_cmp);
        along
    };
    let (x, y) = (sorted(0), sorted(1));
    let k = points.nrows();
    let cumulative = |along: &[f64], i: usize| match i {
        0 => 0.0,
        i if i > along.len() => 1.0,
        i => truth.cumulative(along[i - 1]),
    };
    let ends = |along: &[f64]| (0..=k + 1).map(|i| cumulative(along, i)).collect::<Vec<_>>();
    let (f, g) = (ends(&x), ends(&y));
    let mut by_x: Vec<(f64, f64)> = points.rows().into_iter().map(|row| (row[0], row[1])).collect();
    by_x.sort_by(|a, b| a.0.total_cmp(&b.0));
    // of the points up to the i-th along x, how many are at most the j-th along y
    let mut below = vec![0_usize; k + 1];
    let mut largest: f64 = 0.0;
    for i in 0..=k {
        if i > 0 {
            let first = y.partition_point(|other| *other < by_x[i - 1].1) + 1;
            below[first..].iter_mut().for_each(|count| *count += 1);
        }
        for j in 0..=k {
            let empirical = below[j] as f64 / k as f64;
            largest = largest.max(empirical - f[i] * g[j]).max(f[i + 1] * g[j + 1] - empirical);
        }
    }
    largest
}

/// `sup |F^ - F|` for a histogram on `[0, 1]`: at an edge, or where both densities agree.
pub fn ks_of_histogram(truth: SymmetricBeta, histogram: &PiecewiseDensity) -> f64 {
    let m = histogram.cells().count() as f64;
    let (mut below, mut largest): (f64, f64) = (0.0, 0.0);
    for (index, q) in histogram.probabilities().iter().enumerate() {
        let (left, right) = (index as f64 / m, (index + 1) as f64 / m);
        let gap = |x: f64| (below + q * (x - left) * m - truth.cumulative(x)).abs();
        largest = largest.max(gap(left)).max(gap(right));
        // 6 x (1 - x) = q m
        let root = (1.0 - q * m / 1.5).max(0.0).sqrt();
        for x in [0.5 - root / 2.0, 0.5 + root / 2.0] {
            if (left..=right).contains(&x) {
                largest = largest.max(gap(x));
            }
        }
        below += q;
    }
    largest
}

/// [`ks_of_histogram`] in the plane, over a lattice of 4 points a cell along each axis, between which little happens.
pub fn ks_of_histogram_in_the_plane(truth: SymmetricBeta, histogram: &PiecewiseDensity) -> f64 {
    let per_axis = histogram.cells().per_axis();
    let edges = cumulative_at_edges(histogram.probabilities(), per_axis);
    let points = per_axis * WITHIN;
    let f: Vec<f64> = (0..=points).map(|i| truth.cumulative(i as f64 / points as f64)).collect();
    let mut largest: f64 = 0.0;
    for i in 0..points {
        for j in 0..points {
            let (a, b) = (i / WITHIN, j / WITHIN);
            let (u, v) = ((i % WITHIN) as f64 / WITHIN as f64, (j % WITHIN) as f64 / WITHIN as f64);
            let near = edges[a][b] * (1.0 - v) + edges[a][b + 1] * v;
            let far = edges[a + 1][b] * (1.0 - v) + edges[a + 1][b + 1] * v;
            largest = largest.max((near * (1.0 - u) + far * u - f[i] * f[j]).abs());
        }
    }
    // on the far sides of the square both are marginal distribution functions
    let sides = (0..per_axis).map(|i| {
        let f = f[i * WITHIN];
        (edges[i][per_axis] - f).abs().max((edges[per_axis][i] - f).abs())
    });
    sides.fold(largest, f64::max)
}

/// The joint distribution function at the corners of the cells.
fn cumulative_at_edges(probabilities: &[f64], per_axis: usize) -> Vec<Vec<f64>> {
    let mut edges = vec![vec![0.0; per_axis + 1]];
    for column in probabilities.chunks_exact(per_axis) {
        let mut next = vec![0.0; per_axis + 1];
        let mut sum = 0.0;
        for (j, q) in column.iter().enumerate() {
            sum += q;
            next[j + 1] = edges[edges.len() - 1][j + 1] + sum;
        }
        edges.push(next);
    }
    edges
}
