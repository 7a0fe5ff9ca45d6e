//! From curves to a private release of their distribution at each point.

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::{
    AtHand, BallShares, Fingerprinter, Mechanism, Prepared, PrivateData, Release, Statistic, Terms, Want, Wanted,
    add_records, sum_shares,
};
use dpfda_privacy::{
    Body, ClippedBall, ExactSum, LatticeError, Law, OneHot, OneHotVector, Orthant, PrivacyUnit, Randomness,
};
use dpfda_smoothing::{Ball, BoundedCurves, CurveSet};

use crate::centiles::centiles_error::CentilesError;
use crate::centiles::{Centiles, DEFAULT_CENTILES};
use crate::coordinates::encode::CurveRecord;
use crate::purchase::ball_data::digest_of;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::release_error::ReleaseError;
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

/// The noise of the whole surface is at most a tenth of a radius: `sqrt(2) / (mu N) <= 0.1`.
const MOST_NOISE: f64 = 0.1;

/// As many records lie beyond a centile at least.
const BEYOND: f64 = 10.0;

/// Private centile curves, for substitute-one or add/remove-one.
///
/// ```text
/// noise of F(t, y):  sqrt(2) tau sqrt(n m) / (N mu),     tau^2 = a / (hi - lo),  a the largest mean absolute distance from the centre
/// ```
///
/// The chart that follows from it, its band and what speaks against normal values are `dpfda_analysis::Chart`, at no further cost. By default a
/// share of the budget buys a smaller distance `a`, and no more than 2% of the records are pulled.
///
/// # Examples
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{Centiles, PrivateCentiles};
/// use dpfda_smoothing::CurveSet;
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let grid = Grid::uniform(0.0, 1.0, 30)?;
/// let values = Array2::from_shape_fn((2000, 30), |(i, j)| 0.3 + 0.4 * (i as f64 / 2000.0) + 0.002 * j as f64);
/// let curves = CurveSet::new(grid.clone(), values)?;
/// let ball = Centiles::ball_within((0.0, 1.0), None, None, &grid)?;
/// let release = PrivateCentiles::new(ball, PrivacyBudget::new(2.0, 1e-5)?).release(&curves, &mut SystemRandomness::new()?)?;
/// let shares = Centiles::shares_below(&release);
/// assert_eq!(shares.values.dim(), (30, 63));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateCentiles {
    ball: Ball,
    terms: Terms,
    shown: Vec<f64>,
    levels: Option<usize>,
    threads: NonZeroUsize,
}

on_terms!(PrivateCentiles: neighbours calibration buying wanting);

/// A release of centiles that has to be paid for: private data. Curves are borrowed until the draw.
pub type PreparedCentiles<'a> = Prepared<Centiles, CentileData<'a>>;

/// Curves in memory, which are encoded once more in the ball that was bought: private data.
pub struct CentileData<'a> {
    curves: &'a CurveSet,
    threads: NonZeroUsize,
}

impl PrivateCentiles {
    /// The centiles 5, 25, 50, 75 and 95 of curves in this ball, which has bounds: see [`Centiles::ball_within`].
    pub fn new(ball: Ball, terms: impl Into<Terms>) -> Self {
        let (shown, threads) = (DEFAULT_CENTILES.to_vec(), NonZeroUsize::MIN);
        Self { ball, terms: terms.into(), shown, levels: None, threads }
    }

    /// Sets which centiles are shown, in percent: it changes nothing of the noise.
    #[must_use]
    pub fn showing(mut self, centiles: Vec<f64>) -> Self {
        self.shown = centiles;
        self
    }

    /// Sets the number of levels (default: 63).
    #[must_use]
    pub fn levels(mut self, levels: usize) -> Self {
        self.levels = Some(levels);
        self
    }

    /// Sets how many threads encode (default: one). The integers are the same for every number.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Everything public about a release of so many curves on this grid.
    ///
    /// # Errors
    /// [`ReleaseError`]
    pub fn mechanism(
        &self,
        grid: &Grid,
        unit: PrivacyUnit,
        records: Option<usize>,
    ) -> Result<Mechanism<Centiles>, ReleaseError> {
        let statistic = Centiles::new(self.ball.clone(), grid.clone(), self.levels, self.shown.clone())?;
        let shares = self.shares(records)?;
        Ok(Mechanism::new(statistic, self.terms.clone().unit(unit).buying(shares))?)
    }

    /// The centre is stated: one that is bought costs more than it saves.
    fn shares(&self, records: Option<usize>) -> Result<BallShares, ReleaseError> {
        let terms = match self.terms.wanted() {
            Some(wanted) if wanted.center == Want::Usual => {
                self.terms.clone().wanting(Wanted { center: Want::Nothing, ..wanted })
            }
            _ => self.terms.clone(),
        };
        Ok(terms.shares_of(records.map(|records| records as u64), true)?.unwrap_or_default())
    }

    /// Refuses a chart that the noise or the number of records would leave nothing of, where that number is public.
    ///
    /// # Errors
    /// [`CentilesError::TooNoisy`], [`CentilesError::TooFewBeyond`]
    pub fn check_records(&self, found: u64) -> Result<(), ReleaseError> {
        if !self.terms.has_public_records() {
            return Ok(());
        }
        let least = whole(2.0_f64.sqrt() / (MOST_NOISE * self.terms.gaussian()?.mu()));
        if found < least {
            return Err(CentilesError::TooNoisy { least, found }.into());
        }
        let needed = |centile: f64| whole(100.0 * BEYOND / centile.min(100.0 - centile));
        match self.shown.iter().find(|centile| found < needed(**centile)) {
            Some(&centile) => Err(CentilesError::TooFewBeyond { centile, least: needed(centile), found }.into()),
            None => Ok(()),
        }
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn prepare<'a>(&self, curves: &'a CurveSet) -> Result<PreparedCentiles<'a>, ReleaseError> {
        let records = curves.units();
        let mechanism = self.mechanism(curves.grid(), curves.unit(), Some(records))?;
        // whoever has no records at all is told that first
        mechanism.check_records(records as u64)?;
        self.check_records(records as u64)?;
        self.ball.bound(curves)?;
        Ok(mechanism.prepare_data(CentileData::new(curves, self.threads))?)
    }

    /// Releases the shares below each level: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        curves: &CurveSet,
        randomness: &mut R,
    ) -> Result<Release<Centiles>, ReleaseError> {
        Ok(self.prepare(curves)?.draw_unrecorded(randomness))
    }
}

fn whole(least: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; what is too large saturates")]
    let least = least.ceil() as u64;
    least
}

impl<'a> CentileData<'a> {
    /// These curves, encoded by so many threads.
    pub fn new(curves: &'a CurveSet, threads: NonZeroUsize) -> Self {
        Self { curves, threads }
    }

    fn bounded(&self, statistic: &Centiles) -> BoundedCurves<'_> {
        let bounded = statistic.ball().bound(self.curves);
        bounded.unwrap_or_else(|_| unreachable!("the ball was held against the grid"))
    }
}

fn checked<T>(sum: Result<T, LatticeError>) -> T {
    sum.unwrap_or_else(|_| unreachable!("the number of records was checked"))
}

impl AtHand for CentileData<'_> {}

/// The curves are there: a second look at them, in the bought ball, is free.
impl PrivateData<Centiles> for CentileData<'_> {
    fn records(&self) -> u64 {
        self.curves.units() as u64
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        digest_of(self.curves, |_, _| Vec::new()).fingerprint(fingerprinter);
    }

    /// The centre is stated.
    fn center(&mut self, _stated: &Centiles, body: &ClippedBall) -> ExactSum<ClippedBall> {
        ExactSum::new(body.clone())
    }

    fn radius(&mut self, stated: &Centiles, body: &OneHot) -> ExactSum<OneHot> {
        let bounded = self.bounded(stated);
        let orthant = stated.body(&Law::GAUSSIAN);
        checked(sum_shares(body, CurveRecord::shares(&bounded, self.threads), |share, sum| {
            let (mut scratch, mut vector) = (stated.scratch(), orthant.vector());
            add_records(body, sum, share, |record, place: &mut OneHotVector| {
                vector.clear();
                stated.encode(record, &mut scratch, &mut vector);
                place.place(Norms::cell_of_mean_distance(&vector));
            })
        }))
    }

    fn last(self, bought: &Centiles, body: &Orthant) -> ExactSum<Orthant> {
        let bounded = self.bounded(bought);
        checked(sum_shares(body, CurveRecord::shares(&bounded, self.threads), |share, sum| {
            let mut scratch = bought.scratch();
            add_records(body, sum, share, |record, vector: &mut _| bought.encode(record, &mut scratch, vector))
        }))
    }
}

impl std::fmt::Debug for CentileData<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CentileData(..)")
    }
}
