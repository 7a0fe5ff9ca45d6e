//! The mean of what was seen, of a long table or of curves with gaps, that a study asks for.

use dpfda::privacy::PrivacyBudget;
use dpfda::release::{BallShares, DEFAULT_BINS, PrivateRows, ReleaseError, Rows};
use dpfda::smoothing::{Ball, CurveLayout};

use crate::asked::ball::PublicBall;
use crate::asked::band::BandChoice;
use crate::checked::Checked;
use crate::refusal::Refusal;
use crate::sections::Sections;

/// The mean of rows that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedRows<'a> {
    pub(crate) study: &'a Checked,
    budget: PrivacyBudget,
    ball: PublicBall,
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
        band.check_moments(false)?;
        let (ball, budget) = (study.ball()?, study.calibrated()?);
        study.wanted()?;
        let asked = Self { study, budget, ball, band };
        // of curves on any domain: theirs stands in their table, and the curve of a centre may be given there alone
        if study.is_long() {
            asked.on_domain()?;
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
        if self.study.is_long() { self.study.table.long() } else { self.study.table.curves() }
    }

    /// The private mean of a long table, on the domain that the study states.
    ///
    /// # Errors
    /// As [`AskedRows::between`].
    pub fn on_domain(&self) -> Result<PrivateRows, Refusal> {
        self.between(self.study.table.ends_of_times())
    }

    /// The private mean between two ends: those of curves, or of the domain.
    ///
    /// # Errors
    /// [`Refusal`] for a domain, bins and a bound that no such mean has.
    pub fn between(&self, ends: (f64, f64)) -> Result<PrivateRows, Refusal> {
        let bins = self.study.table.bins.unwrap_or(DEFAULT_BINS);
        let grid = Rows::grid_of(ends, self.study.table.is_periodic(), bins).map_err(ReleaseError::from)?;
        let mean = self.study.private_rows(self.ball.on(&grid)?, ends, self.budget).wanting(self.study.wanted()?);
        mean.rows()?;
        Ok(mean)
    }
}

impl Sections {
    /// The private mean of rows between two ends, in this ball: nothing is bought.
    fn private_rows(&self, ball: Ball, ends: (f64, f64), budget: PrivacyBudget) -> PrivateRows {
        let mean = PrivateRows::new(ball, ends, budget)
            .bins(self.table.bins.unwrap_or(DEFAULT_BINS))
            .buying(BallShares::NONE)
            .neighbours(self.privacy.relation())
            .calibration(self.privacy.calibration());
        let mean = if self.table.is_periodic() { mean.periodic() } else { mean };
        match self.bound.bound {
            Some(bound) => mean.bound(bound),
            None => mean,
        }
    }
}
