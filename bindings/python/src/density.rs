//! Private densities of points on public bounds.

use dpfda::AnyRelease;
use dpfda::density::{CellDraws, Cells, Histogram, HistogramRelease, PiecewiseDensity, Points, Series};
use dpfda::kinds::{Picture, Published, Shown, resolution};
use dpfda::mechanism::{Digest, Release, Source};
use dpfda::privacy::{GaussianPrivacy, SeededRandomness};
use dpfda_study::{AskedDensity, MechanismName};
use ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::door::{Concerns, Door};
use crate::drawn::{Answer, Shows};
use crate::refusal::{Refusal, attempt};
use crate::released::Released;
use crate::table::Numbers;

/// A released density. Once the noise is drawn, nothing may be lost: a release that cannot be put on cells is kept with the reason.
pub struct DrawnDensity {
    document: String,
    release: AnyRelease,
    density: Result<PiecewiseDensity, Refusal>,
}

/// Releases the density that a study asks for: **spends the budget**.
///
/// # Errors
/// [`Refusal`] before the noise is drawn, and of the ledger.
pub fn release(
    asked: &AskedDensity,
    points: &Points,
    source: Source,
    door: &Door,
    concerns: Concerns,
) -> Result<DrawnDensity, Refusal> {
    let (labels, source) = (asked.labels(), Some(source));
    let of_draws =
        |drawn: CellDraws| AnyRelease::Draws(Box::new(drawn.labelled(labels.clone()).read_from(source.clone())));
    match asked.mechanism {
        // a density has no other
        MechanismName::Perturbed | MechanismName::Isonormal | MechanismName::CameronMartin => {
            let drawn: Release<Histogram> = door.draw(asked.histogram(points)?.prepare(points)?, concerns)?;
            let release = HistogramRelease::from(drawn.labelled(labels).read_from(source));
            // cells that nobody asked for are merged by the estimated risk, a function of the noisy counts
            let merged = if asked.cells.is_some() { None } else { attempt(|| Ok(release.merged_by_risk())).ok() };
            DrawnDensity::of(AnyRelease::Histogram(Box::new(merged.unwrap_or(release))), None)
        }
        MechanismName::Smoothed => {
            DrawnDensity::of(of_draws(door.draw(asked.smoothed(points)?.prepare(points)?, concerns)?), None)
        }
        MechanismName::Exponential => {
            DrawnDensity::of(of_draws(door.draw(asked.exponential(points)?.prepare(points)?, concerns)?), None)
        }
        MechanismName::Series | MechanismName::SeriesExponential => {
            let drawn: Release<Series> = door.draw(asked.series()?.prepare(points)?, concerns)?;
            let release = drawn.labelled(labels).read_from(source).into();
            DrawnDensity::of(AnyRelease::Series(Box::new(release)), Some(asked.cells_of_series()?))
        }
    }
}

impl TryFrom<AnyRelease> for DrawnDensity {
    type Error = Refusal;

    fn try_from(release: AnyRelease) -> Result<Self, Refusal> {
        Self::of(release, None)
    }
}

impl DrawnDensity {
    fn of(release: AnyRelease, cells: Option<Cells>) -> Result<Self, Refusal> {
        if !matches!(release, AnyRelease::Histogram(_) | AnyRelease::Draws(_) | AnyRelease::Series(_)) {
            return Err(Refusal::of_other_kind());
        }
        let density = attempt(|| match &release {
            AnyRelease::Histogram(release) => Ok(release.density().clone()),
            AnyRelease::Draws(release) => Ok(release.empirical()),
            AnyRelease::Series(release) => {
                let per_axis = cells.map_or_else(|| resolution(release.bounds().dimension()), |cells| cells.per_axis());
                Ok(release.density().piecewise(per_axis)?)
            }
            _ => Err(Refusal::of_other_kind()),
        });
        Ok(Self { document: release.published().to_json()?, release, density })
    }

    fn density(&self) -> Result<&PiecewiseDensity, Refusal> {
        let none = |reason: &Refusal| Refusal::new("release", format!("the release has no cells: {}", reason.text()));
        self.density.as_ref().map_err(none)
    }
}

impl Shows for DrawnDensity {
    fn published(&self) -> &dyn Published {
        self.release.published()
    }

    fn privacy(&self) -> Option<GaussianPrivacy> {
        match &self.release {
            AnyRelease::Histogram(release) => release.privacy(),
            AnyRelease::Series(release) => release.privacy(),
            _ => None,
        }
    }

    fn to_json(&self) -> Result<String, Refusal> {
        Ok(self.document.clone())
    }

    fn shown(&self) -> Result<Shown, Refusal> {
        let mut shown = self.published().shown(None).map_err(|error| Refusal::of_document(&error))?;
        if let Picture::Density { density, .. } = &mut shown.picture {
            **density = self.density()?.clone();
        }
        Ok(shown)
    }
}

/// The density in a release.
fn of(release: &Released) -> Result<&DrawnDensity, Refusal> {
    if let Answer::Density(drawn) = &release.answer { Ok(drawn) } else { Err(Refusal::of_other_kind()) }
}

/// The ends of every axis, the number of cells along each, and the probability of every cell.
type Shape<'py> = (Vec<(f64, f64)>, usize, Bound<'py, PyArray1<f64>>);

/// The cells of a density, with their probabilities.
#[pyfunction]
pub fn cells<'py>(py: Python<'py>, release: &Released) -> Result<Shape<'py>, Refusal> {
    let density = of(release)?.density()?;
    let (cells, bounds) = (density.cells(), density.cells().bounds());
    let axes = (0..bounds.dimension()).map(|axis| bounds.axis(axis)).collect();
    Ok((axes, cells.per_axis(), density.probabilities().to_vec().into_pyarray(py)))
}

/// The density at points.
#[pyfunction]
pub fn density_at<'py>(
    py: Python<'py>,
    release: &Released,
    points: Numbers<'py>,
) -> Result<Bound<'py, PyArray1<f64>>, Refusal> {
    let (points, density) = (points.public()?, of(release)?.density()?);
    let axes = density.cells().bounds().dimension();
    if points.ncols() != axes {
        return Err(Refusal::new("points", format!("the density has {axes} axes: give one column for each")));
    }
    let at: Vec<f64> = points.rows().into_iter().map(|point| density.at(&point.to_vec())).collect();
    Ok(at.into_pyarray(py))
}

/// The value below which a share of the distribution lies.
#[pyfunction]
pub fn quantile(release: &Released, share: f64) -> Result<f64, Refusal> {
    of(release)?.density()?.quantile(share).map_err(|error| Refusal::from(error).at("share"))
}

/// Synthetic points: a draw from the released density, or the draws themselves where the mechanism draws.
#[pyfunction]
#[pyo3(signature = (release, count))]
pub fn synthetic_points<'py>(
    py: Python<'py>,
    release: &Released,
    count: Option<usize>,
) -> Result<Bound<'py, PyArray2<f64>>, Refusal> {
    let drawn = of(release)?;
    let mut public = after(&drawn.document);
    let points: Array2<f64> = match (&drawn.release, count) {
        (AnyRelease::Draws(release), None) => CellDraws::points(release, &mut public),
        (AnyRelease::Draws(_), Some(_)) => {
            return Err(Refusal::new("count", "the number of draws is part of this mechanism: leave count out"));
        }
        (AnyRelease::Series(release), Some(count)) => release.density().draw(count, &mut public),
        (_, Some(count)) => drawn.density()?.draw(count, &mut public),
        (_, None) => return Err(Refusal::new("count", "say how many points to draw")),
    };
    Ok(points.into_pyarray(py))
}

/// Public randomness that follows from a release, so that everybody draws the same points.
fn after(document: &str) -> SeededRandomness {
    let digest = Digest::of(document.as_bytes()).to_string();
    SeededRandomness::from_seed(u64::from_str_radix(&digest[..16], 16).unwrap_or_default())
}
