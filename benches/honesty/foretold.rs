//! What a release is foretold to be worth before there are data, beside what it was worth.

use dpfda::analysis::Estimate;
use dpfda_study::{Forecast, Foretold, Kind, Sections, Study};
use ndarray::Array1;

use crate::Fault;
use crate::cell::Cell;
use crate::claim::{Outcome, Seen};
use crate::line::Measure;
use crate::pools::Pool;

/// What is foretold of the means of a cell, by a user who knows how much people differ. `points` are those of curves, or of each
/// person; `more` are settings beside bounds and budget.
pub fn means(
    kind: Kind,
    cell: &Cell,
    pool: &Pool,
    points: usize,
    more: &[(&str, &str)],
) -> Result<Vec<Foretold>, Fault> {
    let ((epsilon, delta), (lower, upper)) = (cell.budget.numbers(), pool.bounds);
    let numbers =
        [("epsilon", format!("{epsilon}")), ("delta", format!("{delta}")), ("bounds", format!("{lower},{upper}"))];
    let texts = numbers.iter().map(|(name, text)| (*name, text.as_str())).chain(more.iter().copied());
    let study = Study::of_flags(Some(kind), Sections::of_texts(texts)?);
    let variances = pool.covariance.diag();
    let spread = (variances.sum() / variances.len() as f64).sqrt();
    Ok(Forecast::of(study, points, Some(spread))?.expected(cell.records as u64)?.means)
}

/// What was measured over what was foretold: of an estimate with its band, where there is one, and the mean of the people in the release at
/// its points.
pub fn outcome<P>(foretold: Option<&Foretold>, estimate: Option<&Estimate<P>>, people: &Array1<f64>) -> Outcome {
    let mean_square = |x: Array1<f64>| x.mapv(|x| x * x).sum() / x.len() as f64;
    let seen = foretold.zip(estimate).map(|(foretold, estimate)| Seen {
        share: None,
        width: mean_square((&estimate.upper - &estimate.lower) / 2.0).sqrt() / foretold.half_width,
        squared_error: mean_square(&estimate.values - people) / foretold.error.powi(2),
    });
    Outcome { quantity: "forecast".to_owned(), measure: Measure::Forecast, seen }
}
