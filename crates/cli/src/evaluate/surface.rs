//! `dpfda evaluate` of a release of surfaces: values and slopes at points of the rectangle, and slices.

use dpfda::analysis::{Estimated, Feature, PointEstimate, SurfaceSlopes};
use dpfda::release::Surface;
use serde::Serialize;

use super::EvaluateRefusal;
use dpfda_study::BandName;

use crate::arguments::EvaluateArguments;
use crate::curve::CurveRefusal;
use crate::error::CliError;
use crate::output::table;
use crate::summary::{FROM_A_SEED, NOTE, exact, rounded, rounded_beside, wrapped};
use crate::values::{AtArgument, Numbers, SliceArgument};

/// Everything that was asked for.
#[derive(Serialize)]
struct Answer {
    kind: &'static str,
    software: String,
    /// Whether the noise of the release was secret.
    private: bool,
    /// The probability that the band and each interval state.
    level: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<PointEstimate<(f64, f64)>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice: Option<Vec<PointEstimate<(f64, f64)>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    derivative: Option<Vec<SurfaceSlopes>>,
}

/// Values and slices as CSV, slopes in words, or all of it as JSON.
pub fn run(arguments: &EvaluateArguments, estimated: &Estimated<Surface>) -> Result<String, CliError> {
    let EvaluateArguments { at, slice, derivative, integral, maximum, answer: asked, .. } = arguments;
    if let Some(argument) = integral.map(|_| "--integral").or(maximum.then_some("--maximum")) {
        return Err(EvaluateRefusal::OfCurves { argument }.into());
    }
    if [at.is_some(), slice.is_some(), derivative.is_some()].iter().filter(|asked| **asked).count() > 1 && !asked.json {
        return Err(EvaluateRefusal::SeveralOfSurface.into());
    }
    if derivative.is_some() && arguments.settings.estimate.band == Some(BandName::Population) {
        return Err(EvaluateRefusal::SlopesOfPopulation.into());
    }
    let points = match at {
        Some(AtArgument::Covariates(_)) => return Err(CurveRefusal::NoCovariates.into()),
        Some(AtArgument::Points(given)) => Some(pairs("--at", given)?),
        None => None,
    };
    let points = points.map(|points| estimated.at(&points)).transpose()?;
    let refused = |argument| move |reason| EvaluateRefusal::Feature { argument, reason };
    let slice = slice.map(|slice| estimated.at(&along(estimated, slice)).map_err(refused("--slice"))).transpose()?;
    let slopes = derivative.as_ref().map(|given| -> Result<_, CliError> {
        Ok(estimated.slopes_at(&pairs("--derivative", given)?).map_err(refused("--derivative"))?)
    });
    let answer = Answer {
        kind: "evaluation",
        software: estimated.software().to_owned(),
        private: estimated.is_private(),
        level: estimated.estimate().level,
        points,
        slice,
        derivative: slopes.transpose()?,
    };
    match (&answer.points, &answer.slice) {
        _ if asked.json => Ok(serde_json::to_string_pretty(&answer)? + "\n"),
        (Some(points), _) | (None, Some(points)) => Ok(table(points)?),
        (None, None) => Ok(answer.words()),
    }
}

/// Numbers as points `(s, t)`.
fn pairs(argument: &'static str, Numbers(numbers): &Numbers) -> Result<Vec<(f64, f64)>, EvaluateRefusal> {
    let (pairs, rest) = numbers.as_chunks::<2>();
    if rest.is_empty() {
        Ok(pairs.iter().map(|&[s, t]| (s, t)).collect())
    } else {
        Err(EvaluateRefusal::Pairs { argument, found: numbers.len() })
    }
}

/// The points of a slice: those of the grid along the other axis.
fn along(estimated: &Estimated<Surface>, slice: SliceArgument) -> Vec<(f64, f64)> {
    let axes = estimated.posterior().grid().axes();
    match slice {
        SliceArgument::AtS(s) => axes[1].points().iter().map(|t| (s, *t)).collect(),
        SliceArgument::AtT(t) => axes[0].points().iter().map(|s| (*s, t)).collect(),
    }
}

impl Answer {
    fn words(&self) -> String {
        let mut text = format!("Slopes of a private mean surface ({})\n\n", self.software);
        let percent = rounded(100.0 * self.level);
        for SurfaceSlopes { s, t, along_s, along_t } in self.derivative.iter().flatten() {
            for (axis, Feature { value, sd, lower, upper }) in [("s", along_s), ("t", along_t)] {
                let [value, lower, upper] = [value, lower, upper].map(|number| rounded_beside(*number, *sd));
                let (s, t, sd) = (exact(*s), exact(*t), rounded(*sd));
                let said = format!(
                    "along {axis} at s\u{a0}=\u{a0}{s}, t\u{a0}=\u{a0}{t}: {value}, sd\u{a0}{sd}, {percent}%\u{a0}interval from {lower} to {upper}"
                );
                text += &wrapped("slope", &said);
            }
        }
        if !self.private {
            text += &wrapped(NOTE, FROM_A_SEED);
        }
        let closing = "Each number is that of the posterior mean. Standard deviations and intervals are about the mean of these very people: \
                       for one number at a time, if the prior describes the mean.";
        text + "\n" + &wrapped("", closing)
    }
}
