//! The figure of `dpfda forecast`: the expected error against the number of records, for several epsilons.

use dpfda::analysis::BayesRisk;
use dpfda::plotting::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::privacy::NeighbouringRelation;
use dpfda::release::MAX_RECORDS;

use super::answer::Answer;
use super::error::PlanError;
use super::question::Question;
use crate::error::CliError;
use crate::summary::{exact, rounded};

/// The number of points of a line.
const STEPS: i32 = 24;

/// How far the horizontal axis reaches beyond what was asked about, as a factor.
const BEYOND: f64 = 10.0;

/// The lines of all epsilons of the table, and the error that is wanted or that of the centre alone.
pub fn drawn(question: &Question<'_>, risk: &BayesRisk, answer: &Answer) -> Result<LineFigure, CliError> {
    let asked = || answer.expected.iter().map(|expected| expected.numbers.records);
    let least = asked().min().unwrap_or(2) as f64 / BEYOND;
    let most = (asked().max().unwrap_or(2) as f64 * BEYOND).min(MAX_RECORDS as f64);
    let series = answer.table.epsilons.iter().map(|&epsilon| -> Result<_, CliError> {
        let law = question.law(epsilon, question.neighbours)?;
        // where a release would be refused, there is no line
        let refused_below = law.least_records_for_radius().filter(|_| !law.keeps_radius_of_few()).unwrap_or(0);
        let least = least.max(refused_below as f64).max(2.0);
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for step in 0..=STEPS {
            let records = least * (most.max(least) / least).powf(f64::from(step) / f64::from(STEPS));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 2 to 2^40")]
            let records = (records.round() as u64).min(MAX_RECORDS);
            x.push(records as f64);
            y.push(risk.error(&law, records)?);
        }
        Ok(Series { label: format!("epsilon = {}", exact(epsilon)), x, y, style: SeriesStyle::Line })
    });
    let series = series.collect::<Result<Vec<_>, _>>()?;
    let panel = LinePanel::new("", AxisScale::Log10, AxisScale::Log10, series).map_err(PlanError::from)?;
    let (level, meaning) = match (question.error, answer.expected.first()) {
        (Some(error), _) => (error, "the error that is wanted"),
        (None, Some(expected)) => (expected.numbers.center_error, "the public centre alone"),
        (None, None) => (answer.radius, "the radius"),
    };
    let panel = panel.reference(level, meaning).map_err(PlanError::from)?;
    let relation = match question.neighbours {
        NeighbouringRelation::SubstituteOne => "substitute",
        NeighbouringRelation::AddRemoveOne => "add-remove",
    };
    let title = format!(
        "Expected error of a private mean: delta = {}, {relation}, stated radius {}",
        exact(answer.delta),
        rounded(answer.radius),
    );
    let figure = LineFigure::new(vec![panel]).map_err(PlanError::from)?;
    let begins = question.shares.radius().is_some() && question.neighbours == NeighbouringRelation::SubstituteOne;
    let horizontal =
        if begins { "number of records N (a line begins where a radius can be bought)" } else { "number of records N" };
    Ok(figure.title(&title).axes(horizontal, "root-mean-square error (units of the data)"))
}
