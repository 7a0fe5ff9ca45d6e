//! A released mean surface with its estimate: what documents, figures and summaries show of it.

use std::ops::Deref;

use dpfda_mechanism::{Fact, ReadError, Release, demand, read_part};
use dpfda_release::Surface;
use ndarray::Array2;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::band::Band;
use crate::band::critical::sidak;
use crate::error::AnalysisError;
use crate::estimated_mean::{DEFAULT_LEVEL, PointEstimate};
use crate::features::Feature;
use crate::posterior::contrast::Uncertain;
use crate::posterior::ladder::Ladder;
use crate::surface::axis::{Look, bilinear};
use crate::surface::posterior::SurfacePosterior;
use crate::surface_estimate::{SurfaceBand, SurfaceEstimate, SurfacePoint};

#[cfg(test)]
#[path = "estimated_surface_tests.rs"]
mod tests;

/// A release of surfaces, its posterior, and a band. It dereferences to the release.
#[derive(Debug, Clone)]
pub struct EstimatedSurface {
    release: Release<Surface>,
    posterior: SurfacePosterior,
    estimate: SurfaceEstimate,
}

/// The slopes of an estimate at one point of the rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SurfaceSlopes {
    /// The point on the first axis.
    pub s: f64,
    /// The point on the second axis.
    pub t: f64,
    /// The slope along `s`, in data units for one unit of `s`.
    pub along_s: Feature,
    /// The slope along `t`, in data units for one unit of `t`.
    pub along_t: Feature,
}

impl Deref for EstimatedSurface {
    type Target = Release<Surface>;

    fn deref(&self) -> &Release<Surface> {
        &self.release
    }
}

impl EstimatedSurface {
    /// The estimate of a release, with a band of this level.
    ///
    /// # Errors
    /// [`AnalysisError::BandOfSurface`] for another band than `population`, `posterior` and `noise`, [`AnalysisError::Level`] for a level
    /// outside (0.5, 0.9999), [`AnalysisError::TooFewRecords`] for a population of fewer than 2 noisy records.
    pub fn new(release: Release<Surface>, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let posterior = SurfacePosterior::of(&release, &Ladder::default())?;
        let estimate = SurfaceEstimate::new(&posterior, band, level)?;
        Ok(Self { release, posterior, estimate })
    }

    /// The band of a release where none is asked for: that of the population, or of these people where the noisy number of records is
    /// below 2.
    pub fn default_band(release: &Release<Surface>) -> Band {
        if release.units() < 2.0 { Band::Posterior } else { Band::Population }
    }

    /// The same release with another band: post-processing, at no cost.
    ///
    /// # Errors
    /// As [`EstimatedSurface::new`].
    pub fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let estimate = SurfaceEstimate::new(&self.posterior, band, level)?;
        Ok(Self { release: self.release.clone(), posterior: self.posterior.clone(), estimate })
    }

    /// The release.
    pub fn release(&self) -> &Release<Surface> {
        &self.release
    }

    /// The posterior of the mean of the people in the release.
    pub fn posterior(&self) -> &SurfacePosterior {
        &self.posterior
    }

    /// The estimate at the points of the grid, as it stands in a document.
    pub fn estimate(&self) -> &SurfaceEstimate {
        &self.estimate
    }

    /// The estimate at any points `(s, t)` of the rectangle. Between the points of the grid, `noise_sd` is linear along each axis.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside or not a number.
    pub fn at(&self, points: &[(f64, f64)]) -> Result<Vec<SurfacePoint>, AnalysisError> {
        let band = SurfaceBand::new(&self.posterior, &self.estimate.band, self.estimate.level)?;
        let (found, axes) = (self.posterior.at(points)?, self.posterior.grid().axes());
        let each = points.iter().zip(found).map(|(&(s, t), found)| {
            let noise_sd = bilinear(axes, self.posterior.noise_sd(), (s, t), [Look::Value; 2]);
            let half = band.half(found.sd, noise_sd);
            let (lower, upper) = (found.value - half, found.value + half);
            SurfacePoint { s, t, value: found.value, posterior_sd: found.sd, noise_sd, lower, upper }
        });
        Ok(each.collect())
    }

    /// The slopes of the estimate along both axes at any points `(s, t)`, each with its standard deviation and the interval of the level of
    /// the band.
    ///
    /// ```text
    /// interval = slope +- Phi^-1((1 + level) / 2) sd
    /// ```
    ///
    /// They are about the mean of the people in the release, whichever the band is, and each holds for one number at a time.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside or not a number, [`AnalysisError::NotDifferentiable`] where no kernel that
    /// has weight has slopes.
    pub fn slopes_at(&self, points: &[(f64, f64)]) -> Result<Vec<SurfaceSlopes>, AnalysisError> {
        let critical = sidak(1, 1.0 - self.estimate.level);
        let feature = |Uncertain { value, sd }: Uncertain| {
            let half = critical * sd;
            Feature { value, sd, lower: value - half, upper: value + half }
        };
        let along = [self.posterior.slope_along_s(points)?, self.posterior.slope_along_t(points)?];
        let [along_s, along_t] = along.map(|slopes| slopes.into_iter().map(feature));
        let each = points.iter().zip(along_s.zip(along_t));
        Ok(each.map(|(&(s, t), (along_s, along_t))| SurfaceSlopes { s, t, along_s, along_t }).collect())
    }

    /// The slice at one `s`: the estimate along the points of `t`.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for an `s` outside the domain or not a number.
    pub fn slice_at_s(&self, s: f64) -> Result<Vec<PointEstimate>, AnalysisError> {
        let points: Vec<_> = self.estimate.t.iter().map(|t| (s, *t)).collect();
        Ok(self.at(&points)?.into_iter().map(|point| along(&point, point.t)).collect())
    }

    /// The slice at one `t`: the estimate along the points of `s`, which stand in the field `t` of each.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a `t` outside the domain or not a number.
    pub fn slice_at_t(&self, t: f64) -> Result<Vec<PointEstimate>, AnalysisError> {
        let points: Vec<_> = self.estimate.s.iter().map(|s| (*s, t)).collect();
        Ok(self.at(&points)?.into_iter().map(|point| along(&point, point.s)).collect())
    }

    /// Whether the band leaves out the centre at each point of the grid, a row for each `s`: there the mean can be told from the centre.
    pub fn told_from_centre(&self) -> Array2<bool> {
        let bounds = self.estimate.lower.iter().zip(&self.estimate.upper);
        let told = bounds.zip(self.posterior.center()).map(|((lower, upper), center)| center < lower || center > upper);
        Array2::from_shape_vec(self.posterior.grid().shape(), told.collect())
            .unwrap_or_else(|_| unreachable!("an estimate has a number for each point"))
    }

    /// What the release is and what the estimate promises, in words.
    pub fn facts(&self) -> Vec<Fact> {
        self.release.facts().into_iter().chain(self.facts_of_estimate()).collect()
    }

    /// How the estimate was made, what its band promises, and what should make a reader careful.
    pub fn facts_of_estimate(&self) -> Vec<Fact> {
        self.estimate.facts(&self.posterior)
    }

    /// The release with its estimate as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.release.to_json_with_estimate(&self.estimate)
    }

    /// Reads a release back with its estimate, which must be what the release gives. A document without an estimate gets the
    /// default one.
    ///
    /// # Errors
    /// [`ReadError`] as [`Release::<Surface>::from_json`], and for an estimate that is not of this release.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, estimate) = Release::from_json_with_estimate(json)?;
        Self::stated(release, estimate)
    }

    /// The same for a release that was read already, with the estimate in its document.
    ///
    /// # Errors
    /// As [`EstimatedSurface::from_json`].
    pub fn of_document(release: Release<Surface>, estimate: Option<&RawValue>) -> Result<Self, ReadError> {
        Self::stated(release, read_part(estimate)?)
    }

    fn stated(release: Release<Surface>, estimate: Option<SurfaceEstimate>) -> Result<Self, ReadError> {
        let refused = |_| ReadError::Contradiction { field: "estimate.band" };
        let Some(estimate) = estimate else {
            let band = Self::default_band(&release);
            return Self::new(release, &band, DEFAULT_LEVEL).map_err(refused);
        };
        let derived = Self::new(release, &estimate.band, estimate.level).map_err(refused)?;
        estimate.check(&derived.estimate, derived.posterior.radius())?;
        demand("estimate.level", estimate.level == derived.estimate.level)?;
        Ok(derived)
    }
}

/// A point of a slice, by its place on the axis of the slice.
fn along(point: &SurfacePoint, t: f64) -> PointEstimate {
    let SurfacePoint { value, posterior_sd, noise_sd, lower, upper, .. } = *point;
    PointEstimate { t, value, posterior_sd, noise_sd, lower, upper }
}
