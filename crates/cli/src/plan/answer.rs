//! The answer of `dpfda forecast`, for programs and for its words.

use dpfda::analysis::{BayesRisk, ExpectedError};
use dpfda::privacy::{KNorm, NeighbouringRelation, Share};
use dpfda::release::{MAX_RECORDS, NoiseLaw};
use serde::Serialize;

use super::question::{Question, Risks};
use crate::error::CliError;
use crate::values::round_number;

/// What the expected error is, in one sentence.
pub const DEFINITION: &str = "\
The expected error is the root-mean-square distance over the domain between the estimate and the mean of these people, on \
average over the privacy noise and over means drawn from the public prior of the estimate, for an estimate that is told the \
kernel and the amplitude of the mean";

/// How many times as large an epsilon is, and a number of records, as those that were asked about.
const AROUND: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];

/// The epsilons around an epsilon of 0.
const ABOVE_ZERO: [f64; 4] = [0.0, 0.1, 0.5, 1.0];

/// Everything that is printed.
#[derive(Serialize)]
pub struct Answer {
    definition: &'static str,
    pub epsilon: f64,
    pub delta: f64,
    pub neighbours: NeighbouringRelation,
    pub points: usize,
    /// Whether the domain closes up.
    pub periodic: bool,
    /// How many values each subject of a long table has; `points` are its bins then.
    pub points_per_subject: Option<u32>,
    pub radius: f64,
    pub center_share: Option<f64>,
    pub radius_share: Option<f64>,
    /// The number of records that the wanted error takes.
    pub needed: Option<Needed>,
    /// For each number of records that was asked about, or that the wanted error takes.
    pub expected: Vec<Expected>,
    pub table: Table,
    pub relations: Relations,
    /// `None` for an epsilon of 0.
    pub pure: Option<Pure>,
}

/// How many records an error takes.
#[derive(Clone, Copy, Serialize)]
pub struct Needed {
    pub error: f64,
    pub records: u64,
}

/// What a release of so many records will be worth.
#[derive(Serialize)]
pub struct Expected {
    #[serde(flatten)]
    pub numbers: ExpectedError,
    /// Whether `dpfda release` refuses so few records.
    pub refused: bool,
}

/// Expected errors: a row for each number of records, a column for each epsilon.
#[derive(Serialize)]
pub struct Table {
    pub epsilons: Vec<f64>,
    pub records: Vec<u64>,
    /// `None` where `dpfda release` refuses so few records.
    pub errors: Vec<Vec<Option<f64>>>,
    /// How many records the wanted error takes at each epsilon; `None` where no number reaches it.
    pub needed: Option<Vec<Option<u64>>>,
}

/// A release with the same epsilon and delta 0, in the stated ball.
#[derive(Serialize)]
pub struct Pure {
    /// How many public coordinates of the mean it holds.
    pub coordinates: usize,
    /// The largest number of coordinates in each of which its noise is no larger than that with the delta that was asked about, where
    /// that is not 0.
    pub free_coordinates: Option<usize>,
    /// The share of the variance of the mean under the public prior that lies outside the coordinates.
    pub share_outside: f64,
    pub records: u64,
    /// Its expected error.
    pub error: f64,
}

/// The same release under both relations.
#[derive(Serialize)]
pub struct Relations {
    pub records: u64,
    /// The noise under add-remove over that under substitute.
    pub noise_ratio: f64,
    pub substitute_error: f64,
    pub add_remove_error: f64,
}

impl Answer {
    pub fn of(question: &Question<'_>, risks: &Risks) -> Result<Self, CliError> {
        let risk = &risks.asked;
        let epsilon = question.budget.epsilon();
        let law = question.law(epsilon, question.neighbours)?;
        let needed = question
            .error
            .map(|error| -> Result<_, CliError> { Ok(Needed { error, records: risk.records_for(&law, error)? }) });
        let needed = needed.transpose()?;
        let mut records = question.records.clone();
        records.extend(needed.filter(|_| records.is_empty()).map(|needed| needed.records));
        let expected = records.iter().map(|&records| -> Result<_, CliError> {
            let numbers = risk.of(&law, records, question.level)?;
            Ok(Expected { refused: numbers.is_refused(), numbers })
        });
        Ok(Self {
            definition: DEFINITION,
            epsilon,
            delta: question.budget.delta(),
            neighbours: question.neighbours,
            points: question.points,
            periodic: question.is_periodic,
            points_per_subject: question.sparse.map(|sparse| sparse.values),
            radius: question.ball.radius(),
            center_share: question.shares.center().map(Share::value),
            radius_share: question.shares.radius().map(Share::value),
            needed,
            expected: expected.collect::<Result<_, _>>()?,
            table: Table::of(question, risk, &records)?,
            relations: Relations::of(question, risk, records.first().copied().unwrap_or(2))?,
            // a long table has a delta
            pure: (epsilon > 0.0 && question.sparse.is_none())
                .then(|| Pure::of(question, risks, records.first().copied().unwrap_or(2)))
                .transpose()?,
        })
    }
}

impl Table {
    fn of(question: &Question<'_>, risk: &BayesRisk, asked: &[u64]) -> Result<Self, CliError> {
        let epsilons = epsilons(question);
        let records = around(asked);
        let laws = epsilons.iter().map(|&epsilon| question.law(epsilon, question.neighbours));
        let laws = laws.collect::<Result<Vec<_>, _>>()?;
        let cell = |law: &NoiseLaw, records| {
            let is_refused =
                !law.keeps_radius_of_few() && law.least_records_for_radius().is_some_and(|least| records < least);
            Ok(if is_refused { None } else { Some(risk.error(law, records)?) })
        };
        let row = |&records: &u64| laws.iter().map(|law| cell(law, records)).collect();
        let errors = records.iter().map(row).collect::<Result<_, CliError>>()?;
        let needed = question.error.map(|error| laws.iter().map(|law| risk.records_for(law, error).ok()).collect());
        Ok(Self { epsilons, records, errors, needed })
    }
}

/// The epsilons around the one that was asked about, as far as the noise can be calibrated for them.
fn epsilons(question: &Question<'_>) -> Vec<f64> {
    let asked = question.budget.epsilon();
    let wanted: Vec<f64> =
        if asked == 0.0 { ABOVE_ZERO.to_vec() } else { AROUND.iter().map(|factor| factor * asked).collect() };
    wanted.into_iter().filter(|&epsilon| question.law(epsilon, question.neighbours).is_ok()).collect()
}

/// The numbers of records that were asked about, or those around a single one.
fn around(asked: &[u64]) -> Vec<u64> {
    let mut records = asked.to_vec();
    if let [one] = asked {
        let others = AROUND.iter().filter(|factor| **factor != 1.0).map(|factor| round_number(*one as f64 * factor));
        records.extend(others.filter(|&other| (2..=MAX_RECORDS).contains(&other)));
    }
    records.sort_unstable();
    records.dedup();
    records
}

impl Pure {
    fn of(question: &Question<'_>, risks: &Risks, records: u64) -> Result<Self, CliError> {
        let free = |budget| KNorm::largest_free_dimension(budget, question.neighbours);
        let without = risks.without.as_ref().unwrap_or(&risks.asked);
        Ok(Self {
            coordinates: question.coordinates,
            free_coordinates: risks.without.is_some().then(|| free(&question.budget)).transpose()?,
            share_outside: without.share_outside(),
            records,
            error: without.error(&question.pure_law()?, records)?,
        })
    }
}

impl Relations {
    fn of(question: &Question<'_>, risk: &BayesRisk, records: u64) -> Result<Self, CliError> {
        let law = |relation| question.law(question.budget.epsilon(), relation);
        let (substitute, add_remove) =
            (law(NeighbouringRelation::SubstituteOne)?, law(NeighbouringRelation::AddRemoveOne)?);
        Ok(Self {
            records,
            // of so many records that both buy what is asked for
            noise_ratio: add_remove.whitened_sd(MAX_RECORDS as f64) / substitute.whitened_sd(MAX_RECORDS as f64),
            substitute_error: risk.error(&substitute, records)?,
            add_remove_error: risk.error(&add_remove, records)?,
        })
    }
}
