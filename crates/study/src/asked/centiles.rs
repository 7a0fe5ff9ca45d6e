//! The centile curves that a study asks for.

use dpfda::kernels::Grid;
use dpfda::release::{Centiles, DEFAULT_CENTILES, PrivateCentiles, ReleaseError};
use dpfda::smoothing::{Ball, Center, CurveLayout};

use crate::asked::ball::{PublicBall, center_on};
use crate::asked::band::BandChoice;
use crate::checked::Checked;
use crate::refusal::Refusal;

/// The centile curves that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedCentiles<'a> {
    pub(crate) study: &'a Checked,
    bounds: (f64, f64),
    /// The band around all curves.
    pub band: BandChoice,
}

impl<'a> AskedCentiles<'a> {
    /// Refuses what can be refused without the data.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &'a Checked) -> Result<Self, Refusal> {
        // the rules demand two bounds
        let bounds = match study.bound.bounds.as_deref() {
            Some([lower, upper]) => (*lower, *upper),
            _ => (f64::NAN, f64::NAN),
        };
        let asked = Self { study, bounds, band: BandChoice::check(&study.estimate)? };
        study.calibrated()?;
        study.wanted()?;
        // what every grid refuses is refused before the table is read
        let points = Grid::uniform(0.0, 1.0, 2)?;
        let center = if asked.public_ball().is_constant() { asked.center(&points)? } else { None };
        let ball = asked.ball_about(center, &points)?;
        Centiles::new(ball, points, None, asked.shown()).map_err(ReleaseError::from)?;
        Ok(asked)
    }

    /// How the columns of a file are read.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn layout(&self) -> Result<CurveLayout, Refusal> {
        self.study.table.curves()
    }

    /// What values lie between.
    pub fn public_ball(&self) -> PublicBall {
        PublicBall::Within(self.bounds.0, self.bounds.1)
    }

    /// The centiles that are shown, in percent.
    pub fn shown(&self) -> Vec<f64> {
        self.study.centiles.centiles.clone().unwrap_or_else(|| DEFAULT_CENTILES.to_vec())
    }

    /// The private centiles on a grid.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that does not cover the grid.
    pub fn private_centiles(&self, grid: &Grid) -> Result<PrivateCentiles, Refusal> {
        let study = self.study;
        let ball = self.ball_about(self.center(grid)?, grid)?;
        Ok(PrivateCentiles::new(ball, study.calibrated()?)
            .showing(self.shown())
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration())
            .wanting(study.wanted()?))
    }

    fn center(&self, grid: &Grid) -> Result<Option<Center>, Refusal> {
        self.study.bound.center.as_ref().map(|center| center_on(center, grid)).transpose()
    }

    fn ball_about(&self, center: Option<Center>, grid: &Grid) -> Result<Ball, Refusal> {
        let ball = Centiles::ball_within(self.bounds, center, self.study.bound.radius, grid);
        Ok(ball.map_err(ReleaseError::from)?)
    }
}
