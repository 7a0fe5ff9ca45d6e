//! The mean of surfaces that a study asks for.

use dpfda::kernels::{Grid, MOST_SURFACE_POINTS, SurfaceGrid, SurfaceGridError};
use dpfda::privacy::PrivacyUnit;
use dpfda::release::{Plan, PrivateMean, Surface};
use dpfda::smoothing::{BallError, CurveLayout, GridChoice};

use crate::asked::band::BandChoice;
use crate::checked::Checked;
use crate::refusal::Refusal;
use crate::sections;
use crate::values::Shape;

/// The mean of surfaces that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedSurface<'a> {
    pub(crate) study: &'a Checked,
    /// What is released.
    pub private_mean: PrivateMean,
    /// The points of all surfaces.
    pub grid: SurfaceGrid,
    /// The bounds, where they were given.
    pub bounds: Option<(f64, f64)>,
    /// The band around the estimate.
    pub band: BandChoice,
}

impl<'a> AskedSurface<'a> {
    /// Refuses what can be refused without the data.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &'a Checked) -> Result<Self, Refusal> {
        let ball = study.ball()?;
        let budget = study.calibrated()?;
        let band = BandChoice::check(&study.estimate)?;
        band.check_surface()?;
        let grid = grid_of(&study.surface)?;
        let private_mean = PrivateMean::isonormal(ball.constant()?, budget)
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration());
        let private_mean = private_mean.wanting(study.wanted()?);
        // what a rectangle does not have is refused before the table is read
        private_mean.mechanism(&grid, PrivacyUnit::Subject, None)?;
        Ok(Self { study, private_mean, grid, bounds: ball.bounds(), band })
    }

    /// How the columns of a file are read.
    ///
    /// # Errors
    /// [`Refusal`] for columns that are none.
    pub fn layout(&self) -> Result<CurveLayout, Refusal> {
        let table = &self.study.table;
        if !self.study.is_long() {
            // columns are counted, whatever their names say
            return Ok(table.wide()?.grid(GridChoice::Uniform(1.0, self.grid.len() as f64)));
        }
        let [id, s, t, value] =
            [&table.id, &table.s, &table.t, &table.value].map(|name| name.as_deref().unwrap_or_default());
        Ok(table.cells(CurveLayout::long_surface(id, [s, t], value, self.grid.clone())?))
    }

    /// The plan of surfaces of so many columns that come from a stream or in parts, one in each row. `records` is their number, where it is
    /// known before they are encoded.
    ///
    /// # Errors
    /// [`Refusal`] for another number of columns than the surface has points.
    pub fn plan(&self, columns: usize, has_subjects: bool, records: Option<usize>) -> Result<Plan<Surface>, Refusal> {
        let points = self.grid.len();
        if points != columns {
            return Err(BallError::Points { points, found: columns }.into());
        }
        let unit = if has_subjects { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        Ok(self.private_mean.plan_of(&self.grid, unit, records)?)
    }
}

fn grid_of(settings: &sections::Surface) -> Result<SurfaceGrid, Refusal> {
    // the study was checked: it has a shape, and two ends for each axis
    let Shape(first, second) = settings.surface.unwrap_or(Shape(0, 0));
    if first.checked_mul(second).is_none_or(|points| points > MOST_SURFACE_POINTS) {
        return Err(SurfaceGridError::TooMany { first, second }.into());
    }
    let ends = settings.surface_domain.as_deref().unwrap_or(&[0.0, 1.0, 0.0, 1.0]);
    let axis = |ends: &[f64], points| match *ends {
        [from, to] => Grid::uniform(from, to, points),
        _ => Grid::uniform(f64::NAN, f64::NAN, points),
    };
    let (s, t) = ends.split_at(ends.len() / 2);
    let axes = (axis(s, first).map_err(SurfaceGridError::Axis)?, axis(t, second).map_err(SurfaceGridError::Axis)?);
    Ok(SurfaceGrid::new(axes.0, axes.1)?)
}
