//! The centile curves that a study asks for.

use dpfda::kernels::Grid;
use dpfda::release::{
    Centiles, DEFAULT_BINS, DEFAULT_CENTILES, LongRows, MOST_POINTS_OF_ROWS, PrivateCentiles, ReleaseError, RowsError,
};
use dpfda::smoothing::{Ball, Center, CurveLayout, CurveSet};

use crate::asked::ball::center_on;
use crate::asked::band::BandChoice;
use crate::checked::Checked;
use crate::refusal::Refusal;
use crate::values::CenterValue;

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
        let points = if study.is_long() { asked.points_of_rows()? } else { Grid::uniform(0.0, 1.0, 2)? };
        // a centre that is a curve waits for the points that it is needed at, and so does the distance from it
        let is_known = study.is_long() || !matches!(study.bound.center, Some(CenterValue::Curve(..)));
        let center = if is_known { asked.center(&points)? } else { None };
        let ball = asked.ball_about(center, study.bound.radius.filter(|_| is_known), &points)?;
        let statistic = Centiles::new(ball, points, None, asked.shown()).map_err(ReleaseError::from)?;
        if study.is_of_rows() {
            statistic.of_rows().map_err(ReleaseError::from)?;
        }
        Ok(asked)
    }

    /// How the columns of a file are read.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn layout(&self) -> Result<CurveLayout, Refusal> {
        if self.study.is_long() { self.study.table.long() } else { self.study.table.curves() }
    }

    /// The centiles that are shown, in percent.
    pub fn shown(&self) -> Vec<f64> {
        self.study.centiles.centiles.clone().unwrap_or_else(|| DEFAULT_CENTILES.to_vec())
    }

    /// The ball of curves on a grid: its radius is the largest mean absolute distance from its centre.
    pub(crate) fn ball(&self, grid: &Grid) -> Result<Ball, Refusal> {
        self.ball_about(self.center(grid)?, self.study.bound.radius, grid)
    }

    /// The private centiles on a grid.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that does not cover the grid.
    pub fn private_centiles(&self, grid: &Grid) -> Result<PrivateCentiles, Refusal> {
        let study = self.study;
        let centiles = PrivateCentiles::new(self.ball(grid)?, study.calibrated()?)
            .showing(self.shown())
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration())
            .wanting(study.wanted()?);
        Ok(if study.is_of_rows() { centiles.of_rows() } else { centiles })
    }

    /// Takes the rows of a long table, with the private centiles of them.
    ///
    /// # Errors
    /// As [`AskedCentiles::private_centiles`].
    pub fn rows(&self) -> Result<(PrivateCentiles, LongRows<Centiles>), Refusal> {
        let grid = self.points_of_rows()?;
        let centiles = self.private_centiles(&grid)?;
        let rows = centiles.rows(&grid)?;
        Ok((centiles, rows))
    }

    /// The same of curves, of which nothing stands where nothing was seen: at their own points, or at so many as the study says.
    ///
    /// # Errors
    /// As [`AskedCentiles::private_centiles`].
    pub fn rows_of(&self, curves: &CurveSet) -> Result<(PrivateCentiles, LongRows<Centiles>), Refusal> {
        let own = curves.grid();
        let grid = match self.study.table.bins {
            _ if self.study.is_long() => self.points_of_rows()?,
            Some(points) => self.points_between((own.lower(), own.upper()), points)?,
            None => own.clone(),
        };
        let centiles = self.private_centiles(&grid)?;
        let rows = centiles.rows_of(curves, &grid)?;
        Ok((centiles, rows))
    }

    /// The points that the rows of a long table count at.
    fn points_of_rows(&self) -> Result<Grid, Refusal> {
        let table = &self.study.table;
        self.points_between(table.ends_of_times(), table.bins.unwrap_or(DEFAULT_BINS))
    }

    fn points_between(&self, (lower, upper): (f64, f64), points: usize) -> Result<Grid, Refusal> {
        if !(2..=MOST_POINTS_OF_ROWS).contains(&points) {
            let why = format!("rows count at the nearest of 2 to {MOST_POINTS_OF_ROWS} points, got {points}");
            return Err(Refusal::of("bins", why).instead("20 are enough for sparse data"));
        }
        let between = if self.study.table.is_periodic() { Grid::circle } else { Grid::uniform };
        Ok(between(lower, upper, points).map_err(|error| ReleaseError::from(RowsError::Domain(error)))?)
    }

    fn center(&self, grid: &Grid) -> Result<Option<Center>, Refusal> {
        self.study.bound.center.as_ref().map(|center| center_on(center, grid)).transpose()
    }

    fn ball_about(&self, center: Option<Center>, radius: Option<f64>, grid: &Grid) -> Result<Ball, Refusal> {
        let within = if self.study.is_of_rows() { Centiles::ball_of_rows_within } else { Centiles::ball_within };
        let ball = within(self.bounds, center, radius, grid);
        Ok(ball.map_err(ReleaseError::from)?)
    }
}
