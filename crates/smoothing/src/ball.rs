//! The public bound on a curve.

use std::fmt;

use dpfda_kernels::{Domain, GridError};
use ndarray::Array1;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

#[cfg(test)]
#[path = "ball_tests.rs"]
mod tests;

/// The smallest radius. Its square is far from underflow.
const LEAST: f64 = 1e-100;

/// The least radius as a part of the centre's size.
const LEAST_OF_CENTER: f64 = 1e-12;
/// The largest radius, and the largest centre in size: their squares are far from overflow.
pub(crate) const LARGEST: f64 = 1e100;

/// A public guess at a typical curve, in the units of the data: the centre of a [`Ball`].
///
/// In a file the centre is a number or an array of numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum Center {
    /// The same value at every point.
    Constant(f64),
    /// One value for each grid point.
    Curve(Array1<f64>),
}

/// Why a ball was refused. Centre and radius are public, so the error shows their values.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BallError {
    #[error(
        "radius must be positive, at least {LEAST:e} and at most {LARGEST:e} (so that its square neither \
         overflows nor underflows), got {}; it is the largest root-mean-square distance from the centre, in the units \
         of the data, and must be chosen without looking at the data",
        shown(*value)
    )]
    Radius { value: f64 },
    #[error(
        "radius must be at least {LEAST_OF_CENTER:e} of the size of the centre, or it is lost in rounding: got a radius of {} about a centre \
         of size {}",
        shown(*radius),
        shown(*center)
    )]
    Rounding { radius: f64, center: f64 },
    #[error(
        "centre must be finite, at most {LARGEST:e} in size (so that its square does not overflow), got {}",
        shown(*value)
    )]
    Center { value: f64 },
    #[error(
        "centre curve must be finite, at most {LARGEST:e} in size (so that its square does not overflow), but its \
         value {index} (counted from 0) is {}",
        shown(*value)
    )]
    CenterValue {
        /// The position of the value, from 0.
        index: usize,
        value: f64,
    },
    #[error(
        "bounds must be two finite numbers, the lower first, at most {LARGEST:e} in size, got {} and {}; they are what \
         values always lie between, and must be known without looking at the data",
        shown(*lower),
        shown(*upper)
    )]
    Bounds { lower: f64, upper: f64 },
    #[error("the centre curve has {found} values, but the grid has {points} points; give one value for each point")]
    CenterLength { points: usize, found: usize },
    #[error("each row has {found} values, but a record here has {points}; give one value for each point of the domain")]
    Points { points: usize, found: usize },
    #[error("the grid cannot be mapped to [0, 1]: {0}")]
    Grid(#[from] GridError),
}

/// A public ball that every curve is projected on. It must be chosen without looking at the data.
///
/// ```text
/// { X : ||X - c|| <= tau },   ||f||^2 = sum_i w_i f(t_i)^2,   sum_i w_i = 1
/// ```
///
/// The weights are those of the grid mapped to the unit interval, so the radius is the largest root-mean-square distance
/// from the centre, in the units of the data.
///
/// # Examples
/// ```
/// use dpfda_smoothing::{Ball, Center};
///
/// // fractional anisotropy lies between 0 and 1: this ball holds every possible curve
/// let ball = Ball::new(Center::Constant(0.5), 0.5)?;
/// assert_eq!(ball.radius(), 0.5);
/// assert!(Ball::new(Center::Constant(0.5), 0.0).is_err());
/// # Ok::<(), dpfda_smoothing::BallError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BallDocument", into = "BallDocument")]
pub struct Ball {
    center: Center,
    radius: f64,
    /// Values outside are clamped before a curve is projected.
    bounds: Option<(f64, f64)>,
}

impl Ball {
    /// Makes the ball with this centre and radius, both in the units of the data.
    ///
    /// # Errors
    /// [`BallError`] unless the radius is from `1e-100` to `1e100` and at least `1e-12` of the centre, and the centre at most `1e100`
    /// in size.
    pub fn new(center: Center, radius: f64) -> Result<Self, BallError> {
        let is_bounded = |value: f64| value.abs() <= LARGEST;
        if !(LEAST..=LARGEST).contains(&radius) {
            return Err(BallError::Radius { value: radius });
        }
        match &center {
            Center::Constant(value) if !is_bounded(*value) => return Err(BallError::Center { value: *value }),
            Center::Constant(_) => {}
            Center::Curve(values) => {
                if let Some((index, &value)) = values.iter().enumerate().find(|(_, value)| !is_bounded(**value)) {
                    return Err(BallError::CenterValue { index, value });
                }
            }
        }
        let size = match &center {
            Center::Constant(value) => value.abs(),
            Center::Curve(values) => values.iter().fold(0.0, |most, value| value.abs().max(most)),
        };
        if radius < LEAST_OF_CENTER * size {
            return Err(BallError::Rounding { radius, center: size });
        }
        Ok(Self { center, radius, bounds: None })
    }

    /// Makes the ball of all curves with values between two bounds, for values that can be nothing else: the centre is halfway,
    /// the radius half the distance, and values outside are clamped.
    ///
    /// ```text
    /// c = (lower + upper) / 2,    tau = (upper - lower) / 2
    /// ```
    ///
    /// # Errors
    /// [`BallError::Bounds`] unless the bounds are in order and at most `1e100` in size, [`BallError::Radius`] for bounds
    /// closer than `2e-100`.
    pub fn within(lower: f64, upper: f64) -> Result<Self, BallError> {
        if !(lower < upper && lower.abs() <= LARGEST && upper.abs() <= LARGEST) {
            return Err(BallError::Bounds { lower, upper });
        }
        let ball = Self::new(Center::Constant(lower / 2.0 + upper / 2.0), upper / 2.0 - lower / 2.0)?;
        Ok(Self { bounds: Some((lower, upper)), ..ball })
    }

    /// The ball with another public centre and radius, whose curves have values between the same bounds.
    pub fn moved(&self, center: Center, radius: f64) -> Result<Self, BallError> {
        Ok(Self { bounds: self.bounds, ..Self::new(center, radius)? })
    }

    /// The bounds that values are clamped to, where there are any.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        self.bounds
    }

    /// Whether the ball is that of its bounds, where it has any, up to rounding: a ball that was neither bought nor made wider.
    pub fn is_of_its_bounds(&self) -> bool {
        let Some((lower, upper)) = self.bounds else { return true };
        let Ok(Self { center: Center::Constant(center), radius, .. }) = Self::within(lower, upper) else {
            return false;
        };
        let is_near = |a: f64, b: f64| (a - b).abs() <= LEAST_OF_CENTER * upper.abs().max(lower.abs());
        matches!(self.center, Center::Constant(mine) if is_near(mine, center)) && is_near(self.radius, radius)
    }

    /// A value of a curve within the bounds, where there are any; a missing value stays one.
    pub fn clamp(&self, value: f64) -> f64 {
        let (lower, upper) = self.limits();
        clamped(value, lower, upper)
    }

    /// The bounds, infinite where there are none.
    pub(crate) fn limits(&self) -> (f64, f64) {
        self.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
    }

    /// The centre `c`.
    pub fn center(&self) -> &Center {
        &self.center
    }

    /// The radius `tau`.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the values of the centre at the points of a domain, the last axis fastest.
    pub fn center_at(&self, domain: &impl Domain) -> Result<Array1<f64>, BallError> {
        let points = domain.len();
        match &self.center {
            Center::Constant(value) => Ok(Array1::from_elem(points, *value)),
            Center::Curve(values) if values.len() == points => Ok(values.clone()),
            Center::Curve(values) => Err(BallError::CenterLength { points, found: values.len() }),
        }
    }
}

/// `value` between two limits; what is not a number stays so.
pub(crate) fn clamped(value: f64, lower: f64, upper: f64) -> f64 {
    // written as two choices, which vectorise
    let below = if value > upper { upper } else { value };
    if below < lower { lower } else { below }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a ball of `center` and `radius`")]
struct BallDocument {
    center: Center,
    radius: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bounds: Option<(f64, f64)>,
}

impl Serialize for Center {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(value) => serializer.serialize_f64(*value),
            Self::Curve(values) => serializer.collect_seq(values),
        }
    }
}

impl<'de> Deserialize<'de> for Center {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CenterVisitor)
    }
}

struct CenterVisitor;

impl<'de> Visitor<'de> for CenterVisitor {
    type Value = Center;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a list of numbers")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Center, E> {
        Ok(Center::Constant(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Center, E> {
        Ok(Center::Constant(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Center, E> {
        Ok(Center::Constant(value as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Center, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(values)).map(|values| Center::Curve(values.into()))
    }
}

impl TryFrom<BallDocument> for Ball {
    type Error = BallError;

    fn try_from(document: BallDocument) -> Result<Self, BallError> {
        let ball = Self::new(document.center, document.radius)?;
        match document.bounds {
            Some((lower, upper)) => Self::within(lower, upper)?.moved(ball.center, ball.radius),
            None => Ok(ball),
        }
    }
}

impl From<Ball> for BallDocument {
    fn from(ball: Ball) -> Self {
        Self { center: ball.center, radius: ball.radius, bounds: ball.bounds }
    }
}

/// A number without hundreds of zeros.
pub(crate) fn shown(value: f64) -> String {
    if value == 0.0 || (1e-5..1e16).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}
