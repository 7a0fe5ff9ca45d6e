//! Ratios over two positive parameters, as heat maps with the line where the ratio is 1.

use ndarray::Array2;

use crate::contour::zero_contour;
use crate::error::FigureError;
use crate::figure::{Content, Figure, Labels, TwoAxes, check_panels};
use crate::scene::{Point, Scene};
use crate::surface::ParameterGrid;
use crate::text::cleaned;

mod layout;
mod scale;
#[cfg(test)]
mod tests;

/// More panels than this are no longer one figure.
const MOST_PANELS: usize = 4;
/// Colours end at this ratio and at its inverse unless another is asked for; with less, all ticks would look the same.
const LARGEST_RATIO: f64 = 4.0;
const LEAST_LARGEST_RATIO: f64 = 1.01;
/// A logarithm this near zero is rounding of a ratio of 1.
const ROUNDING: f64 = 1e-12;

/// A positive ratio for every pair of values of two positive parameters, such as of the variances of two noise families
/// over `epsilon` and `delta`.
#[derive(Debug, Clone, PartialEq)]
pub struct RatioPanel {
    label: String,
    /// Natural logarithms of the ratios; those of 1 up to rounding are zero.
    logs: ParameterGrid,
}

impl RatioPanel {
    /// The panel with `ratios[[row, column]]` for every pair of `rows` (upwards) and `columns` (across), under its
    /// label.
    ///
    /// Whatever their order here, the figure has the parameters ascending: to the right and upwards.
    ///
    /// # Errors
    /// - [`FigureError::NoCandidates`] if a parameter has no value, [`FigureError::Candidate`] if one is not positive
    ///   and finite, [`FigureError::Repeated`] if one comes twice.
    /// - [`FigureError::Shape`] if the ratios are not `rows.len()` x `columns.len()`, [`FigureError::Score`] if one is
    ///   not finite, [`FigureError::Ratio`] if one is not positive.
    pub fn new(label: &str, columns: Vec<f64>, rows: Vec<f64>, ratios: Array2<f64>) -> Result<Self, FigureError> {
        if let Some(((row, column), &value)) = ratios.indexed_iter().find(|(_, ratio)| **ratio <= 0.0) {
            return Err(FigureError::Ratio { row, column, value });
        }
        let snapped = |log: f64| if log.abs() <= ROUNDING { 0.0 } else { log };
        let logs = ParameterGrid::new(columns, rows, ratios.mapv(|ratio| snapped(ratio.ln())))?;
        let mut pairs = logs.columns.windows(2).chain(logs.rows.windows(2));
        match pairs.find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(FigureError::Repeated { value: pair[0] }),
            None => Ok(Self { label: cleaned(label), logs }),
        }
    }

    /// The lines where the ratio is 1, linear in all logarithms between the values given, as pairs of parameters.
    fn unit_contour(&self) -> Vec<Vec<Point>> {
        let logs = |values: &[f64]| values.iter().map(|value| value.ln()).collect::<Vec<f64>>();
        let mut lines = zero_contour(&logs(&self.logs.columns), &logs(&self.logs.rows), &self.logs.values);
        for point in lines.iter_mut().flatten() {
            *point = (point.0.exp(), point.1.exp());
        }
        lines
    }

    /// The least and the largest logarithm of a ratio.
    fn range(&self) -> (f64, f64) {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        self.logs.values.iter().fold(ends, |(low, high), log| (low.min(*log), high.max(*log)))
    }
}

/// Heat maps of up to 4 ratios over two positive parameters, with the line where each ratio is 1.
///
/// All axes are logarithmic. All panels have the same colours for the same ratios: a diverging scale
///
/// ```text
/// position = 1/2 + ln(ratio) / (2 ln(largest))    cut off at 0 and 1
/// ```
///
/// on which 1 is in the middle and `r` as far from it as `1/r`, with the ramp `RdBu` of `ColorBrewer` (Harrower and
/// Brewer, 2003), blue below 1 and red above. Between the pairs of parameters, colours and lines are by linear
/// interpolation in all logarithms.
///
/// ```
/// use dpfda_plotting::{RatioFigure, RatioPanel};
/// use ndarray::array;
///
/// # fn main() -> Result<(), dpfda_plotting::FigureError> {
/// let panel = RatioPanel::new("Laplace / Gaussian", vec![0.1, 1.0], vec![1e-6, 1e-3], array![[0.5, 0.9], [0.8, 2.0]])?;
/// assert!(RatioFigure::new(vec![panel])?.to_svg()?.contains("ratio of variances is 1"));
/// # Ok(())
/// # }
/// ```
pub type RatioFigure = Figure<Ratios>;

/// Ratios over two parameters, one panel for each.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratios {
    panels: Vec<RatioPanel>,
    ratio_name: String,
    largest: f64,
}

impl Content for Ratios {
    fn composed(&self, labels: &Labels) -> Scene {
        layout::composed(self, labels)
    }
}

impl TwoAxes for Ratios {}

impl RatioFigure {
    /// The figure of these panels, with three at most side by side, and colours for ratios from 1/4 to 4. The axes are `ε`
    /// and `δ` until they are named.
    ///
    /// # Errors
    /// [`FigureError::NoPanels`], and [`FigureError::TooMany`] for more than 4.
    pub fn new(panels: Vec<RatioPanel>) -> Result<Self, FigureError> {
        check_panels(panels.len(), MOST_PANELS)?;
        let content = Ratios { panels, ratio_name: "ratio of variances".to_owned(), largest: LARGEST_RATIO };
        Ok(Self::of(content, "Ratios of variances", &["ε", "δ"]))
    }

    /// What the ratio is, in place of `ratio of variances`.
    #[must_use]
    pub fn ratio_name(mut self, name: &str) -> Self {
        self.content.ratio_name = cleaned(name);
        self
    }

    /// Another ratio, in place of 4, beyond which, and below the inverse of which, all ratios have the same colour.
    ///
    /// # Errors
    /// [`FigureError::LargestRatio`] if it is not finite or less than 1.01.
    pub fn largest_ratio(mut self, value: f64) -> Result<Self, FigureError> {
        if !(value.is_finite() && value >= LEAST_LARGEST_RATIO) {
            return Err(FigureError::LargestRatio { value, least: LEAST_LARGEST_RATIO });
        }
        self.content.largest = value;
        Ok(self)
    }
}
