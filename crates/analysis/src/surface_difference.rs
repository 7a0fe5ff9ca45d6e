//! Two mean surfaces of different people: their difference with a band.

use dpfda_kernels::SurfaceGrid;
use ndarray::Array2;

use crate::band::Band;
use crate::error::{AnalysisError, check_level};
use crate::estimated_surface::EstimatedSurface;
use crate::features::Feature;
use crate::posterior::contrast::Uncertain;
use crate::surface_estimate::SurfaceBand;

#[cfg(test)]
#[path = "surface_difference_tests.rs"]
mod tests;

/// The difference of the mean surfaces of two populations, from two releases on the same grid.
///
/// ```text
/// d = f_A - f_B,    sd^2 = sd_A^2 + tau_A^2 / N_A + sd_B^2 + tau_B^2 / N_B,    half-width = Sidak_n sd(s, t),    n the number of points
/// ```
///
/// `f` is the posterior mean of a release, and each half of `sd^2` is the variance of its population band. The noise of two releases is
/// independent. That they are of different people is the user's word: for people who are in both, the sampling part of the band is not
/// right. The releases may have any balls and budgets. Everything here is post-processing.
#[derive(Debug, Clone)]
pub struct SurfaceDifference<'a> {
    sides: [&'a EstimatedSurface; 2],
    bands: [SurfaceBand; 2],
    values: Array2<f64>,
    sd: Array2<f64>,
    level: f64,
}

impl<'a> SurfaceDifference<'a> {
    /// The first mean minus the second, with a simultaneous band of this level for the populations.
    ///
    /// # Errors
    /// [`AnalysisError::OtherGrid`] for releases on different grids, [`AnalysisError::SameRelease`] for one release twice,
    /// [`AnalysisError::Level`] for a level outside (0.5, 0.9999), [`AnalysisError::TooFewRecords`] for fewer than 2 records.
    pub fn new(first: &'a EstimatedSurface, second: &'a EstimatedSurface, level: f64) -> Result<Self, AnalysisError> {
        check_level(level)?;
        let posteriors = [first, second].map(EstimatedSurface::posterior);
        if posteriors[0].grid() != posteriors[1].grid() {
            return Err(AnalysisError::OtherGrid);
        }
        if first.release().coordinates() == second.release().coordinates() {
            return Err(AnalysisError::SameRelease);
        }
        let [one, other] = posteriors.map(|side| SurfaceBand::new(side, &Band::Population, level));
        let bands = [one?, other?];
        let mut sd = posteriors[0].sd().mapv(|posterior| bands[0].sd(posterior));
        sd.zip_mut_with(&posteriors[1].sd(), |sd, posterior| *sd = sd.hypot(bands[1].sd(*posterior)));
        let values = &posteriors[0].values() - &posteriors[1].values();
        Ok(Self { sides: [first, second], bands, values, sd, level })
    }

    /// The points of both releases.
    pub fn grid(&self) -> &SurfaceGrid {
        self.sides[0].posterior().grid()
    }

    /// The first estimate minus the second at the points of the grid, a row for each `s`.
    pub fn values(&self) -> &Array2<f64> {
        &self.values
    }

    /// The standard deviation of everything that the band covers, a row for each `s`.
    pub fn sd(&self) -> &Array2<f64> {
        &self.sd
    }

    /// The difference at any points `(s, t)` of the rectangle, with its standard deviation and its band.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside or not a number.
    pub fn at(&self, points: &[(f64, f64)]) -> Result<Vec<Feature>, AnalysisError> {
        let [first, second] = self.sides.map(|side| side.posterior().at(points));
        let difference = |(first, second): (Uncertain, Uncertain)| {
            let (value, sd) =
                (first.value - second.value, self.bands[0].sd(first.sd).hypot(self.bands[1].sd(second.sd)));
            let half = self.critical() * sd;
            Feature { value, sd, lower: value - half, upper: value + half }
        };
        Ok(first?.into_iter().zip(second?).map(difference).collect())
    }

    /// Both bands have that of their level and number of points.
    fn critical(&self) -> f64 {
        self.bands[0].critical()
    }

    /// The lower end of the band.
    pub fn lower(&self) -> Array2<f64> {
        &self.values - &(&self.sd * self.critical())
    }

    /// The upper end of the band.
    pub fn upper(&self) -> Array2<f64> {
        &self.values + &(&self.sd * self.critical())
    }

    /// The level of the band.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Whether the band leaves out 0 at each point of the grid, a row for each `s`: there the means differ.
    pub fn is_not_zero(&self) -> Array2<bool> {
        let critical = self.critical();
        Array2::from_shape_fn(self.values.dim(), |place| self.values[place].abs() > critical * self.sd[place])
    }
}
