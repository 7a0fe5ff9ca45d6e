//! A released mean surface with its provenance.

use std::ops::Deref;

use dpfda_mechanism::{ReadError, Release, close, demand};
use dpfda_privacy::Law;
use ndarray::Array2;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::surface::Surface;

/// The published mean of surfaces. Everything in it may be shown to anybody.
///
/// What was drawn, its guarantee and its provenance are those of the [`Release`] that it dereferences to.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceRelease(Release<Surface>);

impl From<Release<Surface>> for SurfaceRelease {
    fn from(release: Release<Surface>) -> Self {
        Self(release)
    }
}

impl Deref for SurfaceRelease {
    type Target = Release<Surface>;

    fn deref(&self) -> &Release<Surface> {
        &self.0
    }
}

impl SurfaceRelease {
    /// The noisy mean as a deviation from the centre, a row for each `s`: `sqrt(w_i v_j) (Y - c)(s_i, t_j)`. The noise of each number
    /// has the standard deviation [`SurfaceRelease::noise_scale`].
    pub fn whitened(&self) -> Array2<f64> {
        self.statistic().whitened(&self.0).0
    }

    /// `sigma`: the noise of the mean is `sigma` times white noise on the rectangle, in data units.
    pub fn noise_scale(&self) -> f64 {
        self.statistic().whitened(&self.0).1
    }

    /// The release as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.0.to_json_with(Some(&SurfaceDerived::of(self)))
    }

    /// The release as a JSON document, with an estimate that was made of it.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json_with_estimate<E: Serialize>(&self, estimate: &E) -> Result<String, serde_json::Error> {
        self.0.to_json_with_estimate(&SurfaceDerived::of(self), estimate)
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    ///
    /// # Errors
    /// [`ReadError`] with the reason.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Ok(Self::from_json_with_estimate::<IgnoredAny>(json)?.0)
    }

    /// The same with the estimate of the document, where it has one, for a reader that knows how estimates are made.
    ///
    /// # Errors
    /// [`ReadError`]
    pub fn from_json_with_estimate<E: DeserializeOwned>(json: &str) -> Result<(Self, Option<E>), ReadError> {
        let (release, derived, estimate) = Release::<Surface>::from_json_with_estimate::<SurfaceDerived, E>(json)?;
        let is_whole = matches!(release.mechanism().law(), Law::Gaussian { share, .. } if share.is_whole());
        demand("noise.law", is_whole)?;
        demand("statistic.ball.bounds", release.statistic().ball().is_of_its_bounds())?;
        let release = Self(release);
        derived.ok_or(ReadError::Contradiction { field: "derived" })?.check(&release)?;
        Ok((release, estimate))
    }
}

/// Numbers that follow from a release, for readers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurfaceDerived {
    units: f64,
    noise_scale: f64,
    lattice_step: f64,
}

impl SurfaceDerived {
    fn of(release: &SurfaceRelease) -> Self {
        let (noise_scale, lattice_step) = (release.noise_scale(), release.statistic().lattice_step());
        Self { units: release.units(), noise_scale, lattice_step }
    }

    fn check(&self, release: &SurfaceRelease) -> Result<(), ReadError> {
        let derived = Self::of(release);
        let same = |a: f64, b: f64| close(a, b, b.abs());
        demand("derived.units", same(self.units, derived.units))?;
        demand("derived.noise_scale", same(self.noise_scale, derived.noise_scale))?;
        demand("derived.lattice_step", same(self.lattice_step, derived.lattice_step))
    }
}
