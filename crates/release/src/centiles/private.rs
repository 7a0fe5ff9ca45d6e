//! From curves to a private release of their distribution at each point.

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::{
    AtHand, BallShares, Fingerprinter, Mechanism, Prepared, PrivateData, Release, Statistic, Terms, Want, Wanted,
    add_records, sum_records, sum_shares,
};
use dpfda_privacy::{Body, ClippedBall, ExactSum, Law, OneHot, OneHotVector, Orthant, PrivacyUnit, Randomness};
use dpfda_smoothing::{Ball, CurveSet};

use crate::centiles::centiles_error::CentilesError;
use crate::centiles::placed::CentileRecord;
use crate::centiles::{Centiles, DEFAULT_CENTILES};
use crate::coordinates::encode::CurveRecord;
use crate::purchase::ball_data::digest_of;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::release_error::ReleaseError;
use crate::rows::long::LongRows;
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

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
    is_of_rows: bool,
    threads: NonZeroUsize,
}

on_terms!(PrivateCentiles: neighbours calibration buying wanting);

/// A release of centiles that has to be paid for: private data. Curves and rows are borrowed until the draw.
pub type PreparedCentiles<'a> = Prepared<Centiles, CentileData<'a>>;

/// Records in memory, which are encoded once more in the ball that was bought: private data.
pub enum CentileData<'a> {
    /// Curves, encoded by so many threads.
    Curves(&'a CurveSet, NonZeroUsize),
    /// The rows of all subjects.
    Rows(&'a LongRows<Centiles>),
}

impl PrivateCentiles {
    /// The centiles 5, 25, 50, 75 and 95 of curves in this ball, which has bounds: see [`Centiles::ball_within`].
    pub fn new(ball: Ball, terms: impl Into<Terms>) -> Self {
        let (shown, threads) = (DEFAULT_CENTILES.to_vec(), NonZeroUsize::MIN);
        Self { ball, terms: terms.into(), shown, levels: None, is_of_rows: false, threads }
    }

    /// Takes [rows](PrivateCentiles::rows) at times of their own, in a ball of [`Centiles::ball_of_rows_within`]. The noise is 1.12 times that
    /// of curves: what records are weighed with is private too.
    #[must_use]
    pub fn of_rows(self) -> Self {
        Self { is_of_rows: true, ..self }
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
        let statistic = if self.is_of_rows { statistic.of_rows()? } else { statistic };
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
        let least = Centiles::least_records(self.terms.gaussian()?.mu(), self.is_of_rows);
        if found < least {
            return Err(CentilesError::TooNoisy { least, found }.into());
        }
        Ok(Centiles::check_beyond(&self.shown, found)?)
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn prepare<'a>(&self, curves: &'a CurveSet) -> Result<PreparedCentiles<'a>, ReleaseError> {
        self.ball.bound(curves)?;
        self.prepare_on(curves.grid(), curves.unit(), CentileData::Curves(curves, self.threads))
    }

    /// Does everything but the noise with rows.
    ///
    /// # Errors
    /// As [`PrivateCentiles::prepare`].
    pub fn prepare_rows<'a>(&self, rows: &'a LongRows<Centiles>) -> Result<PreparedCentiles<'a>, ReleaseError> {
        let mechanism = rows.mechanism();
        self.prepare_on(mechanism.statistic().grid(), mechanism.guarantee().unit(), CentileData::Rows(rows))
    }

    fn prepare_on<'a>(
        &self,
        grid: &Grid,
        unit: PrivacyUnit,
        data: CentileData<'a>,
    ) -> Result<PreparedCentiles<'a>, ReleaseError> {
        let records = data.records();
        // curves have no weights, and rows have: a record of the other kind would count as nothing
        let own = Self { is_of_rows: matches!(data, CentileData::Rows(_)), ..self.clone() };
        #[allow(clippy::cast_possible_truncation, reason = "as many as memory holds")]
        let mechanism = own.mechanism(grid, unit, Some(records as usize))?;
        // whoever has no records at all is told that first
        mechanism.check_records(records)?;
        own.check_records(records)?;
        Ok(mechanism.prepare_data(data)?)
    }

    /// Takes rows of subjects, one after the other: each counts at the nearest point of this grid.
    ///
    /// # Errors
    /// [`ReleaseError`]
    pub fn rows(&self, grid: &Grid) -> Result<LongRows<Centiles>, ReleaseError> {
        self.rows_of_unit(grid, PrivacyUnit::Subject)
    }

    fn rows_of_unit(&self, grid: &Grid, unit: PrivacyUnit) -> Result<LongRows<Centiles>, ReleaseError> {
        Ok(LongRows::new(self.clone().of_rows().mechanism(grid, unit, None)?))
    }

    /// The rows of curves at the points of a grid: the values that each record was seen with. A missing value is no row, and is filled with
    /// nothing.
    ///
    /// # Errors
    /// [`ReleaseError`]
    pub fn rows_of(&self, curves: &CurveSet, grid: &Grid) -> Result<LongRows<Centiles>, ReleaseError> {
        let mut rows = self.rows_of_unit(grid, curves.unit())?;
        rows.push_curves(curves);
        Ok(rows)
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

impl CentileData<'_> {
    /// Sums what each record becomes in a body, by an encoder of its own for each thread; by several threads where there are curves.
    fn summed<B: Body + Send + Sync, F: FnMut(CentileRecord<'_>, &mut B::Vector)>(
        &self,
        statistic: &Centiles,
        body: &B,
        encoder: impl Fn() -> F + Sync,
    ) -> ExactSum<B>
    where
        B::Sum: Send,
    {
        let sum = match self {
            Self::Curves(curves, threads) => {
                let bounded = statistic.ball().bound(curves);
                let bounded = bounded.unwrap_or_else(|_| unreachable!("the ball was held against the grid"));
                sum_shares(body, CurveRecord::shares(&bounded, *threads), |share, sum| {
                    let mut encode = encoder();
                    add_records(body, sum, share, |record, vector: &mut _| {
                        encode(CentileRecord::Curves(record), vector);
                    })
                })
            }
            Self::Rows(rows) => {
                let mut encode = encoder();
                sum_records(body, rows.records(), |record, vector: &mut _| {
                    encode(CentileRecord::Rows(record), vector);
                })
            }
        };
        sum.unwrap_or_else(|_| unreachable!("the number of records was checked"))
    }
}

impl AtHand for CentileData<'_> {}

/// The records are there: a second look at them, in the bought ball, is free.
impl PrivateData<Centiles> for CentileData<'_> {
    fn records(&self) -> u64 {
        match self {
            Self::Curves(curves, _) => curves.units() as u64,
            Self::Rows(rows) => rows.records().len() as u64,
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match self {
            Self::Curves(curves, _) => digest_of(curves, |_, _| Vec::new()).fingerprint(fingerprinter),
            Self::Rows(rows) => rows.digest().fingerprint(fingerprinter),
        }
    }

    /// The centre is stated.
    fn center(&mut self, _stated: &Centiles, body: &ClippedBall) -> ExactSum<ClippedBall> {
        ExactSum::new(body.clone())
    }

    fn radius(&mut self, stated: &Centiles, body: &OneHot) -> ExactSum<OneHot> {
        let orthant = stated.body(&Law::GAUSSIAN);
        self.summed(stated, body, || {
            let (mut scratch, mut vector) = (stated.scratch(), orthant.vector());
            move |record: CentileRecord<'_>, place: &mut OneHotVector| {
                vector.clear();
                stated.encode(record, &mut scratch, &mut vector);
                place.place(Norms::cell_of_mean_distance(stated.squared_norm(&vector)));
            }
        })
    }

    fn last(self, bought: &Centiles, body: &Orthant) -> ExactSum<Orthant> {
        self.summed(bought, body, || {
            let mut scratch = bought.scratch();
            move |record: CentileRecord<'_>, vector: &mut _| bought.encode(record, &mut scratch, vector)
        })
    }
}

impl std::fmt::Debug for CentileData<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CentileData(..)")
    }
}
