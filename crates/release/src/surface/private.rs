//! From surfaces of people to a private release of their mean.

use dpfda_kernels::SurfaceGrid;
use dpfda_mechanism::{Mechanism, Prepared, Release, Terms};
use dpfda_privacy::{PrivacyUnit, Randomness};
use dpfda_smoothing::{Ball, CurveSet};

use crate::coordinates::encode::CurveRecord;
use crate::release_error::ReleaseError;
use crate::surface::Surface;
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

/// The private mean of surfaces on a common grid, for substitute-one or add/remove-one.
///
/// ```text
/// Y = c + (1/N) sum_i P(X_i - c) + sigma W,    sigma = 2 tau / (N mu) under substitute-one
/// ```
///
/// `W` is white noise on the rectangle: bound and noise are those of a curve. Each row of a set is a surface in row-major order:
/// the values of the first `s` for all `t`, then those of the second. Missing values are filled within the surface, along `t` first.
///
/// # Examples
/// ```
/// use dpfda_kernels::{Grid, SurfaceGrid};
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::PrivateSurface;
/// use dpfda_smoothing::{Ball, Center, CurveSet};
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 8)?, Grid::uniform(0.0, 24.0, 12)?)?;
/// let values = Array2::from_shape_fn((500, grid.len()), |(i, j)| ((i + j) % 9) as f64 / 9.0);
/// let surfaces = CurveSet::new(grid.places()?, values)?;
/// let ball = Ball::new(Center::Constant(0.5), 0.5)?;
/// let private_mean = PrivateSurface::new(ball, grid, PrivacyBudget::new(1.0, 1e-5)?);
/// let release = private_mean.release(&surfaces, &mut SystemRandomness::new()?)?;
/// assert_eq!(release.statistic().whitened(&release).0.dim(), (8, 12));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateSurface {
    ball: Ball,
    grid: SurfaceGrid,
    terms: Terms,
}

on_terms!(PrivateSurface: neighbours calibration);

impl PrivateSurface {
    /// The mean of surfaces on this grid, each projected on this ball.
    pub fn new(ball: Ball, grid: SurfaceGrid, terms: impl Into<Terms>) -> Self {
        Self { ball, grid, terms: terms.into() }
    }

    /// The public plan.
    ///
    /// # Errors
    /// [`ReleaseError`] for a centre with another number of values than the grid has points, and a budget without noise for it.
    pub fn mechanism(&self, unit: PrivacyUnit) -> Result<Mechanism<Surface>, ReleaseError> {
        let surface = Surface::new(self.ball.clone(), self.grid.clone())?;
        Ok(Mechanism::new(surface, self.terms.clone().unit(unit))?)
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError`]; in particular for rows that do not have one value for each point of the surface. Nothing has been drawn or
    /// spent then.
    pub fn prepare(&self, surfaces: &CurveSet) -> Result<Prepared<Surface>, ReleaseError> {
        let mechanism = self.mechanism(surfaces.unit())?;
        let bounded = self.ball.bound_surfaces(surfaces, &self.grid)?;
        Ok(mechanism.prepare_all(CurveRecord::all(&bounded))?)
    }

    /// Releases the mean surface: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// As [`PrivateSurface::prepare`].
    pub fn release<R: Randomness + ?Sized>(
        &self,
        surfaces: &CurveSet,
        randomness: &mut R,
    ) -> Result<Release<Surface>, ReleaseError> {
        Ok(self.prepare(surfaces)?.draw_unrecorded(randomness))
    }
}
