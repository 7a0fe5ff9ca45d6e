//! `dpfda plan`: what a release will be worth, from public numbers alone.

use dpfda::analysis::{BayesRisk, DEFAULT_LEVEL, Ladder};
use dpfda::kernels::Grid;
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use dpfda::release::{
    BallShares, DEFAULT_BINS, Mean, MeanMechanism, NoiseLaw, PrivateMean, PrivateRows, ReleaseError,
    default_coordinates,
};
use dpfda::smoothing::{Ball, Center};

use crate::arguments::{BudgetArguments, MechanismArgument, PlanArguments};
use crate::calibrate::{calibrated_mean, is_pure};
use crate::center::PublicCenter;
use crate::error::CliError;
use crate::long_settings::LongSettings;
use crate::new_file::FigureFile;
use crate::progress;
use crate::release::{planned, public_ball, shares};

mod answer;
mod error;
mod figure;
mod words;

pub use error::PlanError;

use answer::Answer;
use error::MOST_POINTS;

/// Foretells the errors of releases, as text or JSON.
pub fn run(arguments: &PlanArguments) -> Result<String, CliError> {
    let question = Question::check(arguments)?;
    let file = arguments.figure.as_deref().map(|path| FigureFile::check(path, "plan.svg")).transpose()?;
    let (answer, figure) = progress::waiting("planning", || -> Result<_, CliError> {
        let risks = question.risks()?;
        let answer = Answer::of(&question, &risks)?;
        let figure = file.as_ref().map(|_| figure::drawn(&question, &risks.asked, &answer)).transpose()?;
        Ok((answer, figure))
    })?;
    if let (Some(file), Some(figure)) = (&file, &figure) {
        file.write(|| figure.to_svg(), || figure.to_pdf(), || figure.to_png())?;
    }
    let text = if arguments.json {
        serde_json::to_string_pretty(&answer)? + "\n"
    } else {
        words::of(&question, &answer, file.as_ref())
    };
    Ok(text)
}

/// The public numbers, checked.
struct Question<'a> {
    ball: Ball,
    budget: PrivacyBudget,
    /// The number of coordinates without a delta: asked for, or what is usual.
    coordinates: usize,
    calibration: &'a BudgetArguments,
    shares: BallShares,
    neighbours: NeighbouringRelation,
    points: usize,
    is_periodic: bool,
    sparse: Option<Sparse>,
    level: f64,
    records: Vec<u64>,
    error: Option<f64>,
}

/// Subjects that are seen at few times, each at its own.
#[derive(Clone, Copy)]
struct Sparse {
    values: u32,
    bound: Option<f64>,
}

impl<'a> Question<'a> {
    fn check(arguments: &'a PlanArguments) -> Result<Self, CliError> {
        let ball = stated_ball(arguments)?;
        let budget = calibrated_mean(&arguments.budget, MechanismArgument::Isonormal)?;
        let is_pure = is_pure(&arguments.budget, MechanismArgument::Isonormal);
        let asked = shares(&arguments.ball)?;
        if is_pure && asked.is_some_and(|shares| shares.buys()) {
            return Err(ReleaseError::BoughtWithoutDelta.into());
        }
        let shares = asked.unwrap_or(if is_pure { BallShares::NONE } else { BallShares::default() });
        if arguments.ball.charges_roughness() {
            return Err(PlanError::Body.into());
        }
        let sparse = arguments.points_per_subject.map(|values| Sparse { values, bound: arguments.bound });
        if sparse.is_some() && arguments.ball.center_share.is_some() {
            return Err(PlanError::BoughtCenter.into());
        }
        let shares = if sparse.is_some() { asked.unwrap_or(BallShares::NONE) } else { shares };
        let points = if sparse.is_some() { arguments.bins.unwrap_or(DEFAULT_BINS) } else { arguments.points };
        if !(2..=MOST_POINTS).contains(&points) {
            let found = points;
            let error = if sparse.is_some() { PlanError::Bins { found } } else { PlanError::Points { found } };
            return Err(error.into());
        }
        let coordinates = match arguments.pure.coordinates {
            Some(_) if !is_pure => return Err(ReleaseError::CoordinatesWithDelta.into()),
            number => number.unwrap_or_else(|| default_coordinates(points, arguments.periodic)),
        };
        let records = arguments.records.as_ref().map_or_else(Vec::new, |records| records.0.clone());
        if records.is_empty() && arguments.error.is_none() {
            return Err(PlanError::NoRecords.into());
        }
        Ok(Self {
            ball,
            budget,
            coordinates,
            calibration: &arguments.budget,
            shares,
            neighbours: arguments.neighbours,
            points,
            is_periodic: arguments.periodic,
            sparse,
            level: arguments.level.unwrap_or(DEFAULT_LEVEL),
            records,
            error: arguments.error,
        })
    }

    fn law(&self, epsilon: f64, neighbours: NeighbouringRelation) -> Result<NoiseLaw, CliError> {
        let budget = PrivacyBudget::new(epsilon, self.budget.delta())?;
        if let Some(sparse) = self.sparse {
            return Ok(self.long(sparse, budget, neighbours).noise_law(sparse.values)?);
        }
        let settings = planned(MechanismArgument::Isonormal, self.ball.clone(), budget, self.calibration);
        let settings = settings.neighbours(neighbours).buying(self.shares);
        Ok(if self.is_pure() { settings.coordinates(self.coordinates) } else { settings }.noise_law()?)
    }

    /// The mean of a long table on a domain of length 1.
    fn long(&self, sparse: Sparse, budget: PrivacyBudget, neighbours: NeighbouringRelation) -> PrivateRows {
        let settings = LongSettings {
            ends: (0.0, 1.0),
            is_periodic: self.is_periodic,
            bins: self.points,
            bound: sparse.bound,
            shares: self.shares,
            neighbours,
            calibration: self.calibration.calibration(),
        };
        settings.private_mean(self.ball.clone(), budget)
    }

    /// The law of the noise at this epsilon without a delta.
    fn pure_law(&self) -> Result<NoiseLaw, CliError> {
        let budget = PrivacyBudget::new(self.budget.epsilon(), 0.0)?;
        let settings = PrivateMean::isonormal(self.ball.clone(), budget).neighbours(self.neighbours);
        Ok(settings.coordinates(self.coordinates).noise_law()?)
    }

    fn is_pure(&self) -> bool {
        self.budget.delta() == 0.0
    }

    /// What is expected of a release with a delta, and of one without.
    fn risks(&self) -> Result<Risks, CliError> {
        let ladder = Ladder::default();
        if let Some(sparse) = self.sparse {
            // refused without a delta
            let mechanism = self.long(sparse, self.budget, self.neighbours).mechanism()?;
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
struct Risks {
    /// Of the release that was asked about.
    asked: BayesRisk,
    /// Of one without a delta, where that is another.
    without: Option<BayesRisk>,
}

/// The stated ball; no error depends on its centre, which may be left out.
fn stated_ball(arguments: &PlanArguments) -> Result<Ball, CliError> {
    let stated = &arguments.stated;
    let (center, radius, bounds) = match (&stated.center, stated.radius) {
        (None, Some(radius)) => (PublicCenter::Constant(0.0), radius, None),
        _ => public_ball(stated, arguments.ball.bounds.as_ref())?,
    };
    center.check_ball(radius)?;
    match bounds {
        Some((lower, upper)) => Ok(Ball::within(lower, upper)?),
        None => Ok(Ball::new(Center::Constant(0.0), radius)?),
    }
}
