//! The regression that a study asks for.

use dpfda::kernels::Grid;
use dpfda::privacy::{PrivacyBudget, PrivacyUnit};
use dpfda::release::{Covariate, PrivateRegression};
use dpfda::smoothing::CurveLayout;

use crate::asked::ball::PublicBall;
use crate::asked::band::BandChoice;
use crate::checked::Checked;
use crate::refusal::Refusal;

/// The regression that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedRegression<'a> {
    pub(crate) study: &'a Checked,
    budget: PrivacyBudget,
    /// What is known of every curve.
    pub ball: PublicBall,
    /// The covariates, each with its public range.
    pub covariates: Vec<Covariate>,
    /// The band around each coefficient.
    pub band: BandChoice,
}

impl<'a> AskedRegression<'a> {
    /// Refuses what can be refused without the data.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &'a Checked) -> Result<Self, Refusal> {
        let ball = study.ball()?;
        let budget = study.calibrated()?;
        study.wanted()?;
        let band = BandChoice::check(&study.estimate)?;
        let asked = Self { study, budget, ball, covariates: study.regression.covariates()?, band };
        if asked.ball.is_constant() {
            // covariates that there cannot be are refused on every grid
            let grid = Grid::uniform(0.0, 1.0, 2)?;
            asked.private_regression(&grid)?.mechanism(&grid, PrivacyUnit::Curve, None)?;
        }
        Ok(asked)
    }

    /// How the columns of a file are read.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn layout(&self) -> Result<CurveLayout, Refusal> {
        self.study.table.curves()
    }

    /// The private regression on a grid.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that does not cover the grid.
    pub fn private_regression(&self, grid: &Grid) -> Result<PrivateRegression, Refusal> {
        let study = self.study;
        let regression = PrivateRegression::new(self.ball.on(grid)?, self.budget, self.covariates.clone())
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration())
            .wanting(study.wanted()?);
        let regression = match self.study.regression.named_outcome() {
            Some(name) => regression.of_outcome(name),
            None => regression,
        };
        Ok(if study.regression.public_design == Some(true) { regression.public_design() } else { regression })
    }
}
