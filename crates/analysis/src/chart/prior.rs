//! The public prior of a chart: functions of the domain, and how much of each is expected.

use std::f64::consts::{PI, SQRT_2};

use libm::{cos, log, pow, sin};
use ndarray::{Array1, Array2, ArrayView1, Axis, Slice};

use super::shape::{LOCAL, SHAPES};

/// The number of functions for the location, for the scale and for each shape.
const FUNCTIONS: [usize; 3] = [60, 40, 32];

/// The prior of what does not change along the domain, in parts of the range: the mean and the sd of the location, the middle of the scale and
/// the sd of its logarithm.
pub(super) const LOCATION: (f64, f64) = (0.5, 0.25);
/// See [`LOCATION`].
pub(super) const SCALE: (f64, f64) = (0.1, 1.0);

/// Variances along the domain fall with this power of the frequency, for location and scale and for shapes.
const ROUGHNESS: (f64, f64) = (2.5, 1.5);

/// Functions of the domain, a column each, and the frequency `j` of each.
#[derive(Debug, Clone)]
pub(super) struct Basis {
    values: Array2<f64>,
    frequencies: Vec<f64>,
}

impl Basis {
    /// On a line `1, sqrt12 (t - 1/2), sqrt2 cos(pi j t)`, on a circle `1, sqrt2 cos(2 pi j t), sqrt2 sin(2 pi j t)`.
    pub(super) fn at(points: ArrayView1<'_, f64>, is_periodic: bool, count: usize) -> Self {
        let frequency = |column: usize| match column {
            0 => 0,
            _ if is_periodic => column.div_ceil(2),
            1 => 1,
            _ => column - 1,
        };
        let value = |t: f64, column: usize| {
            let j = frequency(column) as f64;
            match (column, is_periodic) {
                (0, _) => 1.0,
                (1, false) => 12.0_f64.sqrt() * (t - 0.5),
                (_, false) => SQRT_2 * cos(PI * j * t),
                (_, true) if column % 2 == 1 => SQRT_2 * cos(2.0 * PI * j * t),
                (_, true) => SQRT_2 * sin(2.0 * PI * j * t),
            }
        };
        Self {
            values: Array2::from_shape_fn((points.len(), count), |(i, column)| value(points[i], column)),
            frequencies: (0..count).map(|column| frequency(column) as f64).collect(),
        }
    }

    #[cfg(test)]
    pub(super) fn values(&self) -> &Array2<f64> {
        &self.values
    }

    #[cfg(test)]
    pub(super) fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// The prior standard deviations of the coefficients of the first functions.
    fn sds(&self, count: usize, variance: impl Fn(f64) -> f64) -> Array1<f64> {
        self.frequencies.iter().take(count).map(|&j| variance(j).sqrt()).collect()
    }
}

/// How much a chart is expected to vary along the domain, and from normal values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Amplitudes {
    /// `A_m`.
    pub(super) location: f64,
    /// `A_s`.
    pub(super) scale: f64,
    /// `A`: `None` for a normal chart without shapes, 0 for shapes that are those of a sample from normal values.
    pub(super) shape: Option<f64>,
}

impl Amplitudes {
    /// The prior variance of a coefficient of the location: `.25^2`, then `A_m^2 j^-2.5`.
    pub(super) fn of_location(&self, j: f64) -> f64 {
        if j == 0.0 { LOCATION.1 * LOCATION.1 } else { self.location.powi(2) * pow(j, -ROUGHNESS.0) }
    }

    /// The prior variance of a coefficient of the logarithm of the scale: 1, then `A_s^2 j^-2.5`.
    pub(super) fn of_scale(&self, j: f64) -> f64 {
        if j == 0.0 { SCALE.1 * SCALE.1 } else { self.scale.powi(2) * pow(j, -ROUGHNESS.0) }
    }

    /// The prior variance of a coefficient of shape `k`: `(A^2 k^-3 + 2 / (pi^2 k^2 N)) g_j`, `g_0 = 1`, `g_j = j^-1.5 / 2`.
    pub(super) fn of_shape(&self, j: f64, k: f64, records: f64) -> f64 {
        let along = if j == 0.0 { 1.0 } else { 0.5 * pow(j, -ROUGHNESS.1) };
        let amplitude = self.shape.unwrap_or(0.0);
        (amplitude.powi(2) / k.powi(3) + 2.0 / (PI.powi(2) * k * k * records)) * along
    }
}

/// The map from independent standard normal numbers to the parameters at each point: the prior.
///
/// ```text
/// local_a(t_i) = offset_a + sum_c W_a[i, c] x_ac,    x_ac ~ N(0, 1)
/// ```
#[derive(Debug, Clone)]
pub(super) struct Design {
    offsets: Vec<f64>,
    columns: Vec<Array2<f64>>,
    /// The prior standard deviations of all coefficients.
    sds: Array1<f64>,
}

impl Design {
    /// `functions`: how many for the location, the scale, each shape.
    pub(super) fn new(basis: &Basis, functions: [usize; 3], amplitudes: Amplitudes, records: f64) -> Self {
        let mut offsets = vec![LOCATION.0, log(SCALE.0)];
        let mut sds = vec![
            basis.sds(functions[0], |j| amplitudes.of_location(j)),
            basis.sds(functions[1], |j| amplitudes.of_scale(j)),
        ];
        if amplitudes.shape.is_some() {
            let shape = |k: usize| basis.sds(functions[2], |j| amplitudes.of_shape(j, k as f64, records));
            sds.extend((1..=SHAPES).map(shape));
            offsets.resize(LOCAL, 0.0);
        }
        let columns = sds.iter().map(|sds| &basis.values.slice_axis(Axis(1), Slice::from(..sds.len())) * sds);
        Self { offsets, columns: columns.collect(), sds: sds.into_iter().flatten().collect() }
    }

    /// The coefficients here that make the parameters which `x` makes by another design, with 0 where that one has no column.
    pub(super) fn translated(&self, x: &Array1<f64>, by: &Self) -> Array1<f64> {
        let mut found = Array1::zeros(self.len());
        for (((own, x), theirs), sd) in found.iter_mut().zip(x).zip(&by.sds).zip(&self.sds) {
            *own = x * theirs / sd;
        }
        found
    }

    /// The numbers of functions of so many points, on a circle with whole pairs of cosines and sines. No more than two for each point,
    /// and one for each shape: what more would add is lost in their prior variances.
    pub(super) fn functions(points: usize, is_periodic: bool) -> [usize; 3] {
        let [location, scale, shape] = FUNCTIONS;
        let most = [location.min(2 * points), scale.min(2 * points), shape.min(points)];
        if is_periodic { most.map(|count| (count - 1) | 1) } else { most }
    }

    /// The number of parameters at a point.
    pub(super) fn locals(&self) -> usize {
        self.columns.len()
    }

    /// The number of all columns.
    pub(super) fn len(&self) -> usize {
        self.sds.len()
    }

    /// The first column of each parameter with its columns.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, &Array2<f64>)> {
        self.columns.iter().scan(0, |next, columns| {
            let start = *next;
            *next += columns.ncols();
            Some((start, columns))
        })
    }

    /// The parameters at all points, `n x locals`.
    pub(super) fn at(&self, x: &Array1<f64>) -> Array2<f64> {
        let n = self.columns.first().map_or(0, Array2::nrows);
        let mut found = Array2::zeros((n, self.locals()));
        for (((start, columns), mut local), offset) in self.blocks().zip(found.columns_mut()).zip(&self.offsets) {
            let own = x.slice_axis(Axis(0), Slice::from(start..start + columns.ncols()));
            local.assign(&(columns.dot(&own) + *offset));
        }
        found
    }

    /// `W' g` for numbers `g` that belong to the parameters at all points.
    pub(super) fn gathered(&self, gradients: &Array2<f64>) -> Array1<f64> {
        let parts = self.blocks().zip(gradients.columns()).map(|((_, columns), local)| columns.t().dot(&local));
        parts
            .fold(Vec::with_capacity(self.len()), |mut all, part| {
                all.extend(part);
                all
            })
            .into()
    }

    /// `I + W' diag(G_1, ..., G_n) W`, the lower triangle: `G_i`, `locals x locals`, is row `i` of `grams`.
    pub(super) fn information(&self, grams: &Array2<f64>) -> Array2<f64> {
        let mut found = Array2::eye(self.len());
        for (a, (row, left)) in self.blocks().enumerate() {
            for (b, (column, right)) in self.blocks().enumerate().take(a + 1) {
                let gram = grams.column(a * self.locals() + b).insert_axis(Axis(1));
                let product = (left * &gram).t().dot(right);
                let mut place = found.slice_each_axis_mut(|axis| match axis.axis {
                    Axis(0) => Slice::from(row..row + left.ncols()),
                    _ => Slice::from(column..column + right.ncols()),
                });
                place += &product;
            }
        }
        found
    }
}
