//! The document of a released mean surface.

use dpfda_kernels::{Grid, SurfaceGrid};
use dpfda_mechanism::{Documented, Fact, ReadError, Release, close, demand, exact};
use dpfda_smoothing::Ball;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::mean::second_moments::{SecondMoments, SecondMomentsDerived};
use crate::mean::{Mean, check_bought};
use crate::purchase::in_ball::InBall;

#[cfg(test)]
#[path = "rectangle_tests.rs"]
mod tests;

/// The mean of surfaces: one over a rectangle.
pub type Surface = Mean<SurfaceGrid>;

/// The axes of a rectangle; `None` for a line.
pub(crate) fn fact(axes: &[Grid]) -> Option<Fact> {
    let [s, t] = axes else { return None };
    let axis = |name: &str, axis: &Grid| {
        let (points, lower, upper) = (axis.len(), exact(axis.lower()), exact(axis.upper()));
        format!("{points} values of {name} from {lower} to {upper}")
    };
    let text = format!("surfaces on {} and {}", axis("s", s), axis("t", t));
    Some(Fact::new("grid", text).captioned(format!("{} x {} points", s.len(), t.len())))
}

impl Documented for Surface {
    type Derived = SurfaceDerived;
    type Estimate = IgnoredAny;

    fn derived(release: &Release<Self>) -> SurfaceDerived {
        let statistic = release.statistic();
        SurfaceDerived {
            ball: statistic.bought().map(|_| statistic.ball().clone()),
            units: release.units(),
            noise_scale: statistic.whitened(release).1,
            lattice_step: statistic.lattice_step(),
            second_moments: SecondMoments::of(release).as_ref().map(SecondMomentsDerived::of),
        }
    }

    fn consistent(release: &Release<Self>, derived: &SurfaceDerived) -> Result<(), ReadError> {
        Self::check_mechanism(release.mechanism())?;
        check_bought(release.statistic(), derived.ball.as_ref(), release.statistic().grid())?;
        let expected = Self::derived(release);
        let same = |a: f64, b: f64| close(a, b, b.abs());
        demand("derived.units", same(derived.units, expected.units))?;
        demand("derived.noise_scale", same(derived.noise_scale, expected.noise_scale))?;
        demand("derived.lattice_step", same(derived.lattice_step, expected.lattice_step))?;
        SecondMomentsDerived::check(derived.second_moments.as_ref(), expected.second_moments.as_ref())
    }
}

/// Numbers that follow from a release, for readers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceDerived {
    /// Where a part of it was bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<Ball>,
    units: f64,
    noise_scale: f64,
    lattice_step: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second_moments: Option<SecondMomentsDerived>,
}
