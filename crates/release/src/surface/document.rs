//! The document of a released mean surface.

use dpfda_mechanism::{Documented, ReadError, Release, close, demand};
use dpfda_privacy::Law;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::surface::Surface;

impl Documented for Surface {
    type Derived = SurfaceDerived;
    type Estimate = IgnoredAny;

    fn derived(release: &Release<Self>) -> SurfaceDerived {
        SurfaceDerived::of(release)
    }

    fn consistent(release: &Release<Self>, derived: &SurfaceDerived) -> Result<(), ReadError> {
        demand("noise.law", matches!(release.mechanism().law(), Law::Gaussian { .. }))?;
        demand("statistic.ball.bounds", release.statistic().ball().is_of_its_bounds())?;
        derived.check(release)
    }
}

/// Numbers that follow from a release, for readers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceDerived {
    units: f64,
    noise_scale: f64,
    lattice_step: f64,
}

impl SurfaceDerived {
    fn of(release: &Release<Surface>) -> Self {
        let (noise_scale, lattice_step) = (release.statistic().whitened(release).1, release.statistic().lattice_step());
        Self { units: release.units(), noise_scale, lattice_step }
    }

    fn check(&self, release: &Release<Surface>) -> Result<(), ReadError> {
        let derived = Self::of(release);
        let same = |a: f64, b: f64| close(a, b, b.abs());
        demand("derived.units", same(self.units, derived.units))?;
        demand("derived.noise_scale", same(self.noise_scale, derived.noise_scale))?;
        demand("derived.lattice_step", same(self.lattice_step, derived.lattice_step))
    }
}
