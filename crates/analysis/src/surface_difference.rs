//! Two mean surfaces of different people: their difference with a band.

use dpfda_kernels::SurfaceGrid;
use ndarray::Array2;

use crate::band::{Band, check_level};
use crate::error::AnalysisError;
use crate::estimated_surface::EstimatedSurface;
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
pub struct SurfaceDifference {
    grid: SurfaceGrid,
    values: Array2<f64>,
    sd: Array2<f64>,
    critical: f64,
    level: f64,
}

impl SurfaceDifference {
    /// The first mean minus the second, with a simultaneous band of this level for the populations.
    ///
    /// # Errors
    /// [`AnalysisError::OtherGrid`] for releases on different grids, [`AnalysisError::SameRelease`] for one release twice,
    /// [`AnalysisError::Level`] for a level outside (0.5, 0.9999), [`AnalysisError::TooFewRecords`] for fewer than 2 records.
    pub fn new(first: &EstimatedSurface, second: &EstimatedSurface, level: f64) -> Result<Self, AnalysisError> {
        check_level(level)?;
        let sides = [first, second].map(EstimatedSurface::posterior);
        let grid = sides[0].grid();
        if grid != sides[1].grid() {
            return Err(AnalysisError::OtherGrid);
        }
        if first.release().coordinates() == second.release().coordinates() {
            return Err(AnalysisError::SameRelease);
        }
        let [one, other] = sides.map(|side| SurfaceBand::new(side, &Band::Population, level));
        let (one, other) = (one?, other?);
        let mut sd = Array2::zeros(grid.shape());
        for (side, band) in sides.into_iter().zip([one, other]) {
            sd.zip_mut_with(&side.sd(), |sd: &mut f64, posterior| *sd = sd.hypot(band.sd(*posterior)));
        }
        let values = &sides[0].values() - &sides[1].values();
        Ok(Self { grid: grid.clone(), values, sd, critical: one.critical(), level })
    }

    /// The points of both releases.
    pub fn grid(&self) -> &SurfaceGrid {
        &self.grid
    }

    /// The first estimate minus the second at the points of the grid, a row for each `s`.
    pub fn values(&self) -> &Array2<f64> {
        &self.values
    }

    /// The standard deviation of everything that the band covers, a row for each `s`.
    pub fn sd(&self) -> &Array2<f64> {
        &self.sd
    }

    /// The lower end of the band.
    pub fn lower(&self) -> Array2<f64> {
        &self.values - &(&self.sd * self.critical)
    }

    /// The upper end of the band.
    pub fn upper(&self) -> Array2<f64> {
        &self.values + &(&self.sd * self.critical)
    }

    /// The level of the band.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Whether the band leaves out 0 at each point of the grid, a row for each `s`: there the means differ.
    pub fn is_not_zero(&self) -> Array2<bool> {
        let mut differs = Array2::from_elem(self.values.dim(), false);
        ndarray::Zip::from(&mut differs).and(&self.values).and(&self.sd).for_each(|differs, value, sd| {
            *differs = value.abs() > self.critical * sd;
        });
        differs
    }
}
