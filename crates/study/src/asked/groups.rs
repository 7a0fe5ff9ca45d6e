//! The means of groups that a study asks for.

use dpfda::kernels::Grid;
use dpfda::release::{Grouping, PrivateGroups};
use dpfda::smoothing::CurveLayout;

use crate::asked::ball::PublicBall;
use crate::asked::band::BandChoice;
use crate::checked::Checked;
use crate::refusal::Refusal;

/// The means of groups that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedGroups<'a> {
    pub(crate) study: &'a Checked,
    /// What is known of every curve.
    pub ball: PublicBall,
    /// The band around each mean.
    pub band: BandChoice,
}

impl<'a> AskedGroups<'a> {
    /// Refuses what can be refused without the data.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &'a Checked) -> Result<Self, Refusal> {
        let ball = study.ball()?;
        study.calibrated()?;
        study.wanted()?;
        Ok(Self { study, ball, band: BandChoice::check(&study.estimate)? })
    }

    /// How the columns of a file are read.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn layout(&self) -> Result<CurveLayout, Refusal> {
        self.study.table.curves()
    }

    /// The column of labels.
    pub fn by(&self) -> &'a str {
        self.study.groups.by.as_deref().unwrap_or_default()
    }

    /// The private means on a grid.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that does not cover the grid.
    pub fn private_groups(&self, grid: &Grid) -> Result<PrivateGroups, Refusal> {
        let (study, settings) = (self.study, &self.study.groups);
        let grouping = match &settings.private_labels {
            None => Grouping::Public,
            Some(names) => Grouping::Private { names: names.clone(), most: settings.groups_of_subject.unwrap_or(1) },
        };
        Ok(PrivateGroups::new(self.ball.on(grid)?, study.calibrated()?, grouping)
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration())
            .moments(study.privacy.second_moments())
            .wanting(study.wanted()?))
    }
}
