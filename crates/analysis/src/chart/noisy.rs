//! What a release of an indicator surface says: noisy distribution functions at the points of a grid.

use ndarray::{Array1, Array2};

use crate::error::AnalysisError;

/// No noisy value is larger in size.
const LARGEST: f64 = 1e100;

/// Noisy distribution functions at the points of a grid.
///
/// ```text
/// Z_ij = F(t_i, y_j) + sigma W_ij,    W_ij independent standard normal
/// ```
///
/// `t` is the domain mapped to `[0, 1]`, `y` the range of the values mapped to `[0, 1]`.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisyDistribution {
    pub(super) points: Array1<f64>,
    pub(super) is_periodic: bool,
    pub(super) levels: Array1<f64>,
    pub(super) values: Array2<f64>,
    pub(super) noise_sd: f64,
    pub(super) records: f64,
}

impl NoisyDistribution {
    /// Noisy values, `n x m`, at `n` increasing points in `[0, 1]` and `m` increasing levels within (0, 1).
    ///
    /// `noise_sd` is the standard deviation of the noise of each value. `records` is the number of people, noisy where it is private. The
    /// points of a circle are below 1.
    ///
    /// # Errors
    /// [`AnalysisError::Length`] for values that do not fit, [`AnalysisError::Number`] for numbers that are not as said.
    pub fn new(
        points: Array1<f64>,
        is_periodic: bool,
        levels: Array1<f64>,
        values: Array2<f64>,
        noise_sd: f64,
        records: f64,
    ) -> Result<Self, AnalysisError> {
        length("the list of points of a chart", 1, points.len().min(1))?;
        length("the list of levels of a chart", 1, levels.len().min(1))?;
        length("the noisy values of a chart at all points", points.len(), values.nrows())?;
        length("the noisy values of a chart at one point", levels.len(), values.ncols())?;
        let end = if is_periodic { 1.0_f64.next_down() } else { 1.0 };
        increasing("a point of a chart", "in [0, 1], increasing, and below 1 on a circle", &points, 0.0, end)?;
        let (low, high) = (0.0_f64.next_up(), 1.0_f64.next_down());
        increasing("a level of a chart", "above 0, below 1 and increasing", &levels, low, high)?;
        let size = "at most 1e100 in size";
        let values_fit =
            values.iter().map(|&value| number("a noisy value of a chart", size, value, value.abs() <= LARGEST));
        values_fit.collect::<Result<(), _>>()?;
        let is_positive = noise_sd > 0.0 && noise_sd <= LARGEST;
        number("the sd of the noise of a chart", "positive and finite", noise_sd, is_positive)?;
        number("the number of records", "at least 1 and finite", records, (1.0..=LARGEST).contains(&records))?;
        Ok(Self { points, is_periodic, levels, values, noise_sd, records })
    }
}

fn length(what: &'static str, expected: usize, found: usize) -> Result<(), AnalysisError> {
    if found == expected { Ok(()) } else { Err(AnalysisError::Length { what, expected, found }) }
}

fn number(what: &'static str, allowed: &'static str, value: f64, is_allowed: bool) -> Result<(), AnalysisError> {
    if is_allowed { Ok(()) } else { Err(AnalysisError::Number { what, allowed, value }) }
}

/// Refuses numbers that do not increase from `low` to `high`.
fn increasing(
    what: &'static str,
    allowed: &'static str,
    numbers: &Array1<f64>,
    low: f64,
    high: f64,
) -> Result<(), AnalysisError> {
    let mut previous = f64::NEG_INFINITY;
    for &value in numbers {
        number(what, allowed, value, value > previous && (low..=high).contains(&value))?;
        previous = value;
    }
    Ok(())
}
