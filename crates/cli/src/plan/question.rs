//! What is asked of a forecast: public numbers, checked.

use dpfda::analysis::{BayesRisk, DEFAULT_LEVEL, Ladder};
use dpfda::kernels::Grid;
use dpfda::mechanism::Want;
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use dpfda::release::{
    BallShares, DEFAULT_BINS, Mean, MeanMechanism, NoiseLaw, PrivateMean, PrivateRows, ReleaseError,
    default_coordinates,
};
use dpfda::smoothing::Ball;
use dpfda_study::{PublicBall, Sections};

use super::error::{MOST_POINTS, PlanError};
use crate::arguments::PlanArguments;
use crate::error::CliError;

/// The public numbers, checked.
pub struct Question<'a> {
    pub ball: Ball,
    pub budget: PrivacyBudget,
    /// The number of coordinates without a delta: asked for, or what is usual.
    pub coordinates: usize,
    pub said: &'a Sections,
    pub shares: BallShares,
    pub neighbours: NeighbouringRelation,
    pub points: usize,
    pub is_periodic: bool,
    pub sparse: Option<Sparse>,
    pub level: f64,
    pub records: Vec<u64>,
    pub error: Option<f64>,
}

/// Subjects that are seen at few times, each at its own.
#[derive(Clone, Copy)]
pub struct Sparse {
    pub values: u32,
}

impl<'a> Question<'a> {
    pub fn check(arguments: &'a PlanArguments, said: &'a Sections) -> Result<Self, CliError> {
        let Sections { privacy, bound, table, mean, rows, estimate, .. } = said;
        let ball = stated_ball(said)?;
        let budget = said.calibrated_mean()?;
        let is_pure = privacy.is_pure();
        let wanted = said.wanted()?;
        if is_pure && wanted.says_share() {
            return Err(ReleaseError::BoughtWithoutDelta.into());
        }
        let shares = if is_pure { BallShares::NONE } else { wanted.shares(1.0, None, false) };
        if bound.charges_roughness() {
            return Err(PlanError::Body.into());
        }
        let sparse = arguments.points_per_subject.map(|values| Sparse { values });
        if sparse.is_some() && bound.center_share.is_some() {
            return Err(PlanError::BoughtCenter.into());
        }
        let is_usual = wanted.radius == Want::Usual;
        let shares = if sparse.is_some() && is_usual { shares.without_radius() } else { shares };
        let points = if sparse.is_some() { rows.bins.unwrap_or(DEFAULT_BINS) } else { arguments.points };
        if !(2..=MOST_POINTS).contains(&points) {
            let found = points;
            let error = if sparse.is_some() { PlanError::Bins { found } } else { PlanError::Points { found } };
            return Err(error.into());
        }
        let coordinates = match mean.coordinates {
            Some(_) if !is_pure => return Err(ReleaseError::CoordinatesWithDelta.into()),
            number => number.unwrap_or_else(|| default_coordinates(points, table.is_periodic())),
        };
        let records = arguments.records.as_ref().map_or_else(Vec::new, |records| records.0.clone());
        if records.is_empty() && arguments.error.is_none() {
            return Err(PlanError::NoRecords.into());
        }
        Ok(Self {
            ball,
            budget,
            coordinates,
            said,
            shares,
            neighbours: privacy.relation(),
            points,
            is_periodic: table.is_periodic(),
            sparse,
            level: estimate.level.unwrap_or(DEFAULT_LEVEL),
            records,
            error: arguments.error,
        })
    }

    pub fn law(&self, epsilon: f64, neighbours: NeighbouringRelation) -> Result<NoiseLaw, CliError> {
        let budget = PrivacyBudget::new(epsilon, self.budget.delta())?;
        if let Some(sparse) = self.sparse {
            return Ok(self.long(budget, neighbours).noise_law(sparse.values)?);
        }
        let settings = self.said.privacy.private_mean(self.ball.clone(), budget);
        let settings = settings.neighbours(neighbours).buying(self.shares);
        Ok(if self.is_pure() { settings.coordinates(self.coordinates) } else { settings }.noise_law()?)
    }

    /// The mean of a long table on a domain of length 1.
    pub fn long(&self, budget: PrivacyBudget, neighbours: NeighbouringRelation) -> PrivateRows {
        let mean = self.said.private_rows(self.ball.clone(), (0.0, 1.0), budget);
        mean.buying(self.shares).neighbours(neighbours)
    }

    /// The law of the noise at this epsilon without a delta.
    pub fn pure_law(&self) -> Result<NoiseLaw, CliError> {
        let budget = PrivacyBudget::new(self.budget.epsilon(), 0.0)?;
        let settings = PrivateMean::isonormal(self.ball.clone(), budget).neighbours(self.neighbours);
        Ok(settings.coordinates(self.coordinates).noise_law()?)
    }

    pub fn is_pure(&self) -> bool {
        self.budget.delta() == 0.0
    }

    /// What is expected of a release with a delta, and of one without.
    pub fn risks(&self) -> Result<Risks, CliError> {
        let ladder = Ladder::default();
        if self.sparse.is_some() {
            // refused without a delta
            let mechanism = self.long(self.budget, self.neighbours).mechanism()?;
            return Ok(Risks { asked: BayesRisk::of_rows(mechanism.statistic(), &ladder)?, without: None });
        }
        let of_ends = if self.is_periodic { Grid::circle } else { Grid::uniform };
        let grid = of_ends(0.0, 1.0, self.points)?;
        let pure = Mean::new(self.ball.clone(), grid.clone(), &MeanMechanism::Coordinates(self.coordinates));
        let basis =
            pure.map_err(ReleaseError::from)?.map().unwrap_or_else(|| unreachable!("some coordinates are mapped"));
        let without = BayesRisk::in_coordinates(&grid, basis, &ladder)?;
        if self.is_pure() {
            return Ok(Risks { asked: without, without: None });
        }
        Ok(Risks { asked: BayesRisk::new(&grid, &ladder)?, without: Some(without) })
    }
}

/// What is expected.
pub struct Risks {
    /// Of the release that was asked about.
    pub asked: BayesRisk,
    /// Of one without a delta, where that is another.
    pub without: Option<BayesRisk>,
}

/// The stated ball; no error depends on its centre, which may be left out.
fn stated_ball(said: &Sections) -> Result<Ball, CliError> {
    let ball = match (&said.bound.center, said.bound.radius) {
        (None, Some(radius)) => PublicBall::About(0.0, radius),
        _ => said.ball()?,
    };
    Ok(match ball {
        PublicBall::AboutCurve(_, radius, _) => PublicBall::About(0.0, radius).constant(),
        ball => ball.constant(),
    }?)
}
