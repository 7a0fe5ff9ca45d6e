//! Rows of subjects as they come in, and what is released of them.

use std::collections::HashMap;
use std::fmt;

use dpfda_mechanism::{Fingerprinter, LedgerReference, Mechanism, Prepared, Release, RestoreError, Statistic};
use dpfda_privacy::{NonPrivate, Randomness};
use dpfda_smoothing::{CurveBatch, CurveSource, TableError, similar_ids};

use crate::bin_sums::BinSums;
use crate::bought::{Bought, Steps};
use crate::occupancy::Occupancy;
use crate::occupancy_release::OccupancyRelease;
use crate::prepared_in_ball::{Answers, BallData, PreparedInBall};
use crate::prepared_mean::fingerprint_records;
use crate::release_error::ReleaseError;

#[cfg(test)]
#[path = "long_rows_tests.rs"]
mod tests;

/// From this share of rows that count as none on, the curator is told.
const MANY_UNUSED: f64 = 0.1;

/// Rows of subjects, as they come in: private data.
///
/// Rows are not kept. Of each subject it keeps the id, and 16 bytes for each bin that the subject has a row in. Rows of one subject may
/// come in any order, with those of others between them: the exact sums are the same.
pub struct LongRows {
    mechanism: Mechanism<Occupancy>,
    /// What buys the radius, and the fewest subjects that it is bought from.
    buying: Option<(Steps<Occupancy>, Option<u64>)>,
    subjects: HashMap<Vec<u8>, BinSums>,
    seen: SeenRows,
}

/// A release of rows that has to be paid for: private data. The rows are borrowed until the draw.
pub type PreparedOccupancy<'a> = PreparedInBall<Occupancy, &'a LongRows>;

/// What a curator may want to know of rows before a release: private data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenRows {
    /// All rows.
    pub rows: u64,
    /// Rows whose time lies outside the domain.
    pub outside: u64,
    /// Rows without a finite time or value.
    pub missing: u64,
    /// Values beyond their bound.
    pub clamped: u64,
    /// The number of bins of each subject that have rows, in no order.
    pub bins: Vec<usize>,
}

impl SeenRows {
    /// The share of rows that count as none, where a curator should know of it: above a tenth.
    pub fn many_unused(&self) -> Option<f64> {
        let share = (self.outside + self.missing) as f64 / self.rows.max(1) as f64;
        Some(share).filter(|share| *share > MANY_UNUSED)
    }
}

impl LongRows {
    pub(crate) fn of(mechanism: Mechanism<Occupancy>, buying: Option<(Steps<Occupancy>, Option<u64>)>) -> Self {
        Self { mechanism, buying, subjects: HashMap::new(), seen: SeenRows::default() }
    }

    /// The public plan: in the stated ball, where the radius is bought.
    pub fn mechanism(&self) -> &Mechanism<Occupancy> {
        &self.mechanism
    }

    /// Adds a row. One outside the domain, and one without a finite time and value, counts as no row; its subject is a record all the
    /// same.
    pub fn push(&mut self, subject: &[u8], time: f64, value: f64) {
        let statistic = self.mechanism.statistic();
        let placed = statistic.place(time, value);
        self.seen.rows += 1;
        match placed {
            Some((_, part)) => {
                self.seen.clamped += u64::from(part.abs() == 1.0 || statistic.ball().clamp(value) != value);
            }
            None if time.is_finite() && value.is_finite() => self.seen.outside += 1,
            None => self.seen.missing += 1,
        }
        let add = |sums: &mut BinSums| placed.into_iter().for_each(|(bin, value)| sums.add(bin, value));
        if let Some(sums) = self.subjects.get_mut(subject) {
            add(sums);
        } else {
            add(self.subjects.entry(subject.to_owned()).or_default());
        }
    }

    /// Adds all rows that are left in a table whose two value columns are a time and a value, as
    /// [`CurveLayout::long`](dpfda_smoothing::CurveLayout::long) reads it.
    ///
    /// # Errors
    /// [`TableError`]; do not go on with these rows after an error.
    pub fn read(&mut self, source: &mut impl CurveSource) -> Result<(), TableError> {
        let mut batch = CurveBatch::new();
        while source.read(&mut batch)? {
            for (row, cells) in batch.curves().enumerate() {
                if let (Some(subject), [time, value]) = (batch.subject(row), cells) {
                    self.push(subject, *time, *value);
                }
            }
        }
        Ok(())
    }

    /// Adds the rows of another part of the same table. A subject may have rows in both.
    pub fn absorb(&mut self, other: Self) {
        let SeenRows { rows, outside, missing, clamped, .. } = other.seen;
        self.seen.rows += rows;
        self.seen.outside += outside;
        self.seen.missing += missing;
        self.seen.clamped += clamped;
        for (subject, sums) in other.subjects {
            self.subjects.entry(subject).or_default().merge(&sums);
        }
    }

    /// How many groups there are of subjects' ids that look alike, such as `S01` and `s1`: see [`similar_ids`].
    pub fn similar_ids(&self) -> NonPrivate<usize> {
        NonPrivate::new(similar_ids(self.subjects.keys().map(Vec::as_slice)))
    }

    /// How many rows there are of what kind, for the curator.
    pub fn seen(&self) -> NonPrivate<SeenRows> {
        let bins = self.subjects.values().map(BinSums::occupied).collect();
        NonPrivate::new(SeenRows { bins, ..self.seen.clone() })
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError::Mechanism`] for fewer than 2 subjects and [`ReleaseError::TooFewForRadius`] for fewer than a radius is bought from,
    /// where their number is public; nothing has been drawn or spent then.
    pub fn prepare(&self) -> Result<PreparedOccupancy<'_>, ReleaseError> {
        let Some((steps, least)) = &self.buying else {
            return Ok(PreparedOccupancy::stated(self.mechanism.prepare_all(self.subjects.values())?));
        };
        let found = self.subjects.len() as u64;
        match least {
            Some(least) if found < *least => Err(ReleaseError::TooFewForRadius { least: *least, found }),
            _ => Ok(PreparedOccupancy::buying(Box::new(steps.clone()), self, found).map_err(|refused| refused.0)?),
        }
    }

    fn prepared<S>(&self, mechanism: &Mechanism<S>) -> Prepared<S>
    where
        S: for<'a> Statistic<Record<'a> = &'a BinSums>,
    {
        let prepared = mechanism.prepare_all(self.subjects.values());
        prepared.unwrap_or_else(|_| unreachable!("the number of records was checked"))
    }

    /// Releases the sums: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// As [`LongRows::prepare`].
    pub fn release<R: Randomness + ?Sized>(&self, randomness: &mut R) -> Result<OccupancyRelease, ReleaseError> {
        Ok(self.prepare()?.draw_unrecorded(randomness).into())
    }
}

impl BallData<Occupancy> for &LongRows {
    /// The bin means of all subjects are there: a second look at them, in the bought ball, is free.
    fn run<A: Answers>(
        self,
        steps: &Steps<Occupancy>,
        answers: &mut A,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<Occupancy>, RestoreError> {
        let mut bought = Bought::stated(steps.mean.statistic().ball().clone());
        if let Some(mechanism) = &steps.radius {
            bought = bought.with_radius(answers.answer(self.prepared(mechanism), None)?);
        }
        answers.answer(self.prepared(&steps.in_bought(bought)), ledger)
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        fingerprint_records(self.subjects.values().map(BinSums::digest).collect(), fingerprinter);
    }
}

impl fmt::Debug for LongRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LongRows(..)")
    }
}
