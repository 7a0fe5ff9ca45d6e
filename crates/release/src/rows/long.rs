//! Rows of subjects as they come in, and what is released of them.

use dpfda_mechanism::{
    AtHand, FingerprintKey, Fingerprinter, Mechanism, PartId, Partial, PartialError, Prepared, PrivateData, Release,
    RowDigest, Statistic, sum_records,
};
use dpfda_privacy::{
    Body, ClippedBall, ExactSum, LatticeError, Law, NonPrivate, OneHot, OneHotVector, Randomness, WeightedBall,
};
use dpfda_smoothing::{CurveBatch, CurveSet, CurveSource, Ids, TableError, similar_ids};

use crate::parts::part::Part;
use crate::parts::plan::{InParts, Plan};
use crate::purchase::norms::Norms;
use crate::release_error::ReleaseError;
use crate::rows::Rows;
use crate::rows::every_ball::{EveryBall, Sums, balls_of};
use crate::rows::of_rows::{KeptRows, OfRows};

#[cfg(test)]
#[path = "long_tests.rs"]
mod tests;

/// From this share of rows that count as none on, the curator is told.
const MANY_UNUSED: f64 = 0.1;

/// A distance above the radius by less than this part of it was rounded.
const ROUNDED: f64 = 1e-9;

/// Rows of subjects, as they come in: private data.
///
/// Of each subject it keeps the id, and what its statistic needs: for a mean some 6 bytes for each bin that the subject has a row in, for centiles
/// 8 bytes for each row. Rows of one subject may come in any order, with those of others between them: the exact sums are the same.
pub struct LongRows<S: OfRows = Rows> {
    plan: S::Plan,
    ids: Ids,
    /// In the order of the ids.
    subjects: Vec<S::Kept>,
    /// The subject of the row that came last.
    last: usize,
    seen: SeenRows,
}

/// A release of rows that has to be paid for: private data. The rows are borrowed until the draw.
pub type PreparedRows<'a> = Prepared<Rows, RowsData<'a>>;

/// What a mean of irregular curves is released from.
pub enum RowsData<'a> {
    /// The sum in the stated ball, and where a radius is bought those in every ball that can be.
    Sums(Box<(ExactSum<WeightedBall>, EveryBall)>),
    /// The bin means of all subjects, which are encoded again in the ball that was bought.
    Rows(&'a LongRows),
}

impl From<ExactSum<WeightedBall>> for RowsData<'_> {
    fn from(sum: ExactSum<WeightedBall>) -> Self {
        Rows::data(sum, EveryBall::default())
    }
}

impl InParts for Rows {
    type View = ();
    type Data = RowsData<'static>;
    type Beside = EveryBall;

    fn data(sum: ExactSum<WeightedBall>, beside: EveryBall) -> RowsData<'static> {
        RowsData::Sums(Box::new((sum, beside)))
    }
}

/// What a plan of a long table can do.
impl Plan<Rows> {
    /// Takes rows, one after the other.
    pub fn rows(&self) -> LongRows {
        LongRows::new(self.clone())
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

impl<S: OfRows> LongRows<S> {
    /// No rows yet, of this plan.
    pub(crate) fn new(plan: S::Plan) -> Self {
        Self { plan, ids: Ids::default(), subjects: Vec::new(), last: 0, seen: SeenRows::default() }
    }

    /// The public plan: in the stated ball, where the radius is bought.
    pub fn mechanism(&self) -> &Mechanism<S> {
        S::mechanism_of(&self.plan)
    }

    /// Adds a row. One outside the domain, and one without a finite time and value, counts as no row; its subject is a record all the
    /// same.
    pub fn push(&mut self, subject: &[u8], time: f64, value: f64) {
        let statistic = S::mechanism_of(&self.plan).statistic();
        let placed = statistic.place(time, value);
        self.seen.rows += 1;
        match placed {
            Some((_, part)) => {
                self.seen.clamped += u64::from(part.abs() == 1.0 || statistic.ball().clamp(value) != value);
            }
            None if time.is_finite() && value.is_finite() => self.seen.outside += 1,
            None => self.seen.missing += 1,
        }
        let place = self.ids.place_of(subject);
        if place != self.last {
            self.subjects[self.last].settle();
            self.last = place;
        }
        if place == self.subjects.len() {
            self.subjects.push(S::Kept::default());
        }
        if let Some((bin, value)) = placed {
            self.subjects[place].add(bin, value);
        }
    }

    /// What is kept of each subject: a record.
    pub(crate) fn records(&self) -> &[S::Kept] {
        &self.subjects
    }

    /// Adds the values of curves at the points of their grid. A missing value is no row.
    pub(crate) fn push_curves(&mut self, curves: &CurveSet) {
        let (times, values) = (curves.grid().points(), curves.values());
        for (record, curves) in curves.records().enumerate() {
            for &curve in &*curves {
                let cells = times.iter().zip(values.row(curve));
                cells.for_each(|(time, value)| self.push(&record.to_le_bytes(), *time, *value));
            }
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
        for (subject, kept) in other.ids.iter().zip(other.subjects) {
            let place = self.ids.place_of(subject);
            match self.subjects.get_mut(place) {
                Some(known) => known.merge(&kept),
                None => self.subjects.push(kept),
            }
        }
    }

    /// How many groups there are of subjects' ids that look alike, such as `S01` and `s1`: see [`similar_ids`].
    pub fn similar_ids(&self) -> NonPrivate<usize> {
        NonPrivate::new(similar_ids(self.ids.iter()))
    }

    /// How many rows there are of what kind, for the curator.
    pub fn seen(&self) -> NonPrivate<SeenRows> {
        let bins = self.subjects.iter().map(KeptRows::occupied).collect();
        NonPrivate::new(SeenRows { bins, ..self.seen.clone() })
    }

    /// How many records are farther from the centre than the stated radius, and how many have rows, for the curator's eyes.
    pub fn pulled(&self) -> NonPrivate<(usize, usize)> {
        let statistic = self.mechanism().statistic();
        let radius = statistic.ball().radius();
        let distances = self.subjects.iter().filter_map(|kept| statistic.distance(kept));
        let is_farther = |distance: f64| distance > radius * (1.0 + ROUNDED);
        let count = |(pulled, all), distance| (pulled + usize::from(is_farther(distance)), all + 1);
        NonPrivate::new(distances.fold((0, 0), count))
    }

    /// A digest of what is kept of the subjects, whatever their names.
    pub(crate) fn digest(&self) -> RowDigest {
        let mut digest = RowDigest::new();
        self.subjects.iter().for_each(|kept| digest.add_words(kept.words()));
        digest
    }
}

impl LongRows {
    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError::Mechanism`] for fewer than 2 subjects, or for fewer than a radius that was asked for is bought from, where their number
    /// is public; nothing has been drawn or spent then.
    pub fn prepare(&self) -> Result<PreparedRows<'_>, ReleaseError> {
        let mechanism = self.plan.mechanism().of_records(self.subjects.len() as u64)?;
        if !mechanism.shares().buys() {
            return Ok(mechanism.prepare_all(&self.subjects)?.held_as());
        }
        Ok(mechanism.prepare_data(RowsData::Rows(self))?)
    }

    /// The exact sums of these rows, as one part of a table whose other subjects are elsewhere. Where a radius is bought, there is a sum
    /// for each radius: the rows are not needed again.
    ///
    /// `key` is a secret of the curator, the same for all parts: with it a subject in two parts is found. Parts without one cannot be
    /// joined.
    pub fn part(&self, part: PartId, key: Option<&FingerprintKey>) -> Result<Part<Rows>, PartialError> {
        let key = key.map(|key| key.under(&self.plan.digest()));
        let mechanism = self.plan.mechanism();
        let partial = self.partial(mechanism, part, key.as_ref())?;
        let beside = mechanism.shares().buys().then(|| -> Result<_, LatticeError> {
            let sum = |inner: Rows| Ok((inner.ball().radius(), self.sum(&inner, mechanism.body())?));
            let balls = balls_of(mechanism).map(sum).collect::<Result<_, LatticeError>>()?;
            Ok(Sums { subjects: self.digest(), counts: self.counts(mechanism.statistic(), &Norms::body(1))?, balls })
        });
        Ok(Part::new(self.plan.clone(), partial, EveryBall(beside.transpose()?)))
    }

    fn partial(
        &self,
        mechanism: &Mechanism<Rows>,
        part: PartId,
        key: Option<&FingerprintKey>,
    ) -> Result<Partial<Rows>, PartialError> {
        let mut partial = mechanism.partial(part);
        for (subject, sums) in self.ids.iter().zip(&self.subjects) {
            match key {
                Some(key) => partial.add_of(key, subject, sums)?,
                None => partial.add(sums)?,
            }
        }
        Ok(partial)
    }

    fn sum(&self, statistic: &Rows, body: &WeightedBall) -> Result<ExactSum<WeightedBall>, LatticeError> {
        let mut scratch = statistic.scratch();
        sum_records(body, &self.subjects, |record, vector| statistic.encode(record, &mut scratch, vector))
    }

    fn counts(&self, statistic: &Rows, body: &OneHot) -> Result<ExactSum<OneHot>, LatticeError> {
        // the body of normal noise, which is the only one that buys
        let rows = statistic.body(&Law::GAUSSIAN);
        let (mut scratch, mut vector) = (statistic.scratch(), rows.vector());
        sum_records(body, &self.subjects, |record, place: &mut OneHotVector| {
            rows.reset(&mut vector);
            statistic.encode(record, &mut scratch, &mut vector);
            place.place(Norms::cell_of(vector.parts().0));
        })
    }

    /// Releases the sums: **spends the budget**, and no ledger remembers it.
    pub fn release<R: Randomness + ?Sized>(&self, randomness: &mut R) -> Result<Release<Rows>, ReleaseError> {
        Ok(self.prepare()?.draw_unrecorded(randomness))
    }
}

impl AtHand for RowsData<'_> {}

/// Where the bin means of all subjects are there, a second look at them, in the bought ball, is free.
impl PrivateData<Rows> for RowsData<'_> {
    fn records(&self) -> u64 {
        match self {
            Self::Sums(sums) => sums.0.records(),
            Self::Rows(rows) => rows.subjects.len() as u64,
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match self {
            Self::Sums(sums) => match &sums.1.0 {
                Some(Sums { subjects, .. }) => subjects.fingerprint(fingerprinter),
                None => sums.0.absorb(|bytes| fingerprinter.add(bytes)),
            },
            Self::Rows(rows) => rows.digest().fingerprint(fingerprinter),
        }
    }

    /// The centre of rows is stated.
    fn center(&mut self, _stated: &Rows, body: &ClippedBall) -> ExactSum<ClippedBall> {
        ExactSum::new(body.clone())
    }

    fn radius(&mut self, centered: &Rows, body: &OneHot) -> ExactSum<OneHot> {
        match self {
            Self::Sums(sums) => {
                let nobody = || ExactSum::new(*body);
                sums.1.0.as_mut().map_or_else(nobody, |sums| std::mem::replace(&mut sums.counts, nobody()))
            }
            Self::Rows(rows) => checked(rows.counts(centered, body)),
        }
    }

    fn last(self, bought: &Rows, body: &WeightedBall) -> ExactSum<WeightedBall> {
        match self {
            Self::Sums(sums) => match (*sums, bought.bought()) {
                ((_, EveryBall(Some(sums))), Some(_)) => sums.of_radius(bought.ball().radius()),
                ((stated, _), _) => stated,
            },
            Self::Rows(rows) => checked(rows.sum(bought, body)),
        }
    }
}

fn checked<T>(sum: Result<T, LatticeError>) -> T {
    sum.unwrap_or_else(|_| unreachable!("the number of records was checked"))
}

dpfda_privacy::opaque!(LongRows<S: OfRows>);
