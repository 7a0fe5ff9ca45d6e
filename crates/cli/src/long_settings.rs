//! The settings of a long table's mean, from the arguments of a release or of a plan.

use dpfda::privacy::{Calibration, NeighbouringRelation, PrivacyBudget};
use dpfda::release::{BallShares, DEFAULT_BINS, PrivateRows, ReleaseError, Rows};
use dpfda::smoothing::{Ball, CurveLayout};
use dpfda_study::{Sections, Study, Table};

use crate::calibrate::calibrated;
use crate::error::CliError;
use crate::estimate::BandChoice;
use crate::input;
use crate::release::{ball_on, public_ball, shares};

/// What is public of a long table's mean beside its ball and its budget.
pub struct LongSettings {
    /// The two ends of the times.
    pub ends: (f64, f64),
    /// Whether they are one point.
    pub is_periodic: bool,
    /// The number of bins.
    pub bins: usize,
    /// The largest distance of one value from the centre.
    pub bound: Option<f64>,
    /// What buys a radius.
    pub shares: BallShares,
    /// Which data sets are neighbours.
    pub neighbours: NeighbouringRelation,
    /// The theorem that sets the noise.
    pub calibration: Calibration,
}

impl LongSettings {
    /// The private mean of values in this ball.
    pub fn private_mean(&self, ball: Ball, budget: PrivacyBudget) -> PrivateRows {
        let Self { ends, is_periodic, bins, bound, shares, neighbours, calibration } = *self;
        let mean = PrivateRows::new(ball, ends, budget).bins(bins).buying(shares);
        let mean = mean.neighbours(neighbours).calibration(calibration);
        let mean = if is_periodic { mean.periodic() } else { mean };
        match bound {
            Some(bound) => mean.bound(bound),
            None => mean,
        }
    }
}

/// The private mean between two ends, as a release asks for it: checked without the data.
pub fn private_mean(said: &Sections, ends: (f64, f64)) -> Result<PrivateRows, CliError> {
    let (center, radius, bounds) = public_ball(said)?;
    let budget = calibrated(said)?;
    center.check_ball(radius)?;
    let settings = LongSettings {
        ends,
        is_periodic: said.table.is_periodic(),
        bins: said.rows.bins.unwrap_or(DEFAULT_BINS),
        bound: said.bound.bound,
        shares: shares(&said.bound)?.unwrap_or(BallShares::NONE),
        neighbours: said.privacy.relation(),
        calibration: said.privacy.calibration(),
    };
    let grid = Rows::grid_of(ends, settings.is_periodic, settings.bins).map_err(ReleaseError::from)?;
    let mean = settings.private_mean(ball_on(bounds, &center, radius, &grid)?, budget);
    mean.rows()?;
    Ok(mean)
}

/// The columns of a long table, and what the settings say about their cells.
pub fn layout(table: &Table) -> Result<CurveLayout, CliError> {
    let name = |column: &Option<String>| column.clone().unwrap_or_default();
    let columns = CurveLayout::long(&name(&table.id), &name(&table.time), &name(&table.value))?;
    Ok(input::cells(columns, table))
}

/// The public settings of a long table, checked without the data.
pub struct Settings {
    /// What is released.
    pub private_mean: PrivateRows,
    /// How the columns are read.
    pub layout: CurveLayout,
    /// The band around the estimate.
    pub band: BandChoice,
}

impl Settings {
    /// Refuses what can be refused without the data.
    pub fn check(study: &Study) -> Result<Self, CliError> {
        let band = BandChoice::check(&study.estimate)?;
        band.check_mechanism(false)?;
        // the study was checked: there are two ends
        let ends = study.rows.domain.as_deref().unwrap_or_default();
        let (lower, upper) = (ends.first().copied().unwrap_or(f64::NAN), ends.last().copied().unwrap_or(f64::NAN));
        let private_mean = private_mean(study, (lower, upper))?;
        Ok(Self { private_mean, layout: layout(&study.table)?, band })
    }
}
