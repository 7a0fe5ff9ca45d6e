//! The change between visits that a study asks for.

use dpfda::kernels::Grid;
use dpfda::privacy::PrivacyBudget;
use dpfda::release::{ChangeOf, PrivateChange};
use dpfda::smoothing::CurveLayout;

use crate::asked::ball::PublicBall;
use crate::asked::band::BandChoice;
use crate::checked::Checked;
use crate::refusal::Refusal;
use crate::sections::Change;
use crate::values::Visits;

/// The change between visits that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedChange<'a> {
    pub(crate) study: &'a Checked,
    budget: PrivacyBudget,
    /// What is known of every change.
    pub ball: PublicBall,
    /// What of a person's curves changes.
    pub of: ChangeOf,
    /// The band around the mean change.
    pub band: BandChoice,
}

impl<'a> AskedChange<'a> {
    /// The setting that names the column of visits or times.
    pub(crate) fn setting(&self) -> &'static str {
        if let ChangeOf::Slope { .. } = self.of { "per" } else { "change" }
    }

    /// Refuses what can be refused without the data.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &'a Checked) -> Result<Self, Refusal> {
        let (ball, budget) = (study.ball()?, study.calibrated()?);
        study.wanted()?;
        let asked = Self { study, budget, ball, of: study.change.of(), band: BandChoice::check(&study.estimate)? };
        if asked.ball.is_constant() {
            // visits that there cannot be are refused on every grid
            let grid = Grid::uniform(0.0, 1.0, 2)?;
            asked.private_change(&grid)?.mechanism(&grid, None)?;
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

    /// The private change on a grid.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that does not cover the grid.
    pub fn private_change(&self, grid: &Grid) -> Result<PrivateChange, Refusal> {
        let study = self.study;
        Ok(PrivateChange::new(self.ball.on(grid)?, self.budget, self.of.clone())
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration())
            .moments(study.privacy.second_moments())
            .wanting(study.wanted()?))
    }
}

impl Change {
    /// What changes. A checked study says one of both.
    fn of(&self) -> ChangeOf {
        match (&self.change, &self.per) {
            (Some(Visits { column, from, to }), _) => {
                ChangeOf::Visits { column: column.clone(), from: from.clone(), to: to.clone() }
            }
            (None, per) => {
                ChangeOf::Slope { per: per.clone().unwrap_or_default(), apart: self.apart.unwrap_or_default() }
            }
        }
    }
}
