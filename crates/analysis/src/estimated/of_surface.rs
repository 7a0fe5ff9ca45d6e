//! The estimate of a released mean surface.

use dpfda_mechanism::{Fact, Release};
use dpfda_release::{Surface, stated_by_default};
use ndarray::Array2;
use serde::Serialize;

use super::means::Banded;
use super::{Estimable, Estimated};
use crate::band::Band;
use crate::error::AnalysisError;
use crate::estimate::PointEstimate;
use crate::estimate::document::EstimateDocument;
use crate::features::{Features, Slope};
use crate::posterior::ladder::Ladder;
use crate::surfaces::surface_posterior::SurfacePosterior;

#[cfg(test)]
#[path = "of_surface_tests.rs"]
mod tests;

impl Estimable for Surface {
    type View = Release<Surface>;
    type Means = Banded<SurfacePosterior>;
    type Document = EstimateDocument;

    fn means(release: &Release<Surface>, band: &Band, level: f64) -> Result<Self::Means, AnalysisError> {
        Banded::new(SurfacePosterior::of(release, &Ladder::default())?, band, level)
    }

    fn default_band(release: &Release<Surface>) -> Band {
        if release.units() < 2.0 { Band::Posterior } else { Band::Population }
    }

    fn facts_of_estimate(release: &Release<Surface>, mean: &Self::Means) -> Vec<Fact> {
        // a figure names its axes as it likes, and its caption no kernel along them
        let in_figures = |fact: Fact| match fact.name {
            "estimate" => Fact { caption: vec![fact.brief.clone()], ..fact },
            _ => fact,
        };
        stated_by_default(release).into_iter().chain(mean.facts().into_iter().map(in_figures)).collect()
    }
}

/// The slopes of an estimate about one point of the rectangle, each over a tenth of its axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SurfaceSlopes {
    /// The point on the first axis.
    pub s: f64,
    /// The point on the second axis.
    pub t: f64,
    /// The slope along `s`, in data units for one unit of `s`.
    pub along_s: Slope,
    /// The slope along `t`, in data units for one unit of `t`.
    pub along_t: Slope,
}

impl Estimated<Surface> {
    /// The slopes of the slices through points `(s, t)`, each over a tenth of its axis, from the band alone: they are about what the
    /// band is about, and hold for all points of the grid at once ([`Features`](crate::Features)).
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside or not a number.
    pub fn slopes_at(&self, points: &[(f64, f64)]) -> Result<Vec<SurfaceSlopes>, AnalysisError> {
        let only = |features: Features, at: f64| Ok::<_, AnalysisError>(features.slopes(&[at], None)?[0]);
        let slopes = |&(s, t): &(f64, f64)| {
            let along_s = only(self.mean().features_at_t(t)?, s)?;
            Ok(SurfaceSlopes { s, t, along_s, along_t: only(self.mean().features_at_s(s)?, t)? })
        };
        points.iter().map(slopes).collect()
    }
}

/// What the estimate of a surface says.
impl Banded<SurfacePosterior> {
    /// The slice at one `s`: the estimate along the points of `t`.
    pub fn slice_at_s(&self, s: f64) -> Result<Vec<PointEstimate<f64>>, AnalysisError> {
        let points: Vec<_> = self.population().grid().axes()[1].points().iter().map(|t| (s, *t)).collect();
        Ok(self.at(&points)?.into_iter().map(|point| point.moved(point.at.1)).collect())
    }

    /// The slice at one `t`: the estimate along the points of `s`.
    pub fn slice_at_t(&self, t: f64) -> Result<Vec<PointEstimate<f64>>, AnalysisError> {
        let points: Vec<_> = self.population().grid().axes()[0].points().iter().map(|s| (*s, t)).collect();
        Ok(self.at(&points)?.into_iter().map(|point| point.moved(point.at.0)).collect())
    }

    /// Whether the band leaves out the centre at each point of the grid, a row for each `s`: there the mean can be told from the centre.
    pub fn told_from_centre(&self) -> Array2<bool> {
        let bounds = self.estimate().lower.iter().zip(&self.estimate().upper);
        let told =
            bounds.zip(self.population().center()).map(|((lower, upper), center)| center < lower || center > upper);
        Array2::from_shape_vec(self.population().grid().shape(), told.collect())
            .unwrap_or_else(|_| unreachable!("an estimate has a number for each point"))
    }
}
