//! Folds: which records are left out together.

use rand::Rng;
use rand::seq::SliceRandom;
use thiserror::Error;

#[cfg(test)]
#[path = "folds_tests.rs"]
mod tests;

/// Why folds were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FoldError {
    #[error("at least 2 folds are needed, got {folds}")]
    TooFew { folds: usize },
    #[error("{folds} folds need at least {folds} records (subjects or curves), got {records}")]
    TooMany { folds: usize, records: usize },
    #[error("fold {fold} (counted from 0) has no record; number the folds from 0 without gaps")]
    Empty { fold: usize },
}

/// A partition of records into folds, each left out once.
///
/// A record is what a release protects. If a [`CurveSet`](dpfda_smoothing::CurveSet) has subjects, all curves of a
/// person are one record and are therefore in one fold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    members: Vec<Vec<usize>>,
}

impl Folds {
    /// Deals records at random into folds whose sizes differ by at most one. The same generator gives the same folds.
    pub fn random<R: Rng + ?Sized>(records: usize, folds: usize, rng: &mut R) -> Result<Self, FoldError> {
        if folds < 2 {
            return Err(FoldError::TooFew { folds });
        }
        if folds > records {
            return Err(FoldError::TooMany { folds, records });
        }
        let mut order: Vec<usize> = (0..records).collect();
        order.shuffle(rng);
        let mut members = vec![Vec::with_capacity(records.div_ceil(folds)); folds];
        for (place, record) in order.into_iter().enumerate() {
            members[place % folds].push(record);
        }
        Ok(Self { members })
    }

    /// Makes one fold for each record.
    pub fn leave_one_out(records: usize) -> Result<Self, FoldError> {
        if records < 2 {
            return Err(FoldError::TooFew { folds: records });
        }
        Ok(Self { members: (0..records).map(|record| vec![record]).collect() })
    }

    /// Makes folds from the number of the fold of each record, counted from 0.
    pub fn assigned(fold_of_record: &[usize]) -> Result<Self, FoldError> {
        let folds = fold_of_record.iter().max().map_or(0, |last| last.saturating_add(1));
        if folds < 2 {
            return Err(FoldError::TooFew { folds });
        }
        if folds > fold_of_record.len() {
            let empty = (0..folds).find(|fold| !fold_of_record.contains(fold));
            return Err(FoldError::Empty { fold: empty.unwrap_or_default() });
        }
        let mut members = vec![Vec::new(); folds];
        for (record, &fold) in fold_of_record.iter().enumerate() {
            members[fold].push(record);
        }
        match members.iter().position(Vec::is_empty) {
            Some(fold) => Err(FoldError::Empty { fold }),
            None => Ok(Self { members }),
        }
    }

    /// The number of folds.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The number of records in all folds together.
    pub fn records(&self) -> usize {
        self.members.iter().map(Vec::len).sum()
    }

    /// The records of each fold, as places in [`CurveSet::records`](dpfda_smoothing::CurveSet::records).
    pub fn members(&self) -> impl ExactSizeIterator<Item = &[usize]> + Clone {
        self.members.iter().map(Vec::as_slice)
    }
}
