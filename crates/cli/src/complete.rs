//! `dpfda complete`: the rest of a curve of one person, from the values of theirs that are known and a release.

use std::io;
use std::path::{Path, PathBuf};

use dpfda::analysis::{AnalysisError, Completion};
use dpfda::mechanism::Statistic;
use dpfda::release::Regression;
use dpfda::smoothing::{PublicCurve, PublicCurveError};
use dpfda_study::BandChoice;
use serde::Serialize;
use thiserror::Error;

use crate::arguments::CompleteArguments;
use crate::curve::{Curve, Which, kind_of};
use crate::error::{CliError, own_refusals};
use crate::input::whole;
use crate::output::{TableError, text_of};
use crate::progress;
use crate::shown::shown;
use crate::summary::{exact, rounded};

/// The largest file of a curve that is read, in bytes.
const LARGEST: u64 = 1 << 23;

/// What a reader must know of the answer.
const ABOUT: &str = "\
The completion is about the person whose values were given, and as private as they are. It assumes that people are normal about their mean; \
its band is approximate";

/// Why a curve is not completed. Nothing of the curve is shown.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CompleteRefusal {
    #[error("FILE.csv: cannot read `{}`: {source}; give a CSV file with the columns t,value", shown(path))]
    Read { path: PathBuf, source: io::Error },
    #[error("FILE.csv (`{}`): {reason}; give a CSV file with the columns t,value", shown(path))]
    Curve { path: PathBuf, reason: PublicCurveError },
    #[error("FILE.csv (`{}`): {reason}", shown(path))]
    Seen { path: PathBuf, reason: AnalysisError },
    #[error("RELEASE.json: {0}")]
    Release(AnalysisError),
}

own_refusals!(CompleteRefusal);

/// The answer for programs.
#[derive(Serialize)]
struct Answer<'a> {
    kind: &'static str,
    software: &'a str,
    /// Whether the noise of the release was secret.
    private: bool,
    level: f64,
    degrees_of_freedom: f64,
    /// The number of components that were told from noise.
    components: usize,
    /// The known values outside the band for a new person.
    outside: usize,
    note: &'static str,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    t: f64,
    value: f64,
    sd: f64,
    lower: f64,
    upper: f64,
}

/// The completed values as CSV or JSON.
pub fn run(arguments: &CompleteArguments) -> Result<String, CliError> {
    let level = BandChoice::check(&arguments.settings.estimate)?.level();
    if kind_of(&arguments.release)? == Regression::KIND {
        return Err(CompleteRefusal::Release(AnalysisError::NoMoments).into());
    }
    let seen = read(&arguments.curve)?;
    let which = arguments.of.as_deref().map_or(Which::Mean, Which::Named);
    let Curve { mean, software, private, limits, .. } = Curve::read(&arguments.release, which, &BandChoice::default())?;
    let population = mean.population();
    let person = progress::waiting("components", || population.person().map_err(CompleteRefusal::Release))?;
    let refused = |reason| CompleteRefusal::Seen { path: arguments.curve.clone(), reason };
    let completion = population.complete(seen.points(), seen.values(), level).map_err(refused)?;
    let points = points(&completion);
    if !arguments.answer.json {
        progress::caution(ABOUT);
        if let Some(beyond) = limits.and_then(|limits| beyond(&seen, limits)) {
            progress::caution(&beyond);
        }
        if completion.outside > 0 {
            progress::caution(&unlike(completion.outside, seen.values().len(), level));
        }
        return Ok(table(&points)?);
    }
    let answer = Answer {
        kind: "completion",
        software: &software,
        private,
        level,
        degrees_of_freedom: person.degrees_of_freedom(),
        components: person.rank(),
        outside: completion.outside,
        note: ABOUT,
        points,
    };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}

/// What is said of values that nobody of the release has.
fn beyond(seen: &PublicCurve, (lower, upper): (f64, f64)) -> Option<String> {
    let count = seen.values().iter().filter(|value| !(lower..=upper).contains(*value)).count();
    (count > 0).then(|| {
        format!(
            "{count} of the {} known values lie outside the bounds of the release, {} and {}: are they in other units?",
            seen.values().len(),
            exact(lower),
            exact(upper)
        )
    })
}

/// What is said of a person who is far from the others.
fn unlike(outside: usize, known: usize, level: f64) -> String {
    format!(
        "{outside} of the {known} known values lie outside the {}% band for the curve of a new person. This person is unlike those of whom \
         the release tells, and the band of the rest may miss the curve",
        rounded(100.0 * level)
    )
}

fn read(path: &Path) -> Result<PublicCurve, CompleteRefusal> {
    let read = |source| CompleteRefusal::Read { path: path.to_owned(), source };
    let bytes = whole(path, LARGEST).map_err(read)?;
    let refused = |reason| CompleteRefusal::Curve { path: path.to_owned(), reason };
    PublicCurve::from_csv_reader(bytes.as_slice()).map_err(refused)
}

fn points(completion: &Completion) -> Vec<Point> {
    let Completion { at, values, sd, lower, upper, .. } = completion;
    let point = |(i, t): (usize, &f64)| Point { t: *t, value: values[i], sd: sd[i], lower: lower[i], upper: upper[i] };
    at.iter().enumerate().map(point).collect()
}

fn table(points: &[Point]) -> Result<String, TableError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(["t", "value", "sd", "lower", "upper"]).map_err(|_| TableError)?;
    for Point { t, value, sd, lower, upper } in points {
        csv.write_record([t, value, sd, lower, upper].map(|number| exact(*number))).map_err(|_| TableError)?;
    }
    text_of(csv)
}
