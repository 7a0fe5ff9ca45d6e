//! The settings of a long table's mean, from the arguments of a release or of a plan.

use dpfda::privacy::{Calibration, NeighbouringRelation, PrivacyBudget};
use dpfda::release::{BallShares, DEFAULT_BINS, PrivateRows, ReleaseError, Rows};
use dpfda::smoothing::{Ball, CurveLayout};

use crate::arguments::{LongTable, ReleaseArguments, TableArguments};
use crate::error::CliError;
use crate::estimate::BandChoice;
use crate::input;
use crate::long::LongRefusal;
use crate::reason::guaranteed;
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
pub fn private_mean(arguments: &ReleaseArguments, ends: (f64, f64)) -> Result<PrivateRows, CliError> {
    let (center, radius, bounds) = public_ball(&arguments.input.stated, arguments.ball.bounds.as_ref())?;
    let budget = guaranteed(&arguments.guarantee)?;
    center.check_ball(radius)?;
    let settings = LongSettings {
        ends,
        is_periodic: arguments.input.grid.periodic,
        bins: arguments.long.bins.unwrap_or(DEFAULT_BINS),
        bound: arguments.long.bound,
        shares: shares(&arguments.ball)?.unwrap_or(BallShares::NONE),
        neighbours: arguments.neighbours,
        calibration: arguments.guarantee.budget.calibration(),
    };
    let grid = Rows::grid_of(ends, settings.is_periodic, settings.bins).map_err(ReleaseError::from)?;
    let mean = settings.private_mean(ball_on(bounds, &center, radius, &grid)?, budget);
    mean.rows()?;
    Ok(mean)
}

/// The columns of a long table, and what the arguments say about their cells.
pub fn layout(table: LongTable<'_>, arguments: &TableArguments) -> Result<CurveLayout, CliError> {
    Ok(input::cells(CurveLayout::long(table.id, table.time, table.value)?, arguments))
}

/// The public arguments of a release, checked without the data.
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
    pub fn check(arguments: &ReleaseArguments, table: LongTable<'_>) -> Result<Self, CliError> {
        let band = BandChoice::check(&arguments.band)?;
        band.check_mechanism(false)?;
        // clap asks for the domain
        let ends = arguments.long.domain.as_ref().map_or(&[][..], |domain| &domain.0);
        let [lower, upper] = ends[..] else { return Err(LongRefusal::Ends { found: ends.len() }.into()) };
        let private_mean = private_mean(arguments, (lower, upper))?;
        Ok(Self { private_mean, layout: layout(table, &arguments.input.table)?, band })
    }
}
