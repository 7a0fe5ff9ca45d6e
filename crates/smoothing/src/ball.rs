//! The public bound on a curve.

use dpfda_kernels::Grid;
use ndarray::Array1;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bounded::BoundedCurves;
use crate::curves::CurveSet;

#[cfg(test)]
mod tests;

/// The centre of a [`Ball`]: a public guess at a typical curve, in the units of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "CenterDocument", into = "CenterDocument")]
pub enum Center {
    /// The same value at every point.
    Constant(f64),
    /// One value for each grid point.
    Curve(Array1<f64>),
}

/// Why a ball was refused. Centre and radius are public, so their values are shown.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum BallError {
    /// The radius must be a positive number.
    #[error(
        "radius must be positive and finite (at least {:e}), got {value}; it is the largest root-mean-square distance \
         from the centre, in the units of the data, and must be chosen without looking at the data",
        f64::MIN_POSITIVE
    )]
    Radius {
        /// The radius given.
        value: f64,
    },
    /// The constant centre must be a number.
    #[error("centre must be finite, got {value}")]
    Center {
        /// The centre given.
        value: f64,
    },
    /// Every value of the centre curve must be a number.
    #[error("centre curve must be finite, but its value {index} (counted from 0) is {value}")]
    CenterValue {
        /// The position of the value, from 0.
        index: usize,
        /// The value given.
        value: f64,
    },
    /// The centre curve must lie on the grid of the curves.
    #[error("the centre curve has {found} values, but the grid has {points} points; give one value for each point")]
    CenterLength {
        /// The number of grid points.
        points: usize,
        /// The number of values of the centre curve.
        found: usize,
    },
}

/// A ball of curves that every curve is projected on, chosen without looking at the data.
///
/// ```text
/// { X : ||X - c|| <= tau },   ||f||^2 = sum_i w_i f(t_i)^2,   sum_i w_i = 1
/// ```
///
/// The weights are those of the grid mapped to the unit interval, so the radius is the largest root-mean-square distance
/// from the centre, in the units of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BallDocument", into = "BallDocument")]
pub struct Ball {
    center: Center,
    radius: f64,
}

impl Ball {
    /// The ball of the given centre and radius, both in the units of the data.
    ///
    /// # Errors
    /// [`BallError`] unless the radius is positive and finite and the centre is finite.
    pub fn new(center: Center, radius: f64) -> Result<Self, BallError> {
        // a subnormal radius has no finite reciprocal
        if !(radius.is_normal() && radius > 0.0) {
            return Err(BallError::Radius { value: radius });
        }
        match &center {
            Center::Constant(value) if !value.is_finite() => return Err(BallError::Center { value: *value }),
            Center::Constant(_) => {}
            Center::Curve(values) => {
                if let Some((index, &value)) = values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
                    return Err(BallError::CenterValue { index, value });
                }
            }
        }
        Ok(Self { center, radius })
    }

    /// The centre `c`.
    pub fn center(&self) -> &Center {
        &self.center
    }

    /// The radius `tau`.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The values of the centre at the points of a grid.
    ///
    /// # Errors
    /// [`BallError::CenterLength`] for a centre curve of another number of values.
    pub fn center_at(&self, grid: &Grid) -> Result<Array1<f64>, BallError> {
        match &self.center {
            Center::Constant(value) => Ok(Array1::from_elem(grid.len(), *value)),
            Center::Curve(values) if values.len() == grid.len() => Ok(values.clone()),
            Center::Curve(values) => Err(BallError::CenterLength { points: grid.len(), found: values.len() }),
        }
    }

    /// The curves, each projected on this ball when it is looked at.
    ///
    /// # Errors
    /// [`BallError::CenterLength`] for a centre curve of another number of values than the curves have.
    pub fn bound<'a>(&'a self, curves: &'a CurveSet) -> Result<BoundedCurves<'a>, BallError> {
        Ok(BoundedCurves::new(curves, self, &self.center_at(curves.grid())?))
    }
}

/// A centre as it stands in a file: a number, or an array of numbers.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum CenterDocument {
    Constant(f64),
    Curve(Vec<f64>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BallDocument {
    center: Center,
    radius: f64,
}

impl From<CenterDocument> for Center {
    fn from(document: CenterDocument) -> Self {
        match document {
            CenterDocument::Constant(value) => Self::Constant(value),
            CenterDocument::Curve(values) => Self::Curve(values.into()),
        }
    }
}

impl From<Center> for CenterDocument {
    fn from(center: Center) -> Self {
        match center {
            Center::Constant(value) => Self::Constant(value),
            Center::Curve(values) => Self::Curve(values.to_vec()),
        }
    }
}

impl TryFrom<BallDocument> for Ball {
    type Error = BallError;

    fn try_from(document: BallDocument) -> Result<Self, BallError> {
        Self::new(document.center, document.radius)
    }
}

impl From<Ball> for BallDocument {
    fn from(ball: Ball) -> Self {
        Self { center: ball.center, radius: ball.radius }
    }
}
