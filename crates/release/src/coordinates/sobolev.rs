//! Bodies that charge roughness: a curve may lie as far from the centre as it is smooth.

use dpfda_kernels::Grid;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::coordinates::rotation::{Rotation, cosine_of_half_turns};
use crate::coordinates::turn::{self, Turn};

#[cfg(test)]
#[path = "sobolev_tests.rs"]
mod tests;

/// How roughness is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SobolevOrder {
    /// `|z|^2 + l^2 |z'|^2`: the square of the slope.
    One,
    /// `sum_j (1 + (l w_j)^2)^(1/2) z_j^2` over waves of frequency `w_j`: the frequency.
    Half,
}

/// A Sobolev norm on the unit interval, or a product of two on the unit square, at least the root-mean-square norm.
///
/// ```text
/// order one:   |f|^2 = int f^2 + l^2 int f'^2
/// order half:  |f|^2 = sum_j (1 + (pi j l)^2)^(1/2) f_j^2,    f_j = <f, sqrt(2) cos(pi j t)>
/// product:     |f|^2 = sum_ij a_i^2 a_j^2 f_ij^2,    a_i^2, a_j^2 the charges of the order half along each axis
/// ```
///
/// On a grid, slopes are differences between neighbouring points. Waves are the first 128 cosines, orthonormal on the grid;
/// what is rougher is charged as the last of them. On an equally spaced grid of `n` points the squared frequency of
/// wave `j` is that of its differences, `(2 (n - 1) sin(pi j / (2 (n - 1))))^2`; other grids charge the same. On a circle the functions of order
/// half are `1, cos(2 pi t), sin(2 pi t), ..`, the first 127 of them, and the squared frequency of both of `k` turns is `(2 n sin(pi k / n))^2`.
///
/// Normal noise shaped by an ellipsoid around a body is that of Nikolov, Talwar and Zhang (2013); `docs/proofs/bodies.md` has the ellipsoid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SobolevDocument", into = "SobolevDocument")]
pub struct SobolevNorm {
    order: SobolevOrder,
    length: f64,
    /// Along the second axis of a rectangle.
    second: Option<f64>,
}

/// A length that makes no norm.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the length of a roughness, as a part of the domain, must be from 1e-6 to 1e4, got {value:?}")]
pub struct LengthError {
    /// The length given.
    pub value: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SobolevDocument {
    order: SobolevOrder,
    length: Lengths,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Lengths {
    Line(f64),
    Rectangle([f64; 2]),
}

impl TryFrom<SobolevDocument> for SobolevNorm {
    type Error = LengthError;

    fn try_from(document: SobolevDocument) -> Result<Self, LengthError> {
        let SobolevDocument { order, length } = document;
        match length {
            Lengths::Line(length) => Self::new(order, length),
            Lengths::Rectangle(lengths) => Self::product(order, lengths),
        }
    }
}

impl From<SobolevNorm> for SobolevDocument {
    fn from(norm: SobolevNorm) -> Self {
        let length = norm.second.map_or(Lengths::Line(norm.length), |second| Lengths::Rectangle([norm.length, second]));
        Self { order: norm.order, length }
    }
}

impl SobolevNorm {
    /// The norm of a length, as a part of the domain: what is slower is hardly charged.
    pub fn new(order: SobolevOrder, length: f64) -> Result<Self, LengthError> {
        if (1e-6..=1e4).contains(&length) {
            Ok(Self { order, length, second: None })
        } else {
            Err(LengthError { value: length })
        }
    }

    /// The product of two norms of an order on a rectangle, with a length along each axis as a part of that axis.
    pub fn product(order: SobolevOrder, [first, second]: [f64; 2]) -> Result<Self, LengthError> {
        let norm = Self::new(order, first)?;
        Self::new(order, second).map(|across| Self { second: Some(across.length), ..norm })
    }

    /// How roughness is charged.
    pub fn order(&self) -> SobolevOrder {
        self.order
    }

    /// The length, as a part of the domain; of a product that along the first axis.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The length along each axis, as a part of that axis.
    pub fn lengths(&self) -> impl Iterator<Item = f64> {
        [Some(self.length), self.second].into_iter().flatten()
    }

    /// The norm along each axis.
    pub(crate) fn along_axes(self) -> impl Iterator<Item = Self> {
        [Some(self.length), self.second].into_iter().flatten().map(move |length| Self { length, second: None, ..self })
    }

    /// `a^2`, what a function of a squared frequency is charged along an axis.
    pub(crate) fn charge(&self, squared_frequency: f64) -> f64 {
        let square = 1.0 + self.length * self.length * squared_frequency;
        match self.order {
            SobolevOrder::One => square,
            SobolevOrder::Half => square.sqrt(),
        }
    }
}

/// The number of waves that are told apart on an interval, where there are as many points.
const WAVES: usize = 128;

/// The same on a circle too, where a cosine comes with its sine: charged alike, they keep the law of a release the same wherever the circle
/// begins.
pub(crate) fn waves_on(is_periodic: bool) -> usize {
    if is_periodic { WAVES - 1 } else { WAVES }
}

/// Coordinates in which a Sobolev norm is the Euclidean norm: `u = A z` with `|u| = |z|_A >= |z|`, smooth functions first.
///
/// ```text
/// order one:   A = Q R,   R'R = I + l^2 G,   R upper bidiagonal (Cholesky),   G = W^(-1/2) D'H^(-1)D W^(-1/2)
/// order half:  A = S Q,   S = diag((1 + l^2 g_j)^(1/4))
/// ```
///
/// `Q` is a [`Rotation`], and for records of at most 256 points the [`Turn`] by it. Additions, products, quotients and roots in a fixed order
/// make it the same on every machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SobolevWhitening {
    pub(crate) norm: SobolevNorm,
    rotation: Rotation,
    turn: Option<Turn>,
    scaling: Scaling,
}

#[derive(Debug, Clone, PartialEq)]
enum Scaling {
    /// `R` before the rotation: its diagonal, and the entries above.
    Bidiagonal { diagonal: Vec<f64>, above: Vec<f64> },
    /// `S` after the rotation.
    Diagonal(Vec<f64>),
}

impl SobolevWhitening {
    /// The coordinates on a grid of the unit interval.
    pub(crate) fn new(norm: SobolevNorm, unit_grid: &Grid) -> Self {
        let (n, length) = (unit_grid.len(), norm.length);
        match norm.order {
            SobolevOrder::One => {
                let scaling = cholesky(unit_grid, length);
                let smooth = Rotation::smooth_functions(unit_grid, n.min(WAVES));
                let rotation = Rotation::of(smooth.map(|mut column| {
                    scaling.before(&mut column);
                    column
                }));
                Self::of(norm, rotation, scaling, unit_grid)
            }
            SobolevOrder::Half => {
                let (is_periodic, kept) = (unit_grid.is_periodic(), waves_on(unit_grid.is_periodic()));
                let rotation = if is_periodic {
                    Rotation::of(Rotation::smooth_functions(unit_grid, n.min(kept)))
                } else {
                    Rotation::of(Rotation::waves(unit_grid, n.min(kept)))
                };
                let squared = |j| if is_periodic { squared_turns(j, n) } else { squared_frequency(j, n) };
                let weight = |j: usize| norm.charge(squared(j.min(kept - 1))).sqrt();
                Self::of(norm, rotation, Scaling::Diagonal((0..n).map(weight).collect()), unit_grid)
            }
        }
    }

    fn of(norm: SobolevNorm, rotation: Rotation, scaling: Scaling, unit_grid: &Grid) -> Self {
        let n = unit_grid.len();
        let diagonal = match &scaling {
            Scaling::Bidiagonal { .. } => vec![1.0; n],
            Scaling::Diagonal(weights) => weights.clone(),
        };
        let turn = (n <= turn::MOST).then(|| Turn::new(&rotation.columns(n), unit_grid, &diagonal)).flatten();
        Self { norm, rotation, turn, scaling }
    }

    /// The number of coordinates: one for each point.
    pub(crate) fn dimension(&self) -> usize {
        match &self.scaling {
            Scaling::Bidiagonal { diagonal, .. } => diagonal.len(),
            Scaling::Diagonal(weights) => weights.len(),
        }
    }

    /// `a_j^2`, what each coordinate charges: about that in the order one, whose coordinates mix waves.
    pub(crate) fn charges(&self) -> Vec<f64> {
        match &self.scaling {
            Scaling::Diagonal(weights) => weights.iter().map(|weight| weight * weight).collect(),
            Scaling::Bidiagonal { diagonal, .. } => {
                let n = diagonal.len();
                (0..n).map(|j| self.norm.charge(squared_frequency(j.min(WAVES - 1), n))).collect()
            }
        }
    }

    /// `z -> A z`.
    pub(crate) fn apply(&self, z: &mut [f64]) {
        self.scaling.before(z);
        self.rotation.apply(z);
        self.scaling.after(z, |z, weight| z * weight);
    }

    /// `z -> A z` of records that lie one behind the other, up to parts in `2^24`, which are below the steps of their integers.
    pub(crate) fn apply_to_records(&self, records: &mut [f64]) {
        let each = self.dimension();
        match &self.turn {
            Some(turn) => {
                records.chunks_exact_mut(each).for_each(|z| self.scaling.before(z));
                turn.apply(records);
            }
            None => records.chunks_exact_mut(each).for_each(|z| self.apply(z)),
        }
    }

    /// `u -> A^(-1) u`.
    pub(crate) fn undo(&self, u: &mut [f64]) {
        self.scaling.after(u, |u, weight| u / weight);
        self.rotation.undo(u);
        if let Scaling::Bidiagonal { diagonal, above } = &self.scaling {
            for i in (0..u.len()).rev() {
                let next = if i < above.len() { above[i] * u[i + 1] } else { 0.0 };
                u[i] = (u[i] - next) / diagonal[i];
            }
        }
    }

    /// `u -> A' u`.
    pub(crate) fn transpose(&self, u: &mut [f64]) {
        self.scaling.after(u, |u, weight| u * weight);
        self.rotation.undo(u);
        if let Scaling::Bidiagonal { diagonal, above } = &self.scaling {
            for i in (0..u.len()).rev() {
                let previous = if i > 0 { above[i - 1] * u[i - 1] } else { 0.0 };
                u[i] = u[i] * diagonal[i] + previous;
            }
        }
    }

    /// `z -> A'^(-1) z`: what a functional of `z` is as one of `u`.
    pub(crate) fn dual(&self, z: &mut [f64]) {
        if let Scaling::Bidiagonal { diagonal, above } = &self.scaling {
            for i in 0..z.len() {
                let previous = if i > 0 { above[i - 1] * z[i - 1] } else { 0.0 };
                z[i] = (z[i] - previous) / diagonal[i];
            }
        }
        self.rotation.apply(z);
        self.scaling.after(z, |z, weight| z / weight);
    }
}

impl Scaling {
    fn before(&self, z: &mut [f64]) {
        if let Self::Bidiagonal { diagonal, above } = self {
            for i in 0..z.len() {
                let next = if i < above.len() { above[i] * z[i + 1] } else { 0.0 };
                z[i] = diagonal[i] * z[i] + next;
            }
        }
    }

    fn after(&self, u: &mut [f64], scale: impl Fn(f64, f64) -> f64) {
        if let Self::Diagonal(weights) = self {
            u.iter_mut().zip(weights).for_each(|(u, weight)| *u = scale(*u, *weight));
        }
    }
}

/// The squared frequency of the differences of function `j` of `1, cos, sin, ..` on `n` equally spaced points of a circle.
fn squared_turns(j: usize, n: usize) -> f64 {
    let sine = cosine_of_half_turns((0.5 - j.div_ceil(2) as f64 / n as f64).abs());
    (2.0 * n as f64 * sine).powi(2)
}

/// `R` with `R'R = I + l^2 G`, where `z'Gz` is the integral of the squared slope of the line through the points.
fn cholesky(unit_grid: &Grid, length: f64) -> Scaling {
    let (points, weights) = (unit_grid.points(), unit_grid.weights());
    let n = points.len();
    let squared = length * length;
    let stiffness: Vec<f64> = (1..n).map(|i| squared / (points[i] - points[i - 1])).collect();
    let (mut diagonal, mut above) = (Vec::with_capacity(n), Vec::with_capacity(n - 1));
    let mut carried = 0.0;
    for i in 0..n {
        let left = if i > 0 { stiffness[i - 1] } else { 0.0 };
        let right = stiffness.get(i).copied().unwrap_or(0.0);
        // I + l^2 G is at least I: what rounding takes from a pivot, this gives back
        let pivot: f64 = (1.0 + (left + right) / weights[i] - carried * carried).max(1.0);
        let root = pivot.sqrt();
        diagonal.push(root);
        if i + 1 < n {
            carried = -right / (weights[i] * weights[i + 1]).sqrt() / root;
            above.push(carried);
        }
    }
    Scaling::Bidiagonal { diagonal, above }
}

/// The squared frequency of the differences of wave `j` on `n` equally spaced points.
fn squared_frequency(j: usize, n: usize) -> f64 {
    let steps = (n - 1) as f64;
    let sine = cosine_of_half_turns(0.5 - 0.5 * j as f64 / steps);
    (2.0 * steps * sine).powi(2)
}
