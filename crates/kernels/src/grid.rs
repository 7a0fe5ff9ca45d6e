//! The points of a curve, and the quadrature weights that turn sums over them into integrals.

use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::cell::Cell;

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;

/// The rule that replaces the integral over the domain by a weighted sum over the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quadrature {
    /// The trapezoid rule: exact for piecewise linear functions, with positive weights on every grid. (Simpson's rule can
    /// have negative weights on uneven grids.)
    #[default]
    Trapezoid,
    /// The same weight `(b - a) / n` at every point: the `1/n` rule of the PFDA R package, to reproduce its results.
    Equal,
}

/// Why a grid was refused.
/// Rows and places are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GridError {
    #[error("a grid needs at least 2 points, got {found}")]
    TooFew { found: usize },
    #[error("grid point {index} must be finite, got {value:?}")]
    NotFinite { index: usize, value: f64 },
    #[error("grid points must increase strictly, but point {index} is {value:?} after {previous:?}")]
    NotIncreasing { index: usize, previous: f64, value: f64 },
    #[error(
        "the domain must be from {LEAST_WIDTH:e} to {LARGEST_WIDTH:e} wide, got {lower:?} to {upper:?}; choose other units"
    )]
    Width { lower: f64, upper: f64 },
    #[error(
        "neighbouring grid points must be at least {LEAST_STEP:e} of the width of the domain apart, but point {index} is {value:?} after \
         {previous:?}; leave one of the two out"
    )]
    Step { index: usize, previous: f64, value: f64 },
    #[error(
        "the domain closes up at {end:?}, where the first point comes again, but the last point is {last:?}; leave the last point out if it \
         repeats the first, or close the domain later"
    )]
    Closed { last: f64, end: f64 },
    #[error(
        "the points of a domain that closes up must be equally spaced: point {index} is {value:?}, expected {expected:?}; or give the two ends \
         of one period"
    )]
    Uneven { index: usize, value: f64, expected: f64 },
}

/// The least width of a domain: `1e-50`. See [`LARGEST_WIDTH`].
pub const LEAST_WIDTH: f64 = 1e-50;

/// The largest width of a domain: `1e50`.
///
/// The slopes and areas of values up to `1e100` in size are then at most `1e150` times a number without units, and their squares are
/// numbers.
pub const LARGEST_WIDTH: f64 = 1e50;

/// The least distance of neighbouring points, as a share of the width of the domain: `1e-12`. Below, points are lost in rounding.
pub const LEAST_STEP: f64 = 1e-12;

/// The points of a circle may be this part of the period away from equally spaced ones.
const UNEVEN: f64 = 1e-9;

/// Strictly increasing points `t_1 < ... < t_n` of an interval `[a, b] = [t_1, t_n]`, with positive quadrature weights.
///
/// Or of a circle: a domain that closes up, such as the hours of a day. Then `b` is beyond `t_n`, and is the same point as
/// `a = t_1`. The points are equally spaced, and all weights are `(b - a) / n`.
///
/// ```text
/// <f, g> = sum_i w_i f(t_i) g(t_i),    sum_i w_i = b - a
/// ```
///
/// ```
/// use dpfda_kernels::Grid;
///
/// let grid = Grid::new(vec![0.0, 1.0, 4.0])?;
/// assert_eq!(grid.weights().to_vec(), [0.5, 2.0, 1.5]);
///
/// // the trapezoid rule is exact for straight lines
/// assert_eq!(grid.integrate(grid.points()), 8.0);
/// assert_eq!(grid.to_unit()?.points().to_vec(), [0.0, 0.25, 1.0]);
/// # Ok::<(), dpfda_kernels::GridError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "GridDocument", into = "GridDocument")]
pub struct Grid {
    points: Array1<f64>,
    weights: Array1<f64>,
    quadrature: Quadrature,
    closes_at: Option<f64>,
}

impl Grid {
    /// A grid of the given points with trapezoid weights.
    ///
    /// # Errors
    /// [`GridError`] for fewer than two points, points that are not finite, do not increase strictly or are closer than [`LEAST_STEP`]
    /// says, and for a domain that is not from [`LEAST_WIDTH`] to [`LARGEST_WIDTH`] wide.
    pub fn new(points: Vec<f64>) -> Result<Self, GridError> {
        Self::with_quadrature(points, Quadrature::Trapezoid)
    }

    /// A grid of the given points with a chosen quadrature rule.
    pub fn with_quadrature(points: Vec<f64>, quadrature: Quadrature) -> Result<Self, GridError> {
        check_points(&points, None)?;
        let n = points.len();
        let (lower, upper) = (points[0], points[n - 1]);
        let weights: Array1<f64> = match quadrature {
            Quadrature::Trapezoid => {
                (0..n).map(|i| 0.5 * (points[(i + 1).min(n - 1)] - points[i.saturating_sub(1)])).collect()
            }
            Quadrature::Equal => Array1::from_elem(n, (upper - lower) / n as f64),
        };
        Ok(Self { points: points.into(), weights, quadrature, closes_at: None })
    }

    /// `n` equally spaced points from `lower` to `upper`, both included, with trapezoid weights.
    pub fn uniform(lower: f64, upper: f64, n: usize) -> Result<Self, GridError> {
        if n < 2 {
            return Err(GridError::TooFew { found: n });
        }
        check_ends(lower, upper, n)?;
        let last = (n - 1) as f64;
        let point = |i: usize| if i == n - 1 { upper } else { lower + (upper - lower) * (i as f64 / last) };
        Self::new((0..n).map(point).collect())
    }

    /// Equally spaced points of a circle: a domain that closes up at `end`, where the first point comes again.
    ///
    /// ```text
    /// t_i = a + (i - 1) (b - a) / n,    w_i = (b - a) / n,    b = end is the point a
    /// ```
    ///
    /// On equally spaced points of a circle this rule is the trapezoid rule. It integrates every trigonometric polynomial of degree
    /// below `n` exactly. Points may be a `1e-9` of the period away from their places.
    ///
    /// ```
    /// use dpfda_kernels::Grid;
    ///
    /// let hours = Grid::periodic((0..24).map(f64::from).collect(), 24.0)?;
    /// assert!(hours.is_periodic() && hours.upper() == 24.0 && hours.length() == 24.0);
    /// // half past eleven in the evening lies between the last hour and the first
    /// assert_eq!(hours.cell(23.5).between(hours.points()), 11.5);
    /// # Ok::<(), dpfda_kernels::GridError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Grid::new`]; [`GridError::Closed`] for a last point that is not before the end, [`GridError::Uneven`] for points that are
    /// not equally spaced.
    pub fn periodic(points: Vec<f64>, end: f64) -> Result<Self, GridError> {
        check_points(&points, Some(end))?;
        let n = points.len();
        let (lower, last) = (points[0], points[n - 1]);
        let period = end - lower;
        let (step, slack) = (period / n as f64, UNEVEN * period);
        if last >= end - slack {
            return Err(GridError::Closed { last, end });
        }
        let expected = |i: usize| lower + step * i as f64;
        if let Some(index) = (0..n).find(|&i| (points[i] - expected(i)).abs() > slack) {
            return Err(GridError::Uneven { index, value: points[index], expected: expected(index) });
        }
        let weights = Array1::from_elem(n, step);
        Ok(Self { points: points.into(), weights, quadrature: Quadrature::Trapezoid, closes_at: Some(end) })
    }

    /// `n` equally spaced points of a circle, the first at `lower`; at `upper` the circle closes up.
    pub fn circle(lower: f64, upper: f64, n: usize) -> Result<Self, GridError> {
        check_ends(lower, upper, n)?;
        let step = (upper - lower) / n as f64;
        Self::periodic((0..n).map(|i| lower + step * i as f64).collect(), upper)
    }

    /// The circle of equally spaced points that closes up one step after the last of them.
    pub fn closing(points: Vec<f64>) -> Result<Self, GridError> {
        check_points(&points, None)?;
        let (first, last) = (points[0], points[points.len() - 1]);
        let step = (last - first) / (points.len() - 1) as f64;
        Self::periodic(points, last + step)
    }

    /// The points `t_i`.
    pub fn points(&self) -> ArrayView1<'_, f64> {
        self.points.view()
    }

    /// The quadrature weights `w_i`; they sum to [`Grid::length`].
    pub fn weights(&self) -> ArrayView1<'_, f64> {
        self.weights.view()
    }

    /// The quadrature rule.
    pub fn quadrature(&self) -> Quadrature {
        self.quadrature
    }

    /// The number of points, at least 2.
    #[allow(clippy::len_without_is_empty, reason = "a grid is never empty")]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The first point, `a`.
    pub fn lower(&self) -> f64 {
        self.points[0]
    }

    /// The end of the domain, `b`: the last point, or where a circle closes up.
    pub fn upper(&self) -> f64 {
        self.closes_at.unwrap_or(self.points[self.len() - 1])
    }

    /// Whether the domain closes up: its two ends are one point.
    pub fn is_periodic(&self) -> bool {
        self.closes_at.is_some()
    }

    /// The length of the domain, `b - a`.
    pub fn length(&self) -> f64 {
        self.upper() - self.lower()
    }

    /// The place of `t` on the unit interval: `(t - a) / (b - a)`, and 0 for the end of a circle, which is its first point.
    pub fn to_unit_point(&self, t: f64) -> f64 {
        if self.closes_at == Some(t) { 0.0 } else { (t - self.lower()) / self.length() }
    }

    /// The same grid on the unit interval, on which kernels, penalties and radii are defined.
    ///
    /// # Errors
    /// [`GridError::Uneven`] for a circle that lies so far from 0 that its points are not equally spaced after rounding.
    pub fn to_unit(&self) -> Result<Self, GridError> {
        if self.lower() == 0.0 && self.upper() == 1.0 {
            return Ok(self.clone());
        }
        let points = self.points.iter().map(|&t| self.to_unit_point(t)).collect();
        if self.is_periodic() { Self::periodic(points, 1.0) } else { Self::with_quadrature(points, self.quadrature) }
    }

    /// The integral `sum_i w_i f(t_i)` of a function given by its values at the points.
    ///
    /// # Panics
    /// If `values` does not have one value for each point.
    pub fn integrate(&self, values: ArrayView1<'_, f64>) -> f64 {
        self.weights.dot(&values)
    }

    /// The points and, on a circle, its end: what a curve is drawn over.
    pub fn closed_points(&self) -> Vec<f64> {
        self.points.iter().copied().chain(self.closes_at).collect()
    }

    /// Values at the points and, on a circle, the first of them again.
    pub fn closed_values(&self, mut values: Vec<f64>) -> Vec<f64> {
        if self.is_periodic() {
            values.extend_from_within(..1);
        }
        values
    }

    /// The cell between neighbouring points that holds `t`. On a circle the last cell reaches from the last point to the first.
    pub fn cell(&self, t: f64) -> Cell {
        Cell::of(self.points.view(), self.closes_at, t)
    }

    /// Whether the points and weights are symmetric about the midpoint, up to rounding.
    pub(crate) fn is_symmetric(&self) -> bool {
        let n = self.len();
        let slack = 1e-13 * self.length();
        let centre = self.lower() + self.upper();
        (0..n.div_ceil(2)).all(|i| (self.points[i] + self.points[n - 1 - i] - centre).abs() <= slack)
    }

    /// Whether the points are equally spaced, up to rounding.
    pub(crate) fn is_uniform(&self) -> bool {
        let step = self.length() / (self.len() - 1) as f64;
        let slack = 1e-13 * self.length();
        self.points.iter().enumerate().all(|(i, t)| (t - self.lower() - step * i as f64).abs() <= slack)
    }
}

fn check_points(points: &[f64], end: Option<f64>) -> Result<(), GridError> {
    if points.len() < 2 {
        return Err(GridError::TooFew { found: points.len() });
    }
    if let Some(index) = points.iter().position(|t| !t.is_finite()) {
        return Err(GridError::NotFinite { index, value: points[index] });
    }
    let pairs = || points.windows(2).zip(1..);
    if let Some((pair, index)) = pairs().find(|(pair, _)| pair[0] >= pair[1]) {
        return Err(GridError::NotIncreasing { index, previous: pair[0], value: pair[1] });
    }
    let (lower, last) = (points[0], points[points.len() - 1]);
    let upper = end.unwrap_or(last);
    if end.is_some() && last >= upper {
        return Err(GridError::Closed { last, end: upper });
    }
    check_width(lower, upper)?;
    // on the unit interval, where the same points pass again
    let place = |t: f64| (t - lower) / (upper - lower);
    match pairs().find(|(pair, _)| place(pair[1]) - place(pair[0]) < LEAST_STEP) {
        Some((pair, index)) => Err(GridError::Step { index, previous: pair[0], value: pair[1] }),
        None => Ok(()),
    }
}

/// Refuses the ends of points that are still to be made.
fn check_ends(lower: f64, upper: f64, n: usize) -> Result<(), GridError> {
    for (index, value) in [(0, lower), (n.saturating_sub(1), upper)] {
        if !value.is_finite() {
            return Err(GridError::NotFinite { index, value });
        }
    }
    if upper <= lower {
        return Err(GridError::NotIncreasing { index: n.saturating_sub(1), previous: lower, value: upper });
    }
    check_width(lower, upper)
}

fn check_width(lower: f64, upper: f64) -> Result<(), GridError> {
    if (LEAST_WIDTH..=LARGEST_WIDTH).contains(&(upper - lower)) {
        Ok(())
    } else {
        Err(GridError::Width { lower, upper })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GridDocument {
    points: Vec<f64>,
    quadrature: Quadrature,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closes_at: Option<f64>,
}

impl TryFrom<GridDocument> for Grid {
    type Error = GridError;

    fn try_from(document: GridDocument) -> Result<Self, GridError> {
        let GridDocument { points, quadrature, closes_at } = document;
        match closes_at {
            // on a circle both rules have the same weights
            Some(end) => Ok(Self { quadrature, ..Self::periodic(points, end)? }),
            None => Self::with_quadrature(points, quadrature),
        }
    }
}

impl From<Grid> for GridDocument {
    fn from(grid: Grid) -> Self {
        Self { points: grid.points.to_vec(), quadrature: grid.quadrature, closes_at: grid.closes_at }
    }
}
