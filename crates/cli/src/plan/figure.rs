//! The figure of `dpfda forecast`: the expected error against the number of records, for several epsilons.

use dpfda::plotting::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::privacy::NeighbouringRelation;
use dpfda::release::MAX_RECORDS;
use dpfda_study::Errors;

use super::answer::Answer;
use super::error::PlanError;
use super::question::Question;
use crate::error::CliError;
use crate::summary::{exact, rounded};
use crate::values::round_number;

/// How far the horizontal axis reaches beyond what was asked about, as a factor.
const BEYOND: f64 = 8.0;

/// The lines of all epsilons of the table, and the error that is wanted or how much people differ.
pub fn drawn(question: &Question, errors: &mut Errors<'_>, answer: &Answer) -> Result<LineFigure, CliError> {
    let asked = || answer.expected.iter().map(|expected| expected.records);
    let least = (asked().min().unwrap_or(2) as f64 / BEYOND).max(2.0);
    let most = (asked().max().unwrap_or(2) as f64 * BEYOND).min(MAX_RECORDS as f64);
    let steps = (most / least).log2().ceil().max(1.0);
    let mut series = Vec::new();
    for &epsilon in &answer.table.epsilons {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        let mut step = 0.0;
        while step <= steps {
            let records = round_number(least * (most / least).powf(step / steps));
            // where there is no release, there is no line
            if let Some(error) = errors.at(records, epsilon)? {
                x.push(records as f64);
                y.push(error);
            }
            step += 1.0;
        }
        let label = format!("epsilon = {}", exact(epsilon));
        series.extend((!x.is_empty()).then_some(Series { label, x, y, style: SeriesStyle::Line }));
    }
    let panel = LinePanel::new("", AxisScale::Log10, AxisScale::Log10, series).map_err(PlanError::from)?;
    let (level, meaning) = match question.error {
        Some(error) => (error, "the error that is wanted"),
        None => (answer.spread, "how much people differ"),
    };
    let panel = panel.reference(level, meaning).map_err(PlanError::from)?;
    let relation = match answer.neighbours {
        NeighbouringRelation::SubstituteOne => "substitute",
        NeighbouringRelation::AddRemoveOne => "add-remove",
    };
    let title = format!(
        "Expected error of {}: delta = {}, {relation}, stated radius {}",
        question.forecast.study().kind.in_words(),
        exact(answer.delta),
        rounded(answer.radius),
    );
    let figure = LineFigure::new(vec![panel]).map_err(PlanError::from)?;
    let figure = figure.labelled_directly().title(&title);
    Ok(figure.axes("number of records N", "root-mean-square error (units of the data)"))
}
