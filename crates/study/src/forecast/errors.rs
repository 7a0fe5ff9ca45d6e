//! The error that a study is foretold to have, for any number of people and any epsilon.

use std::collections::BTreeMap;

use dpfda::privacy::NeighbouringRelation;
use dpfda::release::{Centiles, DEFAULT_CENTILES, MAX_RECORDS};

use super::error::ForecastError;
use super::{Forecast, count};
use crate::kind::Kind;

/// How often an interval of numbers is halved.
const HALVINGS: u32 = 12;

/// Two to this power is the largest number of people that there can be.
const MOST_PEOPLE: u32 = MAX_RECORDS.ilog2();

/// The error that a study is foretold to have, for any number of people and any epsilon.
///
/// It is rehearsed where the number of people is a power of 2, and is a power of that number between. A release depends on people and
/// epsilon through `mu N`, or `epsilon N` without a delta: so one epsilon is rehearsed, but for rows, whose times are sampled too.
#[derive(Debug)]
pub struct Errors<'a> {
    forecast: &'a Forecast,
    /// By the bits of epsilon and the power of 2; `None` where a release is refused.
    known: BTreeMap<(u64, u32), Option<f64>>,
}

impl<'a> Errors<'a> {
    /// Nothing is rehearsed yet.
    pub fn of(forecast: &'a Forecast) -> Self {
        Self { forecast, known: BTreeMap::new() }
    }

    /// The error that is foretold; `None` where a release is refused.
    ///
    /// # Errors
    /// [`ForecastError`] for an epsilon that no noise gives.
    pub fn at(&mut self, records: u64, epsilon: f64) -> Result<Option<f64>, ForecastError> {
        if records < self.least(epsilon)? {
            return Ok(None);
        }
        let (rehearsed, each) = self.equal(epsilon)?;
        self.between(records as f64 * each, rehearsed)
    }

    /// The fewest people of whom a release is not refused for their number alone, at this epsilon and not at one that is worth as much.
    fn least(&self, epsilon: f64) -> Result<u64, ForecastError> {
        let study = &self.forecast.study;
        if study.kind != Kind::Centiles || study.privacy.relation() == NeighbouringRelation::AddRemoveOne {
            return Ok(0);
        }
        let shown = study.centiles.centiles.as_deref().unwrap_or(&DEFAULT_CENTILES);
        Ok(Centiles::least_for(shown, self.forecast.size(epsilon)?, study.is_of_rows()))
    }

    /// The least number of people with an error of at most this.
    ///
    /// # Errors
    /// [`ForecastError::Error`], [`ForecastError::Unreachable`], and for an epsilon that no noise gives.
    pub fn records_for(&mut self, error: f64, epsilon: f64) -> Result<u64, ForecastError> {
        if !(error > 0.0 && error.is_finite()) {
            return Err(ForecastError::Error { found: error });
        }
        let (rehearsed, each) = self.equal(epsilon)?;
        let reaches = |one: Option<f64>| one.is_some_and(|one| one <= error);
        let powers = 1..=MOST_PEOPLE;
        let first = find(powers, |power| Ok(reaches(self.rung(power, rehearsed)?)))?;
        let power = first.ok_or(ForecastError::Unreachable { error })?;
        let (mut low, mut high) = (f64::from(power - 1), f64::from(power));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if reaches(self.between(middle.exp2(), rehearsed)?) { high = middle } else { low = middle }
        }
        let records = (count((high.exp2() / each).ceil()) as u64).max(2).max(self.least(epsilon)?);
        if records > MAX_RECORDS { Err(ForecastError::Unreachable { error }) } else { Ok(records) }
    }

    /// The epsilon that is rehearsed in place of this one, and how many people there each person is worth.
    fn equal(&self, epsilon: f64) -> Result<(f64, f64), ForecastError> {
        let asked = self.forecast.epsilon();
        if self.forecast.study.kind == Kind::Rows {
            return Ok((epsilon, 1.0));
        }
        Ok((asked, self.forecast.size(epsilon)? / self.forecast.size(asked)?))
    }

    fn between(&mut self, records: f64, epsilon: f64) -> Result<Option<f64>, ForecastError> {
        let power = records.log2().clamp(1.0, f64::from(MOST_PEOPLE));
        let (below, above) = (whole(power.floor()), whole(power.ceil()));
        let (Some(below), Some(above)) = (self.rung(below, epsilon)?, self.rung(above, epsilon)?) else {
            // a release of this number may tell what one of fewer hides
            return self.rehearsed(count(records.max(2.0)) as u64, epsilon);
        };
        Ok(Some((below.ln() + (above.ln() - below.ln()) * (power - power.floor())).exp()))
    }

    fn rehearsed(&self, records: u64, epsilon: f64) -> Result<Option<f64>, ForecastError> {
        let forecast = self.forecast.changed(|said| said.privacy.epsilon = Some(epsilon))?;
        Ok(forecast.expected(records.min(MAX_RECORDS))?.main.map(|mean| mean.error))
    }

    fn rung(&mut self, power: u32, epsilon: f64) -> Result<Option<f64>, ForecastError> {
        if let Some(known) = self.known.get(&(epsilon.to_bits(), power)) {
            return Ok(*known);
        }
        let error = self.rehearsed(1 << power, epsilon)?;
        self.known.insert((epsilon.to_bits(), power), error);
        Ok(error)
    }
}

/// The first that this holds of.
fn find(
    powers: impl Iterator<Item = u32>,
    mut holds: impl FnMut(u32) -> Result<bool, ForecastError>,
) -> Result<Option<u32>, ForecastError> {
    for power in powers {
        if holds(power)? {
            return Ok(Some(power));
        }
    }
    Ok(None)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a power from 1 to 40")]
fn whole(power: f64) -> u32 {
    power as u32
}
