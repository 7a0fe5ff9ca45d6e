//! The public box that every point is clamped to.

use std::fmt;

use dpfda_mechanism::exact;
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "bounds_tests.rs"]
mod tests;

/// A box in one to three dimensions, chosen without looking at the data.
///
/// ```text
/// [a_1, b_1] x ... x [a_r, b_r],    r = 1, 2, 3
/// ```
///
/// It is mapped to `[0, 1]^r`, where Wasserman and Zhou (2010) have their records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(f64, f64)>", into = "Vec<(f64, f64)>")]
pub struct Bounds {
    axes: Vec<(f64, f64)>,
}

/// Why bounds were refused.
/// Rows and places are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BoundsError {
    #[error("bounds need 1, 2 or 3 axes, got {found}: the number of cells grows with the power of the dimension")]
    Dimension { found: usize },
    #[error(
        "the bounds of axis {axis} must be finite, got {lower:?} to {upper:?}: they are public, from what is known without the data"
    )]
    NotFinite { axis: usize, lower: f64, upper: f64 },
    #[error("the lower bound of axis {axis} must be below the upper one, got {lower:?} to {upper:?}")]
    Inverted { axis: usize, lower: f64, upper: f64 },
    #[error("the width of axis {axis} must be from 1e-80 to 1e80, got {width:e}: choose other units")]
    Width { axis: usize, width: f64 },
}

const MOST_AXES: usize = 3;

impl Bounds {
    /// Bounds from `(lower, upper)` of each axis, in data units.
    pub fn new(axes: Vec<(f64, f64)>) -> Result<Self, BoundsError> {
        if !(1..=MOST_AXES).contains(&axes.len()) {
            return Err(BoundsError::Dimension { found: axes.len() });
        }
        for (axis, &(lower, upper)) in axes.iter().enumerate() {
            if !(lower.is_finite() && upper.is_finite()) {
                return Err(BoundsError::NotFinite { axis, lower, upper });
            }
            if lower >= upper {
                return Err(BoundsError::Inverted { axis, lower, upper });
            }
            let width = upper - lower;
            if !(1e-80..=1e80).contains(&width) {
                return Err(BoundsError::Width { axis, width });
            }
        }
        Ok(Self { axes })
    }

    /// The number of axes, `r`.
    pub fn dimension(&self) -> usize {
        self.axes.len()
    }

    /// `(lower, upper)` of an axis, in data units.
    ///
    /// # Panics
    /// For an axis that is not there, as an index does.
    pub fn axis(&self, axis: usize) -> (f64, f64) {
        self.axes[axis]
    }

    /// The volume of the box, in data units.
    pub fn volume(&self) -> f64 {
        self.axes.iter().map(|(lower, upper)| upper - lower).product()
    }

    /// A coordinate in data units as one in `[0, 1]`: clamped, and 0.5 (the centre) for what is not a number.
    ///
    /// # Panics
    /// For an axis that is not there, as an index does.
    pub fn to_unit(&self, axis: usize, x: f64) -> f64 {
        to_unit(self.axes[axis], x)
    }

    /// A coordinate in `[0, 1]` (clamped; the centre for what is not a number) in data units.
    ///
    /// # Panics
    /// For an axis that is not there, as an index does.
    pub fn from_unit(&self, axis: usize, u: f64) -> f64 {
        let (lower, upper) = self.axes[axis];
        let u = if u.is_nan() { 0.5 } else { u.clamp(0.0, 1.0) };
        (lower * (1.0 - u) + upper * u).clamp(lower, upper)
    }

    pub(crate) fn axes(&self) -> &[(f64, f64)] {
        &self.axes
    }

    /// A point in data units as one in the unit cube; what is missing is in the centre, as are axes that are not there.
    pub(crate) fn unit_point(&self, point: &[f64]) -> [f64; MOST_AXES] {
        std::array::from_fn(|axis| match (self.axes.get(axis), point.get(axis)) {
            (Some(ends), Some(x)) => to_unit(*ends, *x),
            _ => 0.5,
        })
    }
}

/// `[0, 1] x [-1, 3]`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = self.axes.iter().map(|(lower, upper)| format!("[{},\u{a0}{}]", exact(*lower), exact(*upper)));
        f.write_str(&axes.collect::<Vec<_>>().join(" x "))
    }
}

/// [`Bounds::to_unit`] of one axis.
fn to_unit((lower, upper): (f64, f64), x: f64) -> f64 {
    let unit = (x - lower) / (upper - lower);
    if unit.is_nan() { 0.5 } else { unit.clamp(0.0, 1.0) }
}

impl TryFrom<Vec<(f64, f64)>> for Bounds {
    type Error = BoundsError;

    fn try_from(axes: Vec<(f64, f64)>) -> Result<Self, BoundsError> {
        Self::new(axes)
    }
}

impl From<Bounds> for Vec<(f64, f64)> {
    fn from(bounds: Bounds) -> Self {
        bounds.axes
    }
}
