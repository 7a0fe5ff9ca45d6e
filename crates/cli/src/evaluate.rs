//! `dpfda evaluate`: an estimate at any points, its slope, its integral and its maximum.

use dpfda::analysis::{Banded, Feature, Maximum, MeanDraws, PointEstimate, Population, PopulationMean};
use dpfda_study::BandChoice;
use serde::Serialize;

use crate::arguments::EvaluateArguments;
use crate::curve::{Curve, CurveRefusal, Which};
use crate::error::CliError;
use crate::output::table;
use crate::progress;
use crate::summary::{FROM_A_SEED, NOTE, exact, rounded, rounded_beside, wrapped};
use crate::surfaces::{self, SurfaceRefusal};
use crate::values::{AtArgument, IntegralArgument};

mod error;
mod surface;

pub use error::EvaluateRefusal;

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
            return Err(CurveRefusal::OneMean.into());
        }
        band.check_surface()?;
        return surface::run(arguments, &band.plain_again(estimated)?);
    }
    if arguments.slice.is_some() {
        return Err(SurfaceRefusal::NoSurface { option: "--slice" }.into());
    }
    let asks_features = arguments.derivative.is_some() || arguments.integral.is_some() || arguments.maximum;
    let covariates = match &arguments.at {
        Some(AtArgument::Covariates(values)) => Some(values.as_slice()),
        _ => None,
    };
    if arguments.at.is_some() && covariates.is_none() && asks_features && !arguments.answer.json {
        return Err(EvaluateRefusal::Several.into());
    }
    let which = match (&arguments.of, covariates) {
        (Some(_), Some(_)) => return Err(EvaluateRefusal::NameAndCovariates.into()),
        (Some(name), None) => Which::Named(name),
        (None, Some(covariates)) => Which::At(covariates),
        (None, None) => Which::Mean,
    };
    let Curve { mean, software, private, .. } = Curve::read(&arguments.release, which, &band)?;
    let points = match &arguments.at {
        Some(AtArgument::Points(at)) => Some(mean.at(&at.0)?),
        Some(AtArgument::Covariates(_)) if !asks_features || arguments.answer.json => Some(mean.estimate().points()),
        _ => None,
    };
    let features = asks_features.then(|| progress::waiting("drawing", || Features::of(&mean, arguments)));
    let answer = Answer { kind: "evaluation", software, private, points, features: features.transpose()? };
    match &answer {
        answer if arguments.answer.json => Ok(serde_json::to_string_pretty(answer)? + "\n"),
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
