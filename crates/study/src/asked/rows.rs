//! The mean of what was seen, of a long table or of curves with gaps, that a study asks for.

use dpfda::kernels::Grid;
use dpfda::privacy::PrivacyBudget;
use dpfda::release::{BallShares, DEFAULT_BINS, PrivateRows, ReleaseError, Rows};
use dpfda::smoothing::CurveLayout;

use crate::asked::ball::PublicBall;
use crate::asked::band::BandChoice;
use crate::checked::Checked;
use crate::refusal::Refusal;

/// The mean of rows that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedRows<'a> {
    study: &'a Checked,
    budget: PrivacyBudget,
    ball: PublicBall,
    shares: BallShares,
    /// The band around the estimate.
    pub band: BandChoice,
}

impl<'a> AskedRows<'a> {
    /// Refuses what can be refused without the data.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &'a Checked) -> Result<Self, Refusal> {
        let band = BandChoice::check(&study.estimate)?;
        band.check_mechanism(false)?;
        let (ball, budget) = (study.ball()?, study.calibrated()?);
        let asked = Self { study, budget, ball, shares: study.shares()?.unwrap_or(BallShares::NONE), band };
        // of curves on any domain: theirs stands in their table, and the curve of a centre may be given there alone
        if study.is_long() {
            asked.private_rows()?;
        } else if asked.ball.is_constant() {
            asked.between((0.0, 1.0))?;
        }
        Ok(asked)
    }

    /// How the columns of a file are read.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn layout(&self) -> Result<CurveLayout, Refusal> {
        let table = &self.study.table;
        if !self.study.is_long() {
            return table.curves();
        }
        let [id, time, value] =
            [&table.id, &table.time, &table.value].map(|column| column.as_deref().unwrap_or_default());
        Ok(table.cells(CurveLayout::long(id, time, value)?))
    }

    /// The private mean of a long table, on the domain that the study states.
    ///
    /// # Errors
    /// As [`AskedRows::between`].
    pub fn private_rows(&self) -> Result<PrivateRows, Refusal> {
        // the study was checked: there are two ends
        let ends = self.study.rows.domain.as_deref().unwrap_or_default();
        self.between((ends.first().copied().unwrap_or(f64::NAN), ends.last().copied().unwrap_or(f64::NAN)))
    }

    /// The private mean between two ends: those of curves, or of the domain.
    ///
    /// # Errors
    /// [`Refusal`] for a domain, bins and a bound that no such mean has.
    pub fn between(&self, ends: (f64, f64)) -> Result<PrivateRows, Refusal> {
        let (study, is_periodic) = (self.study, self.study.table.is_periodic());
        let bins = study.rows.bins.unwrap_or(DEFAULT_BINS);
        let grid: Grid = Rows::grid_of(ends, is_periodic, bins).map_err(ReleaseError::from)?;
        let mean = PrivateRows::new(self.ball.on(&grid)?, ends, self.budget)
            .bins(bins)
            .buying(self.shares)
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration());
        let mean = if is_periodic { mean.periodic() } else { mean };
        let mean = match study.bound.bound {
            Some(bound) => mean.bound(bound),
            None => mean,
        };
        mean.rows()?;
        Ok(mean)
    }
}
