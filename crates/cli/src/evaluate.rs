//! `dpfda evaluate`: an estimate at any points, its slope, its integral and its maximum.

use std::path::Path;

use dpfda::analysis::{
    AnalysisError, Banded, Estimable, Estimated, Feature, Maximum, MeanDraws, Means, PointEstimate, Population,
    PopulationMean, Several,
};
use dpfda::mechanism::{Fact, Head, Statistic};
use dpfda::release::{Groups, Mean, Regression, Rows, Surface};
use dpfda_study::BandChoice;
use serde::Serialize;
use thiserror::Error;

use crate::arguments::EvaluateArguments;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::document;
use crate::output::table;
use crate::progress;
use crate::summary::{FROM_A_SEED, NOTE, exact, rounded, rounded_beside, wrapped};
use crate::surfaces::{self, SurfaceRefusal};
use crate::values::IntegralArgument;

mod surface;

/// The largest document that is read: a release on 100,000 points with its estimate takes a third of it.
pub const LARGEST: u64 = 1 << 26;

/// Why an answer was refused.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EvaluateRefusal {
    #[error("--at: values are printed as CSV, and other answers in words\nhint: give --json for all of them at once")]
    Several,
    #[error("--at, --slice, --derivative: one of them at a time is printed\nhint: give --json for all of them at once")]
    SeveralOfSurface,
    #[error(
        "{argument}: the points of a surface are pairs S1,T1,S2,T2,..., and {found} numbers were given\nhint: give an s and a t for each \
         point, such as {argument} 1.5,12"
    )]
    Pairs { argument: &'static str, found: usize },
    #[error(
        "{argument}: a surface has values (--at), slices (--slice) and slopes (--derivative)\nhint: leave {argument} out"
    )]
    OfCurves { argument: &'static str },
    #[error(
        "--band: the intervals of the slopes of a surface are about the mean of these very people, and not of the population\n\
         hint: leave --band out, or give --band posterior"
    )]
    SlopesOfPopulation,
    #[error("--of: the release has {}", .known.join(", "))]
    Name { known: Vec<String> },
    #[error("--of: this is no release of groups and no regression\nhint: leave --of out")]
    OneMean,
    #[error("--of: `{name}`: {reason}")]
    Hidden { name: String, reason: AnalysisError },
    #[error("{argument}: {reason}")]
    Feature { argument: &'static str, reason: AnalysisError },
}

/// Everything that was asked for.
#[derive(Serialize)]
struct Answer {
    kind: &'static str,
    software: String,
    /// Whether the noise of the release was secret.
    private: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<PointEstimate<f64>>>,
    #[serde(flatten)]
    features: Option<Features>,
}

/// Numbers from draws of the mean.
#[derive(Serialize)]
struct Features {
    /// What they are about.
    target: String,
    /// The probability that each interval states.
    level: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    derivative: Vec<Slope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    integral: Option<Integral>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<Maximum>,
}

#[derive(Serialize)]
struct Slope {
    t: f64,
    #[serde(flatten)]
    slope: Feature,
}

#[derive(Serialize)]
struct Integral {
    from: f64,
    to: f64,
    #[serde(flatten)]
    feature: Feature,
}

/// The values as CSV, the rest in words, or all of it as JSON.
pub fn run(arguments: &EvaluateArguments) -> Result<String, CliError> {
    let band = BandChoice::check(&arguments.settings.estimate)?;
    if let Some(estimated) = surfaces::read(&arguments.release)? {
        if arguments.of.is_some() {
            return Err(EvaluateRefusal::OneMean.into());
        }
        band.check_surface()?;
        return surface::run(arguments, &band.plain_again(estimated)?);
    }
    if arguments.slice.is_some() {
        return Err(SurfaceRefusal::NoSurface { option: "--slice" }.into());
    }
    let asks_features = arguments.derivative.is_some() || arguments.integral.is_some() || arguments.maximum;
    if arguments.at.is_some() && asks_features && !arguments.json {
        return Err(EvaluateRefusal::Several.into());
    }
    let curve = match &arguments.of {
        Some(name) => read_named(&arguments.release, name, &band)?,
        None => read_curve(&arguments.release, &band)?,
    };
    let Curve { mean, software, private, .. } = curve;
    let points = arguments.at.as_ref().map(|at| mean.at(&at.0)).transpose()?;
    let features = asks_features.then(|| progress::waiting("drawing", || Features::of(&mean, arguments)));
    let answer = Answer { kind: "evaluation", software, private, points, features: features.transpose()? };
    match &answer {
        answer if arguments.json => Ok(serde_json::to_string_pretty(answer)? + "\n"),
        Answer { points: Some(points), .. } => Ok(table(points)?),
        answer => Ok(answer.words()),
    }
}

impl Features {
    fn of(mean: &Banded<PopulationMean>, arguments: &EvaluateArguments) -> Result<Self, CliError> {
        let draws = MeanDraws::of(mean)?;
        let refused = |argument: &'static str| move |reason| EvaluateRefusal::Feature { argument, reason };
        let slopes = arguments.derivative.iter().flat_map(|points| &points.0);
        let slopes = slopes.map(|&t| Ok(Slope { t, slope: draws.slope(t).map_err(refused("--derivative"))? }));
        let grid = mean.population().grid();
        let integral = arguments.integral.map(|ends| {
            let (from, to) = match ends {
                IntegralArgument::All => (grid.lower(), grid.upper()),
                IntegralArgument::Between(from, to) => (from, to),
            };
            draws.integral(from, to).map(|feature| Integral { from, to, feature }).map_err(refused("--integral"))
        });
        Ok(Self {
            target: draws.target().to_string(),
            level: draws.level(),
            derivative: slopes.collect::<Result<_, EvaluateRefusal>>()?,
            integral: integral.transpose()?,
            maximum: arguments.maximum.then(|| draws.maximum()),
        })
    }
}

impl Answer {
    fn words(&self) -> String {
        let mut text = format!("Features of a private mean function ({})\n\n", self.software);
        let Some(features) = &self.features else { return text };
        let percent = rounded(100.0 * features.level);
        let said = |what: String, Feature { value, sd, lower, upper }: &Feature| {
            // an arc of a circle
            let over = if lower > upper { " over the end of the domain" } else { "" };
            let [value, lower, upper] = [value, lower, upper].map(|number| rounded_beside(*number, *sd));
            let sd = rounded(*sd);
            format!("{what}{value}, sd\u{a0}{sd}, {percent}%\u{a0}interval from {lower}{over} to {upper}")
        };
        for Slope { t, slope } in &features.derivative {
            text += &wrapped("slope", &said(format!("at {}: ", exact(*t)), slope));
        }
        if let Some(Integral { from, to, feature }) = &features.integral {
            let over = if from > to { " over the end of the domain" } else { "" };
            text += &wrapped("integral", &said(format!("from {}{over} to {}: ", exact(*from), exact(*to)), feature));
        }
        if let Some(Maximum { at, value, at_an_end }) = &features.maximum {
            text += &wrapped("maximum", &said("at ".to_owned(), at));
            text += &wrapped("largest", &said(String::new(), value));
            if *at_an_end > 0.0 {
                let share = rounded((1000.0 * at_an_end).round() / 10.0);
                let ends = format!("in {share}% of the draws the mean is largest at an end of the domain");
                text += &wrapped(NOTE, &ends);
            }
        }
        if !self.private {
            text += &wrapped(NOTE, FROM_A_SEED);
        }
        let closing = format!(
            "Each number is that of the posterior mean. Standard deviations and intervals are about {}, from draws of the posterior: \
             for one number at a time, if the prior describes the mean.",
            features.target
        );
        text + "\n" + &wrapped("", &closing)
    }
}

/// One mean curve of a release, with what is said beside it.
pub struct Curve {
    pub mean: Banded<PopulationMean>,
    pub facts: Vec<Fact>,
    pub software: String,
    /// Whether the noise of the release was secret.
    pub private: bool,
}

impl Curve {
    fn of<S: Estimable<Means = Banded<PopulationMean>>>(estimated: &Estimated<S>) -> Self {
        Self::beside(estimated.mean().clone(), estimated)
    }

    /// One of several means.
    fn named<S: Estimable>(
        estimated: &Estimated<S>,
        means: &Several<PopulationMean>,
        (name, band): (&str, &BandChoice),
    ) -> Result<Self, CliError> {
        let known = || means.all().iter().map(|mean| mean.name().to_owned()).collect();
        let found = means.get(name).ok_or_else(|| EvaluateRefusal::Name { known: known() })?;
        let hidden = |reason| EvaluateRefusal::Hidden { name: name.to_owned(), reason };
        let mean = found.mean().map_err(hidden)?;
        let other = band.other_than(mean.estimate())?;
        let mean = other.map_or_else(|| Ok(mean.clone()), |(band, level)| mean.with_band(&band, level))?;
        Ok(Self::beside(mean, estimated))
    }

    fn beside<S: Estimable>(mean: Banded<PopulationMean>, estimated: &Estimated<S>) -> Self {
        let (release, facts) = (estimated.drawn(), estimated.facts());
        Self { mean, facts, software: release.software().to_owned(), private: release.is_private() }
    }
}

/// One mean of a release of groups, or one coefficient of a regression, from its file.
fn read_named(path: &Path, name: &str, band: &BandChoice) -> Result<Curve, CliError> {
    let text = document(path, LARGEST)?;
    let flawed = |error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) };
    match Head::read(&text).map(|head| head.kind).unwrap_or_default().as_str() {
        Groups::KIND => {
            let estimated = Estimated::<Groups>::from_json(&text).map_err(flawed)?;
            Curve::named(&estimated, estimated.means(), (name, band))
        }
        Regression::KIND => {
            let estimated = Estimated::<Regression>::from_json(&text).map_err(flawed)?;
            Curve::named(&estimated, estimated.means(), (name, band))
        }
        _ => Err(EvaluateRefusal::OneMean.into()),
    }
}

/// A release of a mean from its file, of curves or of rows, with its estimate and the band asked for.
pub fn read_curve(path: &Path, band: &BandChoice) -> Result<Curve, CliError> {
    Ok(match read_rows(path)? {
        Some(estimated) => Curve::of(&band.plain_again(estimated)?),
        None => Curve::of(&band.again(read_release(path)?)?),
    })
}

/// A release of rows from its file, with its estimate; `None` for a document of another kind.
pub fn read_rows(path: &Path) -> Result<Option<Estimated<Rows>>, CliError> {
    let text = document(path, LARGEST)?;
    if !Head::read(&text).is_ok_and(|head| head.kind == Rows::KIND) {
        return Ok(None);
    }
    let refused = |error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) };
    Estimated::<Rows>::from_json(&text).map(Some).map_err(refused)
}

/// A release from its file, with its estimate.
pub fn read_release(path: &Path) -> Result<Estimated<Mean>, CliError> {
    let text = document(path, LARGEST)?;
    if Head::read(&text).is_ok_and(|head| head.kind == Surface::KIND) {
        return Err(SurfaceRefusal::Curves { path: path.to_owned() }.into());
    }
    Estimated::<Mean>::from_json(&text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) })
}
