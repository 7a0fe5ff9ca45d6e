//! The figure of a regression, as it was asked for.

use dpfda::analysis::Estimated;
use dpfda::plotting::{FigureError, LineFigure};
use dpfda::release::Regression;

use crate::look::Look;

/// Each coefficient function with its band.
pub fn of(estimated: &Estimated<Regression>, look: &Look) -> Result<LineFigure, FigureError> {
    let labels = estimated.labels();
    let axes = (labels.argument().unwrap_or("t"), labels.value().unwrap_or("change per unit"));
    Ok(look.over(LineFigure::regression(estimated)?, axes))
}
