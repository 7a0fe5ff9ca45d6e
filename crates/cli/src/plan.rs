//! `dpfda plan`: what a release will be worth, from public numbers alone.

use dpfda::analysis::{BayesRisk, DEFAULT_LEVEL, Ladder};
use dpfda::kernels::Grid;
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use dpfda::release::{BallShares, DEFAULT_BINS, NoiseLaw, PrivateOccupancy};
use dpfda::smoothing::{Ball, Center};

use crate::arguments::{BudgetArguments, MechanismArgument, PlanArguments};
use crate::calibrate::calibrated;
use crate::center::PublicCenter;
use crate::error::CliError;
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
        let grid = Grid::uniform(0.0, 1.0, question.points)?;
        let risk = BayesRisk::new(&grid, &Ladder::default())?;
        let answer = Answer::of(&question, &risk)?;
        let figure = file.as_ref().map(|_| figure::drawn(&question, &risk, &answer)).transpose()?;
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
    calibration: &'a BudgetArguments,
    shares: BallShares,
    neighbours: NeighbouringRelation,
    points: usize,
    sparse: Option<Sparse>,
    level: f64,
    records: Vec<u64>,
    error: Option<f64>,
}

/// Subjects that are seen at few times, each at its own.
#[derive(Clone, Copy)]
struct Sparse {
    /// How many values each has.
    values: u32,
    bound: Option<f64>,
}

impl<'a> Question<'a> {
    fn check(arguments: &'a PlanArguments) -> Result<Self, CliError> {
        let ball = stated_ball(arguments)?;
        let budget = calibrated(&arguments.budget)?;
        let shares = shares(&arguments.ball)?.unwrap_or_default();
        if arguments.ball.charges_roughness() {
            return Err(PlanError::Body.into());
        }
        let sparse = arguments.points_per_subject.map(|values| Sparse { values, bound: arguments.bound });
        if sparse.is_some() && (arguments.ball.radius_share.is_some() || arguments.ball.center_share.is_some()) {
            return Err(PlanError::BoughtBall.into());
        }
        let shares = if sparse.is_some() { BallShares::NONE } else { shares };
        let points = if sparse.is_some() { arguments.bins.unwrap_or(DEFAULT_BINS) } else { arguments.points };
        if !(2..=MOST_POINTS).contains(&points) {
            let found = points;
            let error = if sparse.is_some() { PlanError::Bins { found } } else { PlanError::Points { found } };
            return Err(error.into());
        }
        let records = arguments.records.as_ref().map_or_else(Vec::new, |records| records.0.clone());
        if records.is_empty() && arguments.error.is_none() {
            return Err(PlanError::NoRecords.into());
        }
        Ok(Self {
            ball,
            budget,
            calibration: &arguments.budget,
            shares,
            neighbours: arguments.neighbours,
            points,
            sparse,
            level: arguments.level.unwrap_or(DEFAULT_LEVEL),
            records,
            error: arguments.error,
        })
    }

    /// The law of the noise at this epsilon.
    fn law(&self, epsilon: f64, neighbours: NeighbouringRelation) -> Result<NoiseLaw, CliError> {
        let budget = PrivacyBudget::new(epsilon, self.budget.delta())?;
        if let Some(Sparse { values, bound }) = self.sparse {
            let settings = PrivateOccupancy::new(self.ball.clone(), (0.0, 1.0), budget)
                .bins(self.points)
                .neighbours(neighbours)
                .calibration(self.calibration.calibration());
            let settings = match bound {
                Some(bound) => settings.bound(bound),
                None => settings,
            };
            return Ok(settings.noise_law(values)?);
        }
        let settings = planned(MechanismArgument::Isonormal, self.ball.clone(), budget, self.calibration);
        Ok(settings.neighbours(neighbours).buying(self.shares).noise_law()?)
    }
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
