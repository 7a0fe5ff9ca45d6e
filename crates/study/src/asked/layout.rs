//! How the columns of a table are read.

use dpfda::kernels::Grid;
use dpfda::smoothing::{CurveLayout, Decimal, GridChoice};

use crate::refusal::Refusal;
use crate::sections::Table;
use crate::values::GridValue;

impl Table {
    /// The columns of curves, one in each row, on their grid.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn curves(&self) -> Result<CurveLayout, Refusal> {
        let layout = self.wide()?;
        let layout = if self.is_periodic() { layout.periodic() } else { layout };
        Ok(match &self.grid {
            None => layout,
            Some(GridValue::Names) => layout.grid(GridChoice::Names),
            Some(GridValue::Uniform(lower, upper)) => {
                Grid::new(vec![*lower, *upper])?;
                layout.grid(GridChoice::Uniform(*lower, *upper))
            }
            Some(GridValue::Points(points)) => {
                let are_ends = points.len() == 2;
                let of_points = if self.is_periodic() && !are_ends { Grid::closing } else { Grid::new };
                of_points(points.clone())?;
                layout.grid(match points[..] {
                    [lower, upper] => GridChoice::Interval(lower, upper),
                    _ => GridChoice::Points(points.clone()),
                })
            }
        })
    }

    /// The columns of records, one in each row, whatever their grid is.
    ///
    /// # Errors
    /// [`Refusal`] for columns that are none.
    pub fn wide(&self) -> Result<CurveLayout, Refusal> {
        // a checked study has them, unless the table is long
        let layout = CurveLayout::new(&self.values.clone().unwrap_or_default().join(","))?;
        Ok(self.cells(match &self.subject {
            Some(column) => layout.subject(column),
            None => layout,
        }))
    }

    /// The columns of a long table of curves.
    ///
    /// # Errors
    /// [`Refusal`] for columns that are none.
    pub fn long(&self) -> Result<CurveLayout, Refusal> {
        let [id, time, value] = [&self.id, &self.time, &self.value].map(|column| column.as_deref().unwrap_or_default());
        Ok(self.cells(CurveLayout::long(id, time, value)?))
    }

    /// The two ends of the times of a long table. A study that was checked has them.
    pub(crate) fn ends_of_times(&self) -> (f64, f64) {
        let ends = self.domain.as_deref().unwrap_or_default();
        (ends.first().copied().unwrap_or(f64::NAN), ends.last().copied().unwrap_or(f64::NAN))
    }

    /// The same columns with what the study says about their cells.
    pub fn cells(&self, layout: CurveLayout) -> CurveLayout {
        let layout = match &self.delimiter {
            Some(delimiter) => layout.separated_by(delimiter.separator()),
            None => layout,
        };
        let layout = match &self.missing {
            Some(missing) => layout.missing(missing.clone()),
            None => layout,
        };
        if self.decimal_comma == Some(true) { layout.decimal(Decimal::Comma) } else { layout }
    }
}
