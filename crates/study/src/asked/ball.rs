//! The public ball of a study, and the shares of the budget that buy a smaller one.

use std::path::Path;

use dpfda::kernels::Grid;
use dpfda::mechanism::{Want, Wanted};
use dpfda::smoothing::{Ball, Center, PublicCurve, PublicCurveError};

use crate::refusal::Refusal;
use crate::sections::{Bound, Sections};
use crate::values::{CenterValue, Share};

/// What is known of every curve: bounds, or a centre and a radius.
#[derive(Debug, Clone)]
pub enum PublicBall {
    /// The least and the largest value.
    Within(f64, f64),
    /// A centre that is the same everywhere, and a radius.
    About(f64, f64),
    /// A centre that is a curve, a radius, and the file of the curve.
    AboutCurve(PublicCurve, f64, String),
}

impl Sections {
    /// The public ball, checked as far as it can be before the grid is known.
    ///
    /// # Errors
    /// [`Refusal`] without one, and for a radius or bounds that no ball has.
    pub fn ball(&self) -> Result<PublicBall, Refusal> {
        self.check_ball()?;
        let Bound { bounds, center, radius, .. } = &self.bound;
        let ball = match (bounds.as_deref(), center) {
            (Some([lower, upper]), _) => PublicBall::Within(*lower, *upper),
            (_, Some(CenterValue::Curve(curve, file))) => {
                PublicBall::AboutCurve(curve.clone(), radius.unwrap_or(f64::NAN), named(file.as_deref()))
            }
            (_, Some(CenterValue::Constant(value))) => PublicBall::About(*value, radius.unwrap_or(f64::NAN)),
            (_, Some(CenterValue::File(_)) | None) => unreachable!("a checked study has the values of its centre"),
        };
        ball.check()?;
        Ok(ball)
    }

    /// What of the ball is bought, as far as it was said.
    ///
    /// # Errors
    /// [`Refusal`] for a share that is none.
    pub fn wanted(&self) -> Result<Wanted, Refusal> {
        let Bound { radius_share, center_share, expected, roughness, .. } = self.bound;
        let want = |setting: &'static str, share: Option<Share>| match share {
            None => Ok(Want::Usual),
            Some(Share::None) => Ok(Want::Nothing),
            Some(Share::Of(value)) => Want::with(value).map_err(|error| {
                let usual = "shares from 0.02 to 0.1 are usual; none buys nothing";
                Refusal::of(setting, error.to_string()).instead(usual)
            }),
        };
        let center = want("center_share", center_share)?;
        let radius = want("radius_share", radius_share)?;
        if expected.is_some() && center != Want::Usual && radius != Want::Usual {
            return Err(unused_number());
        }
        let is_plain = roughness == Some(0.0) || self.estimate.needs_white_noise();
        Ok(Wanted { center, radius, expected: expected.map(|number| number as u64), is_plain, needs_radius: false })
    }
}

/// A public curve on a grid: interpolated linearly, and not extrapolated.
fn curve_on(curve: &PublicCurve, file: &str, grid: &Grid) -> Result<Center, Refusal> {
    let values = curve.on(grid).map_err(|error| {
        let more = if matches!(error, PublicCurveError::DoesNotCover { .. }) { " (see {grid})" } else { "" };
        Refusal::of("center", format!("{file}: {error}{more}"))
            .instead("give a number in the units of the data, or a CSV file with the columns t,value")
    });
    Ok(Center::Curve(values?))
}

/// A centre of a checked study on a grid.
///
/// # Errors
/// [`Refusal`] for a curve that does not cover it.
pub(crate) fn center_on(center: &CenterValue, grid: &Grid) -> Result<Center, Refusal> {
    match center {
        CenterValue::Constant(value) => Ok(Center::Constant(*value)),
        CenterValue::Curve(curve, file) => curve_on(curve, &named(file.as_deref()), grid),
        CenterValue::File(_) => unreachable!("a checked study has the values of its centre"),
    }
}

fn named(file: Option<&Path>) -> String {
    file.unwrap_or(Path::new("the centre")).display().to_string().escape_debug().to_string()
}

/// Refuses a number that nothing follows.
pub(crate) fn unused_number() -> Refusal {
    let why = "no share of this release follows the number of people that you expect";
    Refusal::of("expected", why).instead("leave {expected} out")
}

impl PublicBall {
    /// The bounds, where they were given.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        if let Self::Within(lower, upper) = *self { Some((lower, upper)) } else { None }
    }

    /// The stated radius: half of the distance between bounds.
    pub fn radius(&self) -> f64 {
        match *self {
            Self::Within(lower, upper) => upper / 2.0 - lower / 2.0,
            Self::About(_, radius) | Self::AboutCurve(_, radius, _) => radius,
        }
    }

    /// The centre, where it is a number; 0 of one that is a curve.
    pub(crate) fn level(&self) -> f64 {
        match *self {
            Self::Within(lower, upper) => upper / 2.0 + lower / 2.0,
            Self::About(center, _) => center,
            Self::AboutCurve(..) => 0.0,
        }
    }

    /// Whether it is the same at every point.
    pub fn is_constant(&self) -> bool {
        !matches!(self, Self::AboutCurve(..))
    }

    fn check(&self) -> Result<(), Refusal> {
        let constant = match *self {
            Self::AboutCurve(_, radius, _) => Self::About(0.0, radius),
            Self::Within(..) | Self::About(..) => self.clone(),
        };
        constant.constant().map(|_| ())
    }

    /// The ball on any domain, of a centre that is a number.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that is a curve.
    pub fn constant(&self) -> Result<Ball, Refusal> {
        Ok(match *self {
            Self::Within(lower, upper) => Ball::within(lower, upper)?,
            Self::About(center, radius) => Ball::new(Center::Constant(center), radius)?,
            Self::AboutCurve(..) => {
                let instead = "give one that is near most values, such as {center} 0.5";
                return Err(Refusal::of("center", "the centre of surfaces is a number").instead(instead));
            }
        })
    }

    /// The ball on a grid; a curve is interpolated linearly and not extrapolated.
    ///
    /// # Errors
    /// [`Refusal`] for a curve that does not cover the grid.
    pub fn on(&self, grid: &Grid) -> Result<Ball, Refusal> {
        let Self::AboutCurve(curve, radius, file) = self else { return self.constant() };
        Ok(Ball::new(curve_on(curve, file, grid)?, *radius)?)
    }
}
