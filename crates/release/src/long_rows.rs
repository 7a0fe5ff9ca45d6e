//! Rows of subjects as they come in, and what is released of them.

use std::collections::HashMap;
use std::fmt;

use dpfda_mechanism::{
    FingerprintKey, Fingerprinter, LedgerReference, Mechanism, PartId, Partial, PartialError, Prepared, Release,
    RestoreError, Statistic,
};
use dpfda_privacy::{Body, ExactSum, LatticeError, NonPrivate, Randomness, WeightedBall};
use dpfda_smoothing::{CurveBatch, CurveSource, TableError, similar_ids};

use crate::bin_sums::BinSums;
use crate::bought::{Bought, Steps};
use crate::nested_sums::{Nested, balls};
use crate::occupancy::Occupancy;
use crate::occupancy_release::OccupancyRelease;
use crate::part::{FinishedSums, OccupancyPart, PartPlan, Sums};
use crate::planned_occupancy::PlannedOccupancy;
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
    plan: PlannedOccupancy,
    subjects: HashMap<Vec<u8>, BinSums>,
    seen: SeenRows,
}

/// A release of rows that has to be paid for: private data. The rows are borrowed until the draw.
pub type PreparedOccupancy<'a> = PreparedInBall<Occupancy, RowsData<'a>>;

/// What a radius is bought from, and the sums in its ball.
pub enum RowsData<'a> {
    /// The bin means of all subjects, which are encoded again in the ball that was bought.
    Rows(&'a LongRows),
    /// The sums in every ball that can be bought.
    Nested(Box<Nested<Occupancy>>),
}

impl From<Nested<Occupancy>> for RowsData<'_> {
    fn from(nested: Nested<Occupancy>) -> Self {
        Self::Nested(Box::new(nested))
    }
}

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
    pub(crate) fn of(plan: PlannedOccupancy) -> Self {
        Self { plan, subjects: HashMap::new(), seen: SeenRows::default() }
    }

    /// The public plan: in the stated ball, where the radius is bought.
    pub fn mechanism(&self) -> &Mechanism<Occupancy> {
        self.plan.sums().mechanism()
    }

    /// Adds a row. One outside the domain, and one without a finite time and value, counts as no row; its subject is a record all the
    /// same.
    pub fn push(&mut self, subject: &[u8], time: f64, value: f64) {
        let statistic = self.plan.sums().mechanism().statistic();
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

    /// Adds rows of the same table that another reader took. A subject may have rows in both.
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
        match self.plan.sums() {
            Sums::Stated(mechanism) => Ok(PreparedOccupancy::stated(mechanism.prepare_all(self.subjects.values())?)),
            Sums::Bought(steps, _) => {
                let found = self.subjects.len() as u64;
                if !self.plan.shares_of(found)?.buys() {
                    return Ok(PreparedOccupancy::stated(steps.stated().prepare_all(self.subjects.values())?));
                }
                Ok(PreparedOccupancy::buying(steps.clone(), RowsData::Rows(self), found)?)
            }
        }
    }

    /// The exact sums of these rows, as one part of a table whose other subjects are elsewhere. Where a radius is bought, there is a sum
    /// for each radius: the rows are not needed again.
    ///
    /// `key` is a secret of the curator, the same for all parts: with it a subject in two parts is found. Parts without one cannot be
    /// joined.
    ///
    /// # Errors
    /// [`PartialError::Mechanism`] for more than `2^40` subjects.
    pub fn part(&self, part: PartId, key: Option<&FingerprintKey>) -> Result<OccupancyPart, PartialError> {
        let key = key.map(|key| key.under(&self.plan.digest()));
        let key = key.as_ref();
        let sums = match self.plan.sums() {
            Sums::Stated(mechanism) => FinishedSums::Stated(self.partial(mechanism, part, key)?),
            Sums::Bought(steps, radius) => {
                let norms = self.partial(radius, part, key)?;
                let sum = |inner: Occupancy| Ok((inner.ball().radius(), self.sum(&inner, *steps.mean.body())?));
                let sums = balls(steps.mean.statistic()).map(sum).collect::<Result<_, LatticeError>>()?;
                FinishedSums::Nested(Nested { norms, sums })
            }
        };
        Ok(OccupancyPart::new(self.plan.clone(), sums))
    }

    fn partial<S>(
        &self,
        mechanism: &Mechanism<S>,
        part: PartId,
        key: Option<&FingerprintKey>,
    ) -> Result<Partial<S>, PartialError>
    where
        S: for<'a> Statistic<Record<'a> = &'a BinSums>,
    {
        let mut partial = mechanism.partial(part);
        for (subject, sums) in &self.subjects {
            match key {
                Some(key) => partial.add_of(key, subject, sums)?,
                None => partial.add(sums)?,
            }
        }
        Ok(partial)
    }

    fn sum(&self, statistic: &Occupancy, body: WeightedBall) -> Result<ExactSum<WeightedBall>, LatticeError> {
        let (mut scratch, mut vector, mut sum) = (statistic.scratch(), body.vector(), ExactSum::new(body));
        for record in self.subjects.values() {
            body.reset(&mut vector);
            statistic.encode(record, &mut scratch, &mut vector);
            sum.add(&vector)?;
        }
        Ok(sum)
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

impl BallData<Occupancy> for RowsData<'_> {
    /// Where the bin means of all subjects are there, a second look at them, in the bought ball, is free.
    fn run<A: Answers>(
        self,
        steps: &Steps<Occupancy>,
        answers: &mut A,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<Occupancy>, RestoreError> {
        let rows = match self {
            Self::Rows(rows) => rows,
            Self::Nested(nested) => return nested.run(steps, answers, ledger),
        };
        let mut bought = Bought::stated(steps.mean.statistic().ball().clone());
        if let Some(mechanism) = &steps.radius {
            bought = bought.with_radius(answers.answer(rows.prepared(mechanism), None)?);
        }
        answers.answer(rows.prepared(&steps.in_bought(bought)), ledger)
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match self {
            Self::Rows(rows) => {
                fingerprint_records(rows.subjects.values().map(BinSums::digest).collect(), fingerprinter);
            }
            Self::Nested(nested) => nested.fingerprint(fingerprinter),
        }
    }
}

impl fmt::Debug for LongRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LongRows(..)")
    }
}
