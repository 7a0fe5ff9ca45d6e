//! `dpfda evaluate` of a release of surfaces: values and slopes about points of the rectangle, and slices.

use dpfda::analysis::{Estimated, PointEstimate, SurfaceSlopes};
use dpfda::release::Surface;
use serde::Serialize;

use super::EvaluateRefusal;
use crate::arguments::{AnswerArguments, EvaluateArguments, FeatureArguments};
use crate::curve::CurveRefusal;
use crate::error::CliError;
use crate::features::{Told, slope_in_words, slopes_in_words};
use crate::output::table;
use crate::summary::{FROM_A_SEED, NOTE, exact, rounded, wrapped};
use crate::values::{AtArgument, Numbers, SliceArgument, SlopesArgument};

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
    /// What the band is about, and so are all numbers.
    target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    derivative: Option<Vec<SurfaceSlopes>>,
    /// Numbers of the slice.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_slice: Option<Told>,
}

/// Values and slices as CSV, slopes and numbers of a slice in words, or all of it as JSON.
pub fn run(arguments: &EvaluateArguments, estimated: &Estimated<Surface>) -> Result<String, CliError> {
    let EvaluateArguments { at, slice, features: asked, answer: AnswerArguments { json }, .. } = arguments;
    check(asked, slice.is_some())?;
    if [at.is_some(), slice.is_some(), asked.derivative.is_some()].iter().filter(|asked| **asked).count() > 1 && !json {
        return Err(EvaluateRefusal::SeveralOfSurface.into());
    }
    let points = match at {
        Some(AtArgument::Covariates(_)) => return Err(CurveRefusal::NoCovariates.into()),
        Some(AtArgument::Points(given)) => Some(pairs("--at", given)?),
        None => None,
    };
    let points = points.map(|points| estimated.at(&points)).transpose()?;
    let refused = |argument| move |reason| EvaluateRefusal::Feature { argument, reason };
    let of_slice = slice.map(|slice| of_slice(estimated, slice, asked)).transpose()?.flatten();
    let slice = slice.map(|slice| estimated.at(&along(estimated, slice)).map_err(refused("--slice"))).transpose()?;
    let slopes = match &asked.derivative {
        Some(SlopesArgument::About(given)) => {
            let pairs = pairs("--derivative", given)?;
            Some(estimated.slopes_at(&pairs).map_err(refused("--derivative"))?)
        }
        _ => None,
    };
    let answer = Answer {
        kind: "evaluation",
        software: estimated.software().to_owned(),
        private: estimated.is_private(),
        level: estimated.estimate().level,
        target: estimated.estimate().target.to_string(),
        points,
        slice,
        derivative: slopes,
        of_slice,
    };
    match (&answer.points, &answer.slice) {
        _ if *json => Ok(serde_json::to_string_pretty(&answer)? + "\n"),
        (Some(points), _) => Ok(table(points)?),
        (None, Some(points)) if answer.of_slice.is_none() => Ok(table(points)?),
        (None, _) => Ok(answer.words()),
    }
}

/// Refuses what only a curve has.
fn check(asked: &FeatureArguments, is_sliced: bool) -> Result<(), EvaluateRefusal> {
    let of_a_slice =
        [(asked.integral.is_some(), "--integral"), (asked.maximum, "--maximum"), (asked.minimum, "--minimum")];
    let unsliced = of_a_slice.into_iter().find(|(is_asked, _)| *is_asked && !is_sliced);
    let (argument, cure) = if let Some((_, argument)) = unsliced {
        (argument, "give a slice as well, such as --slice s=1.5")
    } else if asked.window.is_some() {
        ("--window", "leave --window out: a slope of a surface is over a tenth of each axis")
    } else if asked.derivative == Some(SlopesArgument::All) {
        ("--derivative", "give points, such as --derivative 1.5,12")
    } else {
        return Ok(());
    };
    Err(EvaluateRefusal::OfCurves { argument, cure })
}

/// The numbers of a slice that are asked for.
fn of_slice(
    estimated: &Estimated<Surface>,
    slice: SliceArgument,
    asked: &FeatureArguments,
) -> Result<Option<Told>, CliError> {
    let features = match slice {
        SliceArgument::AtS(s) => estimated.mean().features_at_s(s),
        SliceArgument::AtT(t) => estimated.mean().features_at_t(t),
    };
    let features = features.map_err(|reason| EvaluateRefusal::Feature { argument: "--slice", reason })?;
    Ok(Told::of(&features, &FeatureArguments { derivative: None, window: None, ..asked.clone() })?)
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
        let mut text = format!("Features of a private mean surface ({})\n\n", self.software);
        let percent = rounded(100.0 * self.level);
        for SurfaceSlopes { s, t, along_s, along_t } in self.derivative.iter().flatten() {
            for (axis, slope) in [("s", along_s), ("t", along_t)] {
                let (s, t) = (exact(*s), exact(*t));
                let said = slope_in_words(slope, &percent);
                text += &wrapped("slope", &format!("along {axis} at s\u{a0}=\u{a0}{s}, t\u{a0}=\u{a0}{t}, {said}"));
            }
        }
        text += &self.of_slice.as_ref().map_or_else(String::new, Told::words);
        if !self.private {
            text += &wrapped(NOTE, FROM_A_SEED);
        }
        let windows = self.derivative.as_ref().map_or_else(String::new, |_| slopes_in_words("a tenth of its axis"));
        let closing = format!(
            "Each number and its interval follow from the band alone, which is about {}; a standard deviation is what it is at most. {windows}",
            self.target
        );
        text + "\n" + &wrapped("", closing.trim_end())
    }
}
