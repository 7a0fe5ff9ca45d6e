//! The answer of `dpfda forecast`, for programs and for its words.

use dpfda::privacy::{KNorm, NeighbouringRelation, PrivacyBudget};
use dpfda::release::MAX_RECORDS;
use dpfda_study::{Errors, Expected, Forecast, Kind, NeighboursName};
use serde::Serialize;

use super::question::Question;
use crate::error::CliError;
use crate::values::round_number;

/// What the expected error is, in one sentence.
pub const DEFINITION: &str = "\
The expected error is the root-mean-square distance over the domain between the estimate and the mean of these people";

/// How many times as large an epsilon is, and a number of records, as those that were asked about.
const AROUND: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];

/// The epsilons around an epsilon of 0.
const ABOVE_ZERO: [f64; 4] = [0.0, 0.1, 0.5, 1.0];

/// Everything that is printed.
#[derive(Serialize)]
pub struct Answer {
    definition: &'static str,
    pub kind: &'static str,
    pub epsilon: f64,
    pub delta: f64,
    pub neighbours: NeighbouringRelation,
    /// The points of the grid, or of rows the values of one subject.
    pub points: usize,
    /// Whether the domain closes up.
    pub periodic: bool,
    pub radius: f64,
    /// How much people are taken to differ.
    pub spread: f64,
    pub level: f64,
    /// The number of records that the wanted error takes.
    pub needed: Option<Needed>,
    /// For each number of records that was asked about, or that the wanted error takes.
    pub expected: Vec<Expected>,
    pub table: Table,
    /// `None` where one of the relations has no such release.
    pub relations: Option<Relations>,
    /// Of a mean of curves with a delta, where there is such a release without one.
    pub pure: Option<Pure>,
}

/// How many records an error takes.
#[derive(Clone, Copy, Serialize)]
pub struct Needed {
    pub error: f64,
    pub records: u64,
}

/// Expected errors: a row for each number of records, a column for each epsilon.
#[derive(Serialize)]
pub struct Table {
    pub epsilons: Vec<f64>,
    pub records: Vec<u64>,
    /// `None` where there is no such release.
    pub errors: Vec<Vec<Option<f64>>>,
    /// How many records the wanted error takes at each epsilon; `None` where no number reaches it.
    pub needed: Option<Vec<Option<u64>>>,
}

/// A release with the same epsilon and delta 0, in the stated ball.
#[derive(Serialize)]
pub struct Pure {
    /// The largest number of coordinates in each of which its noise is no larger than that with the delta that was asked about.
    pub free_coordinates: usize,
    pub records: u64,
    /// Its expected error.
    pub error: f64,
}

/// The same release under both relations.
#[derive(Serialize)]
pub struct Relations {
    pub records: u64,
    pub substitute_error: f64,
    pub add_remove_error: f64,
}

impl Answer {
    pub fn of(question: &Question, errors: &mut Errors<'_>) -> Result<Self, CliError> {
        let (forecast, study) = (&question.forecast, question.forecast.study());
        let epsilon = forecast.epsilon();
        let needed =
            question.error.map(|error| errors.records_for(error, epsilon).map(|records| Needed { error, records }));
        let needed = needed.transpose()?;
        let mut records = question.records.clone();
        records.extend(needed.filter(|_| records.is_empty()).map(|needed| needed.records));
        let expected: Vec<Expected> =
            records.iter().map(|&records| forecast.expected(records)).collect::<Result<_, _>>()?;
        let first = records.first().copied().unwrap_or(2);
        let known = expected.first().and_then(|expected| expected.main.as_ref());
        let relations = Relations::of(forecast, first, known.map(|main| main.error))?;
        Ok(Self {
            definition: DEFINITION,
            kind: study.kind.word(),
            epsilon,
            delta: study.privacy.delta.unwrap_or(f64::NAN),
            neighbours: study.privacy.relation(),
            points: question.points,
            periodic: study.table.is_periodic(),
            radius: study.ball()?.radius(),
            spread: forecast.spread(),
            level: study.estimate.level.unwrap_or(dpfda::analysis::DEFAULT_LEVEL),
            needed,
            table: Table::of(question, errors, &expected)?,
            expected,
            relations,
            pure: Pure::of(forecast, first)?,
        })
    }

    /// The mean that numbers are about, where there are several.
    pub fn main(&self) -> &str {
        self.expected.iter().find_map(|expected| expected.main.as_ref()).map_or("", |main| &main.name)
    }
}

impl Table {
    fn of(question: &Question, errors: &mut Errors<'_>, expected: &[Expected]) -> Result<Self, CliError> {
        let epsilons = epsilons(&question.forecast);
        let known = |records: u64, epsilon: f64| {
            let one = expected.iter().find(|one| one.records == records && epsilon == question.forecast.epsilon());
            one.map(|one| one.main.as_ref().map(|main| main.error))
        };
        let records = around(expected);
        let mut rows = Vec::new();
        for &records in &records {
            let mut row = Vec::new();
            for &epsilon in &epsilons {
                row.push(known(records, epsilon).map_or_else(|| errors.at(records, epsilon), Ok)?);
            }
            rows.push(row);
        }
        let needed = |error| epsilons.iter().map(|&epsilon| errors.records_for(error, epsilon).ok()).collect();
        Ok(Self { needed: question.error.map(needed), epsilons, records, errors: rows })
    }
}

/// The epsilons around the one that was asked about, as far as the noise can be calibrated for them.
fn epsilons(forecast: &Forecast) -> Vec<f64> {
    let asked = forecast.epsilon();
    let wanted: Vec<f64> =
        if asked == 0.0 { ABOVE_ZERO.to_vec() } else { AROUND.iter().map(|factor| factor * asked).collect() };
    let can_be = |epsilon: f64| forecast.changed(|said| said.privacy.epsilon = Some(epsilon)).is_ok();
    wanted.into_iter().filter(|&epsilon| can_be(epsilon)).collect()
}

/// The numbers of records that were asked about, or those around a single one.
fn around(expected: &[Expected]) -> Vec<u64> {
    let mut records: Vec<u64> = expected.iter().map(|one| one.records).collect();
    if let [one] = expected {
        let others = AROUND.iter().filter(|factor| **factor != 1.0);
        let others = others.map(|factor| round_number(one.records as f64 * factor));
        records.extend(others.filter(|&other| (2..=MAX_RECORDS).contains(&other)));
    }
    records.sort_unstable();
    records.dedup();
    records
}

/// The error of the mean that one number is about.
fn error_of(forecast: &Forecast, records: u64) -> Result<Option<f64>, CliError> {
    Ok(forecast.expected(records)?.main.map(|main| main.error))
}

impl Pure {
    fn of(forecast: &Forecast, records: u64) -> Result<Option<Self>, CliError> {
        let privacy = &forecast.study().privacy;
        if privacy.is_pure() || forecast.study().kind != Kind::Mean {
            return Ok(None);
        }
        let budget = PrivacyBudget::new(forecast.epsilon(), privacy.delta.unwrap_or(f64::NAN))?;
        let Ok(without) = forecast.without_delta() else { return Ok(None) };
        let Some(error) = error_of(&without, records)? else { return Ok(None) };
        let free_coordinates = KNorm::largest_free_dimension(&budget, privacy.relation())?;
        Ok(Some(Self { free_coordinates, records, error }))
    }
}

impl Relations {
    /// `known` is the error under the relation that was asked about.
    fn of(forecast: &Forecast, records: u64, known: Option<f64>) -> Result<Option<Self>, CliError> {
        let Some(known) = known else { return Ok(None) };
        let is_substitute = forecast.study().privacy.relation() == NeighbouringRelation::SubstituteOne;
        let name = if is_substitute { NeighboursName::AddRemove } else { NeighboursName::Substitute };
        let Ok(other) = forecast.changed(|said| said.privacy.neighbours = Some(name)) else { return Ok(None) };
        let Some(other) = error_of(&other, records)? else { return Ok(None) };
        let (substitute_error, add_remove_error) = if is_substitute { (known, other) } else { (other, known) };
        Ok(Some(Self { records, substitute_error, add_remove_error }))
    }
}
