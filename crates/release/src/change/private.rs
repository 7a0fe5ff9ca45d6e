//! From curves of visits to a private release of the change.

use std::borrow::Cow;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Mechanism, Prepared, Release, Terms};
use dpfda_privacy::{GroupedBall, PrivacyUnit, Randomness};
use dpfda_smoothing::{Ball, CurveSet, TextColumn};
use thiserror::Error;

use crate::change::{Change, ChangeOf};
use crate::groups::Partition;
use crate::groups::document::hidden_counts;
use crate::groups::private::{GroupedCurves, GroupsError, mean_of_groups};
use crate::mean::private::{MomentsChoice, mean_in};
use crate::purchase::ball_data::{self, BallData};
use crate::release_error::ReleaseError;
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

/// Why a change was not released. Nothing in it depends on the values of curves, nor on who has which visit.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ChangeError {
    #[error("there must be one visit or time for each curve: {cells} of them for {curves} curves")]
    Cells { curves: usize, cells: usize },
    #[error("a change is that of a person: say whose each curve is")]
    NoSubjects,
    #[error(
        "{records} people are too few: with this budget the noise hides how many of them have a change, and nothing could be said of it; \
         it takes {least} or more"
    )]
    TooFew { records: u64, least: u64 },
    #[error(transparent)]
    Groups(#[from] GroupsError),
}

/// A private mean of the changes of people between two visits, or with time, for substitute-one or add/remove-one.
///
/// ```text
/// substitute:    noise 2 tau / mu on the sum of changes; who has one, and second moments, at no extra cost
/// add/remove:    noise sqrt(5/4) tau / mu
/// ```
///
/// `tau` bounds a change. By default a part of `mu^2` buys it, where there are enough records, and `mu` is that of the rest. The proof is
/// `docs/proofs/change.md`. Of two releases of the visits each has noise of the radius of curves, which is larger than that of changes.
///
/// # Examples
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{Change, ChangeOf, PrivateChange};
/// use dpfda_smoothing::{Ball, Center, CurveSet, TextColumn};
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // each of 500 people twice, the second time 0.1 lower
/// let values = Array2::from_shape_fn((1000, 30), |(i, j)| ((i / 2 + j) % 9) as f64 / 9.0 - 0.1 * (i % 2) as f64);
/// let ids: Vec<usize> = (0..1000).map(|i| i / 2).collect();
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 30)?, values)?.with_subjects(&ids)?;
/// let visits = TextColumn::new((0..1000).map(|i| Some((1 + i % 2).to_string())).collect());
/// let of = ChangeOf::Visits { column: "visit".to_owned(), from: "1".to_owned(), to: "2".to_owned() };
/// let change = PrivateChange::new(Ball::new(Center::Constant(0.0), 0.3)?, PrivacyBudget::new(1.0, 1e-5)?, of);
/// let release = change.release(&curves, &visits, &mut SystemRandomness::new()?)?;
/// assert!((Change::groups(&release)[0].records - 500.0).abs() < 100.0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateChange {
    ball: Ball,
    terms: Terms,
    of: ChangeOf,
    moments: MomentsChoice,
}

/// A release of a change that has to be paid for: private data.
pub type PreparedChange = Prepared<Change, BallData<GroupedBall, GroupedCurves<'static>>>;

on_terms!(PrivateChange: neighbours calibration buying wanting);

impl PrivateChange {
    /// The mean of changes in this ball: its centre is 0, or a change that is expected from public knowledge.
    pub fn new(ball: Ball, terms: impl Into<Terms>, of: ChangeOf) -> Self {
        Self { ball, terms: terms.into(), of, moments: MomentsChoice::Auto }
    }

    /// Sets whether second moments are released (default: where they are free).
    #[must_use]
    pub fn moments(mut self, moments: MomentsChoice) -> Self {
        self.moments = moments;
        self
    }

    /// Releases the mean change: **spends the budget**, and no ledger remembers it. `cells` say the visit or the time of each curve.
    ///
    /// # Errors
    /// [`ChangeError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        curves: &CurveSet,
        cells: &TextColumn,
        randomness: &mut R,
    ) -> Result<Release<Change>, ChangeError> {
        Ok(self.prepare(curves, cells)?.draw_unrecorded(randomness))
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ChangeError`]; nothing has been drawn or spent then.
    pub fn prepare(&self, curves: &CurveSet, cells: &TextColumn) -> Result<PreparedChange, ChangeError> {
        if cells.cells().len() != curves.len() {
            return Err(ChangeError::Cells { curves: curves.len(), cells: cells.cells().len() });
        }
        if curves.unit() != PrivacyUnit::Subject {
            return Err(ChangeError::NoSubjects);
        }
        let mechanism = self.mechanism(curves.grid(), Some(curves.units()))?;
        let records = curves.units() as u64;
        let mechanism = mechanism.of_records(records).map_err(refused)?;
        if let Some(least) = Change::least_records(&mechanism).filter(|least| records < *least) {
            return Err(ChangeError::TooFew { records, least });
        }
        let (changes, known) = self.of.of_records(curves, cells);
        let of_rows = known.into_iter().map(|is_known| is_known.then_some(0)).collect();
        Ok(ball_data::prepare(mechanism, GroupedCurves { curves: Cow::Owned(changes), of_rows }).map_err(refused)?)
    }

    /// The public plan of a release, before there are data, or of so many people. Whether a default buys a radius is for
    /// [`Mechanism::of_records`].
    ///
    /// # Errors
    /// [`ChangeError`]
    pub fn mechanism(&self, grid: &Grid, records: Option<usize>) -> Result<Mechanism<Change>, ChangeError> {
        self.of.check().map_err(GroupsError::from)?;
        // a change lies about what is expected of it: bounds alone buy no centre
        let shares = self.terms.shares_of(records.map(|records| records as u64), false);
        let shares = shares.map_err(refused)?.unwrap_or_default();
        let mean = mean_in(&self.ball, grid, &self.terms, shares).map_err(refused)?;
        let mean = mean_of_groups(mean, (1, self.of.membership()), (&self.terms, self.moments))?;
        let change = Change::new(mean, self.of.clone()).map_err(GroupsError::from)?;
        Ok(Mechanism::new(change, self.terms.clone().unit(PrivacyUnit::Subject).buying(shares)).map_err(refused)?)
    }
}

impl Change {
    /// The fewest people of whom a change is released, where their number is public: the noise hides that of fewer, whoever has a change.
    pub fn least_records(mechanism: &Mechanism<Self>) -> Option<u64> {
        mechanism.terms().has_public_records().then(|| Self::least_people(mechanism))
    }

    /// The fewest people with a change whose number noise does not hide.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of people")]
    pub fn least_people(mechanism: &Mechanism<Self>) -> u64 {
        hidden_counts(mechanism.statistic().count_sd(mechanism.noise())).floor() as u64 + 1
    }
}

fn refused(error: impl Into<ReleaseError>) -> GroupsError {
    GroupsError::Release(error.into())
}
