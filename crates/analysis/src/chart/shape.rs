//! The distribution of the values at one point, and what its ten parameters do to it.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use libm::{erfc, exp, sincos};
use ndarray::ArrayView1;

use crate::band::critical::tube;

/// The number of cosines that bend the normal distribution.
pub(super) const SHAPES: usize = 8;

/// The parameters at a point: location, logarithm of the scale, shapes.
pub(super) const LOCAL: usize = 2 + SHAPES;

/// Steps of the inversion of a distribution function on the unit interval.
const STEPS: u32 = 800;

const ROOT_OF_TWO_PI: f64 = 2.506_628_274_631_000_2;

/// The distribution of the values at one point of the domain.
///
/// ```text
/// F(y) = u + sum_k r_k sin(pi k u),    u = Phi(v),    v = (y - m) / s
/// ```
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) location: f64,
    pub(super) scale: f64,
    /// `r_k`; none where the distribution is normal.
    bends: ArrayView1<'a, f64>,
}

impl<'a> Shape<'a> {
    /// Of `m`, `log s` and the `r_k` that there are.
    pub(super) fn of(local: ArrayView1<'a, f64>) -> Self {
        let (two, bends) = local.split_at(ndarray::Axis(0), 2);
        Self { location: two[0], scale: exp(two[1]), bends }
    }

    pub(super) fn distribution(&self, y: f64) -> f64 {
        let u = normal_distribution((y - self.location) / self.scale);
        if self.bends.is_empty() {
            return u;
        }
        self.bent(u)
    }

    /// `F`, and its derivatives along `m`, `log s` and each `r_k`.
    pub(super) fn slopes(&self, y: f64) -> (f64, [f64; LOCAL]) {
        let mut slopes = [0.0; LOCAL];
        let v = (y - self.location) / self.scale;
        let u = normal_distribution(v);
        let (mut value, mut steepness) = (u, 1.0);
        let sines = slopes.iter_mut().skip(2);
        for (((bend, wave), k), slope) in self.bends.iter().zip(Waves::at(u)).zip(1_u8..).zip(sines) {
            value += bend * wave.0;
            steepness += bend * PI * f64::from(k) * wave.1;
            *slope = wave.0;
        }
        let density = exp(-0.5 * v * v) / ROOT_OF_TWO_PI * steepness;
        slopes[0] = -density / self.scale;
        slopes[1] = -density * v;
        (value, slopes)
    }

    /// The values that the centiles are at: `m + s Phi^-1(G^-1(p))`.
    ///
    /// `G(u) = u + sum_k r_k sin(pi k u)` is known at 801 steps, clamped to `[0, 1]`, sorted, and linear between.
    pub(super) fn centile(&self, p: f64) -> f64 {
        let u = if self.bends.is_empty() { p } else { self.inverse(p) };
        self.location + self.scale * normal_quantile(u)
    }

    fn inverse(&self, p: f64) -> f64 {
        let steps = f64::from(STEPS);
        let mut values: Vec<f64> = (0..=STEPS).map(|i| self.bent(f64::from(i) / steps).clamp(0.0, 1.0)).collect();
        values.sort_by(f64::total_cmp);
        let after = values.partition_point(|value| *value < p).clamp(1, values.len() - 1);
        let (below, above) = (values[after - 1], values[after]);
        let share = if above > below { ((p - below) / (above - below)).clamp(0.0, 1.0) } else { 1.0 };
        ((after - 1) as f64 + share) / steps
    }

    /// `G(u)`.
    fn bent(&self, u: f64) -> f64 {
        self.bends.iter().zip(Waves::at(u)).fold(u, |sum, (bend, wave)| sum + bend * wave.0)
    }
}

/// `sin(pi k u)` and `cos(pi k u)` for `k = 1, 2, ...`: rotations by one angle.
pub(super) struct Waves {
    step: (f64, f64),
    now: (f64, f64),
}

impl Waves {
    pub(super) fn at(u: f64) -> Self {
        Self { step: sincos(PI * u), now: (0.0, 1.0) }
    }
}

impl Iterator for Waves {
    type Item = (f64, f64);

    fn next(&mut self) -> Option<(f64, f64)> {
        let ((sine, cosine), (a, b)) = (self.step, self.now);
        self.now = (a * cosine + b * sine, b * cosine - a * sine);
        Some(self.now)
    }
}

/// `Phi(v)`.
pub(super) fn normal_distribution(v: f64) -> f64 {
    0.5 * erfc(-v * FRAC_1_SQRT_2)
}

/// `Phi^-1(p)`.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    if p < 0.5 { -tube(0.0, 2.0 * p) } else { tube(0.0, 2.0 * (1.0 - p)) }
}
