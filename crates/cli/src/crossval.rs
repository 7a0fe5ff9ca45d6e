//! `dpfda crossval`: scores of smoothers on the private curves, for the curator alone.

use std::path::Path;

use dpfda::crossval::{Candidates, CrossValidation, Folds, ScoreSurface, cross_validate, private_cross_validate};
use dpfda::plotting::{Frame, SurfaceFigure, SurfacePanel};
use dpfda::privacy::{NonPrivate, PrivacyBudget};
use dpfda::smoothing::{Ball, CurveLayout, CurveSet};
use dpfda_study::{Bound, Privacy, PublicBall, Sections, not_given};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::argument::Argument;
use crate::arguments::CrossvalArguments;
use crate::error::CliError;
use crate::input;
use crate::misasked::Misasked;
use crate::output::{Contents, OutputDirectory, OutputError};
use crate::progress;
use crate::request::{Request, files_of, split};
use crate::study_file::folder;
use crate::summary::CURATOR_ONLY;
use crate::surface;

mod candidates;
mod report;

use report::Report;

/// Folds, unless told otherwise.
const FOLDS: usize = 10;

/// Scores the candidates, writes the scores where asked to, and returns the report.
pub fn run(arguments: &CrossvalArguments) -> Result<String, CliError> {
    let (said, path) = said(arguments)?;
    let settings = Settings::check(arguments, &said)?;
    let output = arguments.out.as_deref();
    let inputs = files_of(&said, path);
    let prepare = |out| OutputDirectory::prepare(out, Contents::CrossValidation, arguments.force, &inputs);
    let output = output.map(prepare).transpose()?;
    let curves = input::read(Argument::Curves, path, &settings.layout)?;
    let scores = settings.scores(&curves, arguments, &said.privacy);
    let (folds, scores) = scores.map_err(|error| input::in_file(Argument::Curves, path, error))?;
    let budget = settings.plan.map(|plan| plan.budget);
    let report = Report { arguments, privacy: &said.privacy, budget, curves: &curves, folds: &folds };
    let text = if arguments.answer.json { report.json(&scores)? } else { report.text(&scores, output.as_ref()) };
    if let Some(output) = output {
        write(&output, &scores, report.score_name())?;
    }
    Ok(text)
}

/// What the study, or the options, say about the table, the centre and the release that is planned; and the private file.
fn said(arguments: &CrossvalArguments) -> Result<(Sections, &Path), CliError> {
    let (file, path) = split(&arguments.files)?;
    if file.is_some() {
        let request = Request::of(&arguments.files, &arguments.settings)?;
        return Ok((request.study.said.clone(), path));
    }
    let mut said = arguments.settings.clone();
    if said.table.values.is_none() {
        return Err(Misasked::NoValues.into());
    }
    said.read_center(folder(None)).map_err(CliError::of_flags)?;
    Ok((said, path))
}

/// The arguments, checked without the data.
struct Settings {
    ball: PublicBall,
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
    fn asked_for(said: &Sections) -> Result<Option<Self>, CliError> {
        let (Privacy { epsilon, delta, .. }, radius) = (&said.privacy, said.bound.radius);
        if epsilon.is_none() && delta.is_none() && !said.privacy.is_classical() {
            if said.privacy.mechanism.is_some() {
                return Err(Misasked::NoPlan(not_given(&["epsilon"])).into());
            }
            return if radius.is_some() { Err(Misasked::RadiusWithoutNoise.into()) } else { Ok(None) };
        }
        let given = [("epsilon", epsilon.is_some()), ("delta", delta.is_some()), ("radius", radius.is_some())];
        let Some(radius) = radius.filter(|_| epsilon.is_some() && delta.is_some()) else {
            let missing: Vec<&str> = given.iter().filter(|(_, given)| !given).map(|(name, _)| *name).collect();
            return Err(Misasked::NoPlan(not_given(&missing)).into());
        };
        let budget = said.calibrated()?;
        said.privacy.check_usual().map_err(CliError::of_flags)?;
        Ok(Some(Self { budget, radius }))
    }
}

impl Settings {
    fn check(arguments: &CrossvalArguments, said: &Sections) -> Result<Self, CliError> {
        if said.bound.center.is_none() && said.bound.bounds.is_none() {
            return Err(Misasked::NoCenter.into());
        }
        let plan = Plan::asked_for(said)?;
        let radius = plan.map_or(1.0, |plan| plan.radius);
        let bound = Bound { radius: Some(radius), ..said.bound.clone() };
        let ball = Sections { bound, ..said.clone() }.ball()?;
        let candidates = candidates::asked_for(arguments)?;
        Ok(Self { ball, plan, candidates, layout: said.table.curves()? })
    }

    fn scores(
        &self,
        curves: &CurveSet,
        arguments: &CrossvalArguments,
        privacy: &Privacy,
    ) -> Result<(Folds, NonPrivate<ScoreSurface>), CliError> {
        let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
        let folds = if arguments.leave_one_out {
            Folds::leave_one_out(curves.units())?
        } else {
            Folds::random(curves.units(), arguments.folds.unwrap_or(FOLDS), &mut rng)?
        };
        let center = self.ball.on(curves.grid())?.center().clone();
        let plan = CrossValidation::new(&folds, &self.candidates);
        let surface = progress::over_spectra("spectra", |report| match self.plan {
            None => cross_validate(curves, &center, &plan.progress(report)),
            Some(Plan { budget, radius }) => {
                let ball = Ball::new(center, radius)?;
                let release = privacy.private_mean(ball, budget);
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
    output.draw(["scores.svg", "scores.pdf", "scores.png"], &figure.framed(&Frame::default()))?;
    output.finish()
}
