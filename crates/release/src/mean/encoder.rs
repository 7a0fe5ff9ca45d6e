//! Curves become integers as they come in: a part of a mean, in memory that does not grow with the number of curves.

use std::collections::HashMap;

use dpfda_kernels::Grid;
use dpfda_mechanism::{FingerprintKey, PartId, PartialError, RowDigest};
use dpfda_privacy::{NonPrivate, PersonSum, PrivacyUnit};
use dpfda_smoothing::{CurveBatch, CurveSource, MissingCells, TableError, has_infinite, similar_ids};
use ndarray::{ArrayView1, ArrayView2, Axis};
use thiserror::Error;

use crate::mean::domain::MeanDomain;
use crate::mean::sums::MeanSums;
use crate::mean::viewer::MeanViewer;
use crate::mean::{Mean, MeanMechanism};
use crate::parts::part::Part;
use crate::parts::plan::Plan;
use crate::release_error::ReleaseError;

#[cfg(test)]
#[path = "encoder_tests.rs"]
mod tests;

/// Curves of an array that are looked at together, so that they stay in the cache.
const BLOCK: usize = 64;

/// Why a curve was not added. No variant carries a value of the data.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EncodeError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("a curve has {found} values, but the grid of the plan has {points} points")]
    Points { points: usize, found: usize },
    #[error("the curves are on another grid than the plan")]
    Grid,
    #[error("a value of curve {row} (counted from 0) is infinite; a missing value must be NaN")]
    Infinite { row: u64 },
    #[error(
        "{}",
        if *needed { "by its plan a record is a subject: give the subject of every curve" }
        else { "by its plan each curve is a record: no subject can be given" }
    )]
    Subject { needed: bool },
    #[error("{ids} subject ids were given for {curves} curves; give one id for each curve")]
    Subjects { curves: usize, ids: usize },
    #[error(transparent)]
    Partial(#[from] PartialError),
}

/// What a plan of curves or surfaces can do.
impl<D: MeanDomain> Plan<Mean<D>> {
    /// The domain: the points the records are seen at.
    pub fn grid(&self) -> &D {
        self.mechanism().statistic().grid()
    }

    /// The grid of the columns of a table that has a record in each row.
    pub fn columns(&self) -> Grid {
        self.grid().columns().unwrap_or_else(|_| unreachable!("the plan has a domain"))
    }

    /// What encodes a part of the data.
    ///
    /// `key` is a secret of the curator, the same for all parts of subjects that are to be joined: with it a subject in two parts
    /// is found. Data in one part need none.
    pub fn encoder(&self, part: PartId, key: Option<FingerprintKey>) -> MeanEncoder<D> {
        let sums = MeanSums::new(self.encoded(), part);
        let sums = sums.unwrap_or_else(|_| unreachable!("the ball of a mean fits its grid"));
        MeanEncoder::new(self.clone(), sums, key.map(|key| key.under(&self.first().digest())))
    }
}

/// What a plan of curves can do.
impl Plan<Mean> {
    /// What looks at a release through the smoother of the plan.
    pub fn viewer(&self) -> Result<MeanViewer, ReleaseError> {
        let is_before_noise = matches!(self.mechanism().statistic().mechanism(), MeanMechanism::CameronMartin(_));
        self.view().viewer(self.grid(), !is_before_noise)
    }
}

/// Encodes curves as they come in: nothing of a curve is kept but its part of exact sums.
///
/// Where a record is a subject, one integer sum is kept for each subject who may still have a curve to come: about `8 n` bytes
/// for `n` points. For curves that are sorted by subject
/// ([`MeanEncoder::sorted`]) one subject at a time is open.
///
/// The exact sums do not depend on the order of curves, nor on how they are divided among encoders that are joined.
pub struct MeanEncoder<D: MeanDomain = Grid> {
    plan: Plan<Mean<D>>,
    columns: Grid,
    key: Option<FingerprintKey>,
    is_sorted: bool,
    rows: u64,
    sums: MeanSums<D>,
    open: HashMap<Vec<u8>, PersonSum>,
    missing: MissingCells,
    /// What was decoded, where curves are encoded twice.
    decoded: Option<RowDigest>,
}

impl<D: MeanDomain> MeanEncoder<D> {
    fn new(plan: Plan<Mean<D>>, sums: MeanSums<D>, key: Option<FingerprintKey>) -> Self {
        let (columns, open, missing) = (plan.columns(), HashMap::new(), MissingCells::default());
        let decoded = plan.is_twice().then(RowDigest::new);
        Self { plan, columns, key, is_sorted: false, rows: 0, sums, open, missing, decoded }
    }

    /// The same for curves of which those of a subject follow one another: only the sum of one subject is kept. A subject who
    /// comes again later is refused ([`PartialError::SameSubject`]). It needs a key.
    #[must_use]
    pub fn sorted(self) -> Self {
        Self { is_sorted: self.key.is_some(), ..self }
    }

    /// Adds a curve that is a record: one value for each point of the plan's grid, NaN where missing.
    ///
    /// # Errors
    /// [`EncodeError`]; the curve has not been added then.
    pub fn push(&mut self, curve: &[f64]) -> Result<(), EncodeError> {
        if self.plan.unit() == PrivacyUnit::Subject {
            return Err(EncodeError::Subject { needed: true });
        }
        self.check(curve)?;
        self.add(curve)
    }

    fn add(&mut self, curve: &[f64]) -> Result<(), EncodeError> {
        self.sums.add(curve)?;
        self.note(None, curve);
        Ok(())
    }

    /// Adds a curve of a subject.
    ///
    /// # Errors
    /// [`EncodeError`]; the curve has not been added then.
    pub fn push_of(&mut self, subject: &[u8], curve: &[f64]) -> Result<(), EncodeError> {
        if self.plan.unit() != PrivacyUnit::Subject {
            return Err(EncodeError::Subject { needed: false });
        }
        self.check(curve)?;
        if self.is_sorted && !self.open.contains_key(subject) {
            self.close_all()?;
        }
        if let Some(person) = self.open.get_mut(subject) {
            self.sums.add_to(person, curve)?;
        } else {
            let mut person = self.sums.open();
            self.sums.add_to(&mut person, curve)?;
            self.open.insert(subject.to_owned(), person);
        }
        self.note(Some(subject), curve);
        Ok(())
    }

    /// Counts a curve that was added.
    fn note(&mut self, subject: Option<&[u8]>, curve: &[f64]) {
        self.rows += 1;
        if let Some(decoded) = &mut self.decoded {
            decoded.add(subject, curve);
        }
    }

    /// Adds the rows of an array, `curves x n`; rows that lie together in memory are not copied.
    ///
    /// # Errors
    /// [`EncodeError`]; curves before the one refused have been added.
    pub fn push_rows(&mut self, curves: ArrayView2<'_, f64>) -> Result<(), EncodeError> {
        if self.plan.unit() == PrivacyUnit::Subject && !curves.is_empty() {
            return Err(EncodeError::Subject { needed: true });
        }
        let mut copy = Vec::new();
        for block in curves.axis_chunks_iter(Axis(0), BLOCK) {
            // the memory of a block is read in one stream before anything else is done with it
            let unfit = block.rows().into_iter().position(|row| self.check(contiguous(row, &mut copy)).is_err());
            for row in block.rows().into_iter().take(unfit.unwrap_or(BLOCK)) {
                self.add(contiguous(row, &mut copy))?;
            }
            if let Some(unfit) = unfit {
                self.check(contiguous(block.row(unfit), &mut copy))?;
            }
        }
        Ok(())
    }

    /// Adds the rows of an array, each a curve of a subject.
    pub fn push_rows_of<S: AsRef<[u8]>>(
        &mut self,
        subjects: &[S],
        curves: ArrayView2<'_, f64>,
    ) -> Result<(), EncodeError> {
        if subjects.len() != curves.nrows() {
            return Err(EncodeError::Subjects { curves: curves.nrows(), ids: subjects.len() });
        }
        let mut copy = Vec::new();
        for (subject, row) in subjects.iter().zip(curves.rows()) {
            self.push_of(subject.as_ref(), contiguous(row, &mut copy))?;
        }
        Ok(())
    }

    /// Adds all curves that are left in a table.
    ///
    /// # Errors
    /// [`EncodeError`]; do not go on with this encoder after an error.
    pub fn read(&mut self, source: &mut impl CurveSource) -> Result<(), EncodeError> {
        self.check_grid(source.grid())?;
        let mut batch = CurveBatch::new();
        while source.read(&mut batch)? {
            self.push_batch(&batch)?;
        }
        self.note_missing(source.missing_cells());
        Ok(())
    }

    /// Adds some curves of a table.
    ///
    /// # Errors
    /// As [`MeanEncoder::push`] and [`MeanEncoder::push_of`]; curves before the one refused have been added.
    pub fn push_batch(&mut self, batch: &CurveBatch) -> Result<(), EncodeError> {
        for (index, curve) in batch.curves().enumerate() {
            match batch.subject(index) {
                Some(subject) => self.push_of(subject, curve)?,
                None => self.push(curve)?,
            }
        }
        Ok(())
    }

    pub(crate) fn check_grid(&self, grid: &Grid) -> Result<(), EncodeError> {
        if *grid == self.columns { Ok(()) } else { Err(EncodeError::Grid) }
    }

    /// Adds what another encoder of the same part has: of another thread or file. A subject may have curves in both, unless they
    /// are sorted.
    pub fn absorb(&mut self, other: Self) -> Result<(), EncodeError> {
        if self.plan != other.plan {
            return Err(PartialError::OtherPlan.into());
        }
        self.sums.absorb(other.sums)?;
        self.rows += other.rows;
        self.missing.add(&other.missing);
        if let (Some(mine), Some(theirs)) = (&mut self.decoded, &other.decoded) {
            mine.merge(theirs);
        }
        for (subject, person) in other.open {
            match self.open.get_mut(&subject) {
                Some(mine) => mine.merge(&person).map_err(PartialError::from)?,
                None => {
                    self.open.insert(subject, person);
                }
            }
        }
        Ok(())
    }

    /// How many groups there are of subjects' ids that look alike, such as `S01` and `s1`, among those that are kept: see
    /// [`similar_ids`].
    pub fn similar_ids(&self) -> NonPrivate<usize> {
        NonPrivate::new(similar_ids(self.open.keys().map(Vec::as_slice)))
    }

    pub(crate) fn note_missing(&mut self, cells: &MissingCells) {
        self.missing.add(cells);
    }

    /// What was read as missing, of the curves that came from tables.
    pub fn missing_cells(&self) -> NonPrivate<&MissingCells> {
        NonPrivate::new(&self.missing)
    }

    /// The part, when all its curves have come.
    pub fn finish(mut self) -> Result<Part<Mean<D>>, PartialError> {
        self.close_all()?;
        Ok(Part::new(self.plan, self.sums.finish()?, ()).decoded(self.decoded))
    }

    /// Ends all subjects that are open.
    pub(crate) fn close_all(&mut self) -> Result<(), PartialError> {
        for (subject, person) in self.open.drain() {
            let tagged = self.key.as_ref().map(|key| (key, subject.as_slice()));
            self.sums.close(tagged, &person)?;
        }
        Ok(())
    }

    fn check(&self, curve: &[f64]) -> Result<(), EncodeError> {
        let points = self.columns.len();
        if curve.len() != points {
            return Err(EncodeError::Points { points, found: curve.len() });
        }
        if has_infinite(curve) {
            return Err(EncodeError::Infinite { row: self.rows });
        }
        Ok(())
    }
}

/// A row as it lies in memory, or a copy of it.
fn contiguous<'a>(row: ArrayView1<'a, f64>, copy: &'a mut Vec<f64>) -> &'a [f64] {
    row.to_slice().unwrap_or_else(move || {
        copy.clear();
        copy.extend(row);
        copy.as_slice()
    })
}

dpfda_privacy::opaque!(MeanEncoder<D: MeanDomain>);
