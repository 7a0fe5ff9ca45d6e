//! `dpfda crossval`: scores of smoothers on the private curves, for the curator alone.

use dpfda::crossval::{
    Candidates, CrossValidation, CrossValidationError, Folds, Loss, ScoreSurface, Target, cross_validate,
    private_cross_validate,
};
use dpfda::plotting::{SurfaceFigure, SurfacePanel};
use dpfda::privacy::{NonPrivate, PrivacyBudget};
use dpfda::smoothing::{Ball, CurveLayout, CurveSet};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::argument::Argument;
use crate::arguments::{BudgetArguments, CrossvalArguments, LossArgument, TargetArgument};
use crate::center::PublicCenter;
use crate::error::CliError;
use crate::input;
use crate::missing::Missing;
use crate::output::{Contents, OutputDirectory, OutputError};
use crate::progress;
use crate::reason::guaranteed;
use crate::release::planned;
use crate::summary::CURATOR_ONLY;
use crate::surface;

mod candidates;
mod report;

use report::Report;

/// Folds, unless told otherwise.
const FOLDS: usize = 10;

/// Scores the candidates, writes the scores where asked to, and returns the report.
pub fn run(arguments: &CrossvalArguments) -> Result<String, CliError> {
    let settings = Settings::check(arguments)?;
    let output = arguments.out.as_deref();
    let inputs = arguments.input.files();
    let prepare = |out| OutputDirectory::prepare(out, Contents::CrossValidation, arguments.force, &inputs);
    let output = output.map(prepare).transpose()?;
    let curves = input::read(Argument::Curves, &arguments.input.table.curves, &settings.layout)?;
    let (folds, scores) = settings
        .scores(&curves, arguments)
        .map_err(|error| input::in_file(Argument::Curves, &arguments.input.table.curves, error))?;
    let report = Report { arguments, budget: settings.plan.map(|plan| plan.budget), curves: &curves, folds: &folds };
    let text = if arguments.json { report.json(&scores)? } else { report.text(&scores, output.as_ref()) };
    if let Some(output) = output {
        write(&output, &scores, &report.score_name())?;
    }
    Ok(text)
}

/// The arguments, checked without the data.
struct Settings {
    center: PublicCenter,
    plan: Option<Plan>,
    candidates: Candidates,
    layout: CurveLayout,
}

/// The release whose expected score is wanted.
#[derive(Clone, Copy)]
struct Plan {
    budget: PrivacyBudget,
    radius: f64,
}

impl Plan {
    /// None without a budget: then there is no noise, and no use for a radius.
    fn asked_for(arguments: &CrossvalArguments) -> Result<Option<Self>, CliError> {
        let (BudgetArguments { epsilon, delta, classical }, radius) =
            (&arguments.guarantee.budget, arguments.input.stated.radius);
        if epsilon.is_none() && delta.is_none() && !classical {
            return if radius.is_some() { Err(CliError::RadiusWithoutNoise) } else { Ok(None) };
        }
        let given = [("--epsilon", epsilon.is_some()), ("--delta", delta.is_some()), ("--radius", radius.is_some())];
        let Some(radius) = radius.filter(|_| epsilon.is_some() && delta.is_some()) else {
            return Err(CliError::NoPlan(Missing::among(&given)));
        };
        Ok(Some(Self { budget: guaranteed(&arguments.guarantee)?, radius }))
    }
}

impl Settings {
    fn check(arguments: &CrossvalArguments) -> Result<Self, CliError> {
        let center = arguments.input.stated.center.as_ref().ok_or(CliError::NoCenter)?;
        let plan = Plan::asked_for(arguments)?;
        let drawn = plan.is_some() && arguments.loss == LossArgument::Norm;
        match arguments.draws {
            Some(0) => return Err(CrossValidationError::NoDraws.into()),
            Some(_) if !drawn => return Err(CliError::NoDrawsNeeded),
            _ => {}
        }
        let center = PublicCenter::read(center)?;
        center.check_ball(plan.map_or(1.0, |plan| plan.radius))?;
        let candidates = candidates::asked_for(arguments)?;
        Ok(Self { center, plan, candidates, layout: input::layout(&arguments.input)? })
    }

    fn scores(
        &self,
        curves: &CurveSet,
        arguments: &CrossvalArguments,
    ) -> Result<(Folds, NonPrivate<ScoreSurface>), CliError> {
        let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
        let folds = if arguments.leave_one_out {
            Folds::leave_one_out(curves.units())?
        } else {
            Folds::random(curves.units(), arguments.folds.unwrap_or(FOLDS), &mut rng)?
        };
        let center = self.center.on(curves.grid())?;
        let mut plan = CrossValidation::new(&folds, &self.candidates)
            .loss(match arguments.loss {
                LossArgument::Squared => Loss::SquaredNorm,
                LossArgument::Norm => Loss::Norm,
            })
            .target(match arguments.target {
                TargetArgument::Records => Target::Records,
                TargetArgument::FoldMean => Target::FoldMean,
            });
        if let Some(draws) = arguments.draws {
            plan = plan.draws(draws);
        }
        let surface = progress::over_spectra("spectra", |report| match self.plan {
            None => cross_validate(curves, &center, &plan.progress(report)),
            Some(Plan { budget, radius }) => {
                let ball = Ball::new(center, radius)?;
                let release = planned(arguments.mechanism, ball, budget, &arguments.guarantee.budget);
                private_cross_validate(curves, &release, &plan.progress(report), &mut rng)
            }
        });
        let surface = surface?;
        Ok((folds, surface))
    }
}

/// Writes the scores and their heat map.
fn write(output: &OutputDirectory, scores: &NonPrivate<ScoreSurface>, score_name: &str) -> Result<(), OutputError> {
    let table = surface::table(scores.reveal(), "score")?;
    output.write("scores.csv", format!("# {CURATOR_ONLY}\n{table}").as_bytes())?;
    let panels = NonPrivate::new(SurfacePanel::of_kernels(scores.reveal())?);
    let figure = SurfaceFigure::not_private(panels)?.title("Cross-validation scores").score_name(score_name);
    for (name, bytes) in ["scores.svg", "scores.pdf", "scores.png"].into_iter().zip(figure.to_files()?) {
        output.write(name, &bytes)?;
    }
    output.finish()
}
