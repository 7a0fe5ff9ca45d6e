//! From public bounds on roughness to a ball of a Sobolev norm.

use dpfda_kernels::Grid;
use dpfda_mechanism::close;
use dpfda_privacy::NestedRadius;
use dpfda_smoothing::Ball;
use serde::{Deserialize, Serialize};

use crate::coordinates::sobolev::{SobolevNorm, SobolevOrder};
use crate::mean::MeanMechanism;
use crate::mean::domain::MeanDomain;
use crate::mean::mean_error::MeanError;
use crate::release_error::ReleaseError;

#[cfg(test)]
#[path = "roughness_tests.rs"]
mod tests;

/// What of roughness a curve is charged for, beside its distance from the centre.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Roughness {
    /// The largest root-mean-square slope, in data units for one unit of the domain.
    Slope(f64),
    /// The half-Sobolev norm of a length, in units of the domain.
    HalfSobolev(f64),
    /// The product of the half-Sobolev norms of a length along each axis of a rectangle, as a part of that axis.
    HalfOfAxes([f64; 2]),
}

/// How much larger than the stated radius a half-Sobolev norm may be, before a radius is bought: so much for each axis.
const HALF_SOBOLEV_TOP: f64 = 2.0;

/// The least slope, as a part of the radius over the domain.
const LEAST_SLOPE: f64 = 1e-3;

/// The number of the radius where counts say nothing, for each axis: an octave below the largest one of a half norm, which is twice the
/// stated one.
const STATED_IN_HALF_NORM: u32 = 8;

/// The radius where the counts that would buy one cannot be trusted.
pub(crate) fn untrusted(mechanism: &MeanMechanism) -> NestedRadius {
    match mechanism {
        MeanMechanism::Sobolev(norm) if norm.order() == SobolevOrder::Half => {
            let number = norm.lengths().map(|_| STATED_IN_HALF_NORM).sum();
            NestedRadius::new(number).unwrap_or(NestedRadius::STATED)
        }
        _ => NestedRadius::STATED,
    }
}

impl Roughness {
    /// The ball of a Sobolev norm on a domain, and the coordinates of that norm.
    pub(crate) fn body<D: MeanDomain>(
        self,
        ball: &Ball,
        on: &D,
        buys_radius: bool,
    ) -> Result<(Ball, MeanMechanism), ReleaseError> {
        let (center, radius) = (ball.center().clone(), ball.radius());
        let line = || on.line().ok_or(MeanError::OnRectangle { what: "one bound on roughness or slope" });
        let half = |norm: SobolevNorm| {
            let radius = top_of(&norm) * radius;
            Ok((ball.moved(center.clone(), radius)?, MeanMechanism::Sobolev(norm)))
        };
        match self {
            Self::Slope(_) if on.line().is_some_and(Grid::is_periodic) => Err(MeanError::SlopeOnCircle.into()),
            Self::Slope(value) => {
                let domain = line()?.length();
                let least = LEAST_SLOPE * radius / domain;
                if !(value.is_finite() && value >= least) {
                    return Err(ReleaseError::Slope { least, value });
                }
                let body = SlopeBody::of(radius, value * domain);
                // a length of 0: the slope says nothing
                let mechanism = SobolevNorm::new(SobolevOrder::One, body.length).map(MeanMechanism::Sobolev);
                Ok((ball.moved(center.clone(), body.radius)?, mechanism.unwrap_or(MeanMechanism::Isonormal)))
            }
            Self::HalfSobolev(_) | Self::HalfOfAxes(_) if !buys_radius => Err(ReleaseError::RoughnessNeedsRadius),
            Self::HalfSobolev(value) => {
                let domain = line()?.length();
                let norm = SobolevNorm::new(SobolevOrder::Half, value / domain);
                half(norm.map_err(|_| ReleaseError::Length { least: 1e-6 * domain, most: 1e4 * domain, value })?)
            }
            Self::HalfOfAxes(lengths) => {
                if on.line().is_some() {
                    return Err(MeanError::Lengths { axes: 1, found: 2 }.into());
                }
                half(SobolevNorm::product(SobolevOrder::Half, lengths).map_err(ReleaseError::Lengths)?)
            }
        }
    }
}

/// How many times the stated radius a half-Sobolev norm starts from: twice for each axis.
fn top_of(norm: &SobolevNorm) -> f64 {
    norm.lengths().map(|_| HALF_SOBOLEV_TOP).product()
}

/// The radius that was stated of the root-mean-square distance, where a ball of this norm was made of it; `None` where a slope was stated
/// beside it.
pub(crate) fn stated_before(radius: f64, norm: &SobolevNorm) -> Option<f64> {
    (norm.order() == SobolevOrder::Half).then(|| radius / top_of(norm))
}

/// Whether a ball of a Sobolev norm is what [`Roughness::body`] makes of the ball of its bounds, where it has any. Its slope follows from its
/// length:
///
/// ```text
/// order one:   radius = tau / sqrt(theta),  theta that of least noise for L = sqrt((1 - theta) / theta) tau / l
/// order half:  radius = 2 tau,              tau half the distance of the bounds;    4 tau on a rectangle
/// ```
pub(crate) fn is_of_its_bounds(ball: &Ball, norm: &SobolevNorm) -> bool {
    let Some((lower, upper)) = ball.bounds() else { return true };
    let half = upper / 2.0 - lower / 2.0;
    let is_centered = ball.moved(ball.center().clone(), half).is_ok_and(|ball| ball.is_of_its_bounds());
    let radius = match norm.order() {
        SobolevOrder::Half => top_of(norm) * half,
        SobolevOrder::One => {
            let theta = (half / ball.radius()).powi(2);
            let slope = ((1.0 - theta) / theta).sqrt() * half / norm.length();
            // no smaller ball holds the curves, and no length is 0
            if !(theta < 1.0 && slope.is_finite()) {
                return false;
            }
            SlopeBody::of(half, slope).radius
        }
    };
    is_centered && close(ball.radius(), radius, radius)
}

/// The ellipsoid that holds every curve of two public bounds, and has the least noise.
///
/// A curve whose root-mean-square distance from the centre is at most `tau`, and whose root-mean-square slope about it is at
/// most `L`, lies in
///
/// ```text
/// theta |z|^2 / tau^2 + (1 - theta) |z'|^2 / L^2 <= 1    for every theta in [0, 1],
/// ```
///
/// which is the ball of radius `tau / sqrt(theta)` of the Sobolev norm of order one and length `l`,
/// `l^2 = (1 - theta) / theta tau^2 / L^2`. The energy of the noise in coordinate `j` is proportional to
/// `1 / (theta / tau^2 + (1 - theta) g_j / L^2)`; `theta` makes the sum over the first 20 waves smallest, `g_j = (pi j)^2`. No
/// other body that holds these curves has less noise there (`docs/proofs/bodies.md`, Theorem 2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SlopeBody {
    /// The radius in the Sobolev norm.
    pub(crate) radius: f64,
    /// The length as a part of the domain; 0 where the slope says nothing.
    pub(crate) length: f64,
}

/// The number of waves whose noise is made smallest.
const SMOOTH_WAVES: usize = 20;

impl SlopeBody {
    /// The body of two bounds, the slope in data units for the whole domain.
    pub(crate) fn of(radius: f64, slope: f64) -> Self {
        let frequencies: Vec<f64> = (0..SMOOTH_WAVES).map(|j| (std::f64::consts::PI * j as f64).powi(2)).collect();
        let theta = share_of_distance(&frequencies, radius, slope);
        Self { radius: radius / theta.sqrt(), length: ((1.0 - theta) / theta).sqrt() * (radius / slope) }
    }
}

/// The `theta` that makes `sum_j 1 / (theta / tau^2 + (1 - theta) g_j / L^2)` smallest: convex in `theta`, by bisection.
pub(crate) fn share_of_distance(squared_frequencies: &[f64], tau: f64, slope: f64) -> f64 {
    // in units of tau
    let relative: Vec<f64> = squared_frequencies.iter().map(|g| g * (tau / slope) * (tau / slope)).collect();
    let falls = |theta: f64| {
        let change = relative.iter().map(|g| (1.0 - g) / (theta + (1.0 - theta) * g).powi(2));
        change.sum::<f64>() > 0.0
    };
    if falls(1.0) {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    // down to the last bit
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if falls(middle) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
