//! The points of a curve, and the quadrature weights that turn sums over them into integrals.

use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

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
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum GridError {
    /// A curve needs at least two points.
    #[error("a grid needs at least 2 points, got {found}")]
    TooFew {
        /// The number of points given.
        found: usize,
    },
    /// A point is infinite or not a number.
    #[error("grid point {index} must be finite, got {value}")]
    NotFinite {
        /// The position of the point, from 0.
        index: usize,
        /// The point.
        value: f64,
    },
    /// The points must increase strictly.
    #[error("grid points must increase strictly, but point {index} is {value} after {previous}")]
    NotIncreasing {
        /// The position of the later point, from 0.
        index: usize,
        /// The earlier point.
        previous: f64,
        /// The later point.
        value: f64,
    },
    /// The distances between points cannot be represented.
    #[error("the spacing of grid points {lower} to {upper} overflows or underflows double precision")]
    Spacing {
        /// The first point.
        lower: f64,
        /// The last point.
        upper: f64,
    },
}

/// Strictly increasing points `t_1 < ... < t_n` of an interval `[a, b] = [t_1, t_n]`, with positive quadrature weights.
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
}

impl Grid {
    /// A grid of the given points with trapezoid weights.
    ///
    /// # Errors
    /// [`GridError`] for fewer than two points, points that are not finite or do not increase strictly.
    pub fn new(points: Vec<f64>) -> Result<Self, GridError> {
        Self::with_quadrature(points, Quadrature::Trapezoid)
    }

    /// A grid of the given points with a chosen quadrature rule.
    ///
    /// # Errors
    /// As [`Grid::new`].
    pub fn with_quadrature(points: Vec<f64>, quadrature: Quadrature) -> Result<Self, GridError> {
        check_points(&points)?;
        let n = points.len();
        let (lower, upper) = (points[0], points[n - 1]);
        let weights: Array1<f64> = match quadrature {
            Quadrature::Trapezoid => {
                (0..n).map(|i| 0.5 * (points[(i + 1).min(n - 1)] - points[i.saturating_sub(1)])).collect()
            }
            Quadrature::Equal => Array1::from_elem(n, (upper - lower) / n as f64),
        };
        if weights.iter().all(|w| w.is_normal() && *w > 0.0) {
            Ok(Self { points: points.into(), weights, quadrature })
        } else {
            Err(GridError::Spacing { lower, upper })
        }
    }

    /// `n` equally spaced points from `lower` to `upper`, both included, with trapezoid weights.
    ///
    /// # Errors
    /// As [`Grid::new`].
    pub fn uniform(lower: f64, upper: f64, n: usize) -> Result<Self, GridError> {
        if n < 2 {
            return Err(GridError::TooFew { found: n });
        }
        for (index, value) in [(0, lower), (n - 1, upper)] {
            if !value.is_finite() {
                return Err(GridError::NotFinite { index, value });
            }
        }
        if !(upper - lower).is_finite() {
            return Err(GridError::Spacing { lower, upper });
        }
        let last = (n - 1) as f64;
        let point = |i: usize| if i == n - 1 { upper } else { lower + (upper - lower) * (i as f64 / last) };
        Self::new((0..n).map(point).collect())
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

    /// The last point, `b`.
    pub fn upper(&self) -> f64 {
        self.points[self.len() - 1]
    }

    /// The length of the domain, `b - a`.
    pub fn length(&self) -> f64 {
        self.upper() - self.lower()
    }

    /// The place of `t` on the unit interval: `(t - a) / (b - a)`.
    pub fn to_unit_point(&self, t: f64) -> f64 {
        (t - self.lower()) / self.length()
    }

    /// The same grid on the unit interval, on which kernels, penalties and radii are defined.
    ///
    /// # Errors
    /// [`GridError::NotIncreasing`] if two points are so close that they coincide on the unit interval.
    pub fn to_unit(&self) -> Result<Self, GridError> {
        if self.lower() == 0.0 && self.upper() == 1.0 {
            return Ok(self.clone());
        }
        Self::with_quadrature(self.points.iter().map(|&t| self.to_unit_point(t)).collect(), self.quadrature)
    }

    /// The integral `sum_i w_i f(t_i)` of a function given by its values at the points.
    ///
    /// # Panics
    /// If `values` does not have one value for each point.
    pub fn integrate(&self, values: ArrayView1<'_, f64>) -> f64 {
        self.weights.dot(&values)
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

fn check_points(points: &[f64]) -> Result<(), GridError> {
    if points.len() < 2 {
        return Err(GridError::TooFew { found: points.len() });
    }
    if let Some(index) = points.iter().position(|t| !t.is_finite()) {
        return Err(GridError::NotFinite { index, value: points[index] });
    }
    match points.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(i) => Err(GridError::NotIncreasing { index: i + 1, previous: points[i], value: points[i + 1] }),
        None => Ok(()),
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GridDocument {
    points: Vec<f64>,
    quadrature: Quadrature,
}

impl TryFrom<GridDocument> for Grid {
    type Error = GridError;

    fn try_from(document: GridDocument) -> Result<Self, GridError> {
        Self::with_quadrature(document.points, document.quadrature)
    }
}

impl From<Grid> for GridDocument {
    fn from(grid: Grid) -> Self {
        Self { points: grid.points.to_vec(), quadrature: grid.quadrature }
    }
}
