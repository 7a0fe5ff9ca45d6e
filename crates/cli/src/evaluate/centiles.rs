//! `dpfda evaluate --centiles`: other centiles of a chart, or those of a mean or of a group with second moments if values are normal.

use dpfda::analysis::{AnalysisError, Estimated};
use dpfda::kinds::OtherCentiles;
use dpfda::mechanism::Statistic;
use dpfda::release::{Centiles, Regression};
use dpfda_study::BandChoice;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{EvaluateRefusal, rows_of};
use crate::arguments::EvaluateArguments;
use crate::curve::{Curve, CurveRefusal, Which};
use crate::document::{LARGEST, flawed, kind_in};
use crate::error::CliError;
use crate::input;
use crate::output::csv_of;
use crate::progress;

/// What is assumed of a mean.
const ASSUMED: &str = "values at each point are taken to be normal, which is not checked; a release of centile curves (dpfda release --centiles) \
                       assumes nothing of the kind";

/// What is assumed of a normal chart.
const IF_NORMAL: &str = "values at each point are taken to be normal, which nothing in the release speaks against";

/// Centiles for programs.
#[derive(Serialize)]
struct Answer {
    kind: &'static str,
    software: String,
    private: bool,
    assumed: Option<&'static str>,
    /// What a noisy number of few people means for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    curves: Vec<Map<String, Value>>,
}

/// The curves as CSV, or as JSON.
pub fn run(arguments: &EvaluateArguments, centiles: &[f64], band: &BandChoice) -> Result<String, CliError> {
    Centiles::check_shown(centiles).map_err(EvaluateRefusal::Centiles)?;
    let text = input::document(&arguments.release, LARGEST)?;
    let kind = kind_in(&text);
    let of_chart = kind == Centiles::KIND;
    if kind == Regression::KIND {
        return Err(EvaluateRefusal::OfRegression.into());
    }
    let (OtherCentiles { table, note }, software, private) = if of_chart {
        if arguments.of.is_some() {
            return Err(CurveRefusal::OneMean.into());
        }
        let read = progress::waiting("estimating", || Estimated::<Centiles>::from_json(&text));
        let estimated = read.map_err(|error| flawed(&arguments.release, &text, &error))?;
        let estimated = band.plain_again(estimated)?;
        let asked = OtherCentiles::of_chart(estimated.means(), centiles.to_vec(), arguments.normal, None);
        let asked = asked.map_err(|error| match error {
            AnalysisError::Centiles(error) => EvaluateRefusal::Centiles(error).into(),
            error if arguments.normal => EvaluateRefusal::Normal(error).into(),
            error => CliError::from(error),
        })?;
        (asked, estimated.software().to_owned(), estimated.is_private())
    } else if arguments.normal {
        return Err(EvaluateRefusal::AlreadyNormal.into());
    } else {
        let which = arguments.of.as_deref().map_or(Which::Mean, Which::Named);
        let curve = Curve::read(&arguments.release, which, &BandChoice::default())?;
        let level = arguments.settings.estimate.level.map(|_| band.level());
        let asked = OtherCentiles::of_mean(curve.mean.population(), centiles, level);
        (asked.map_err(EvaluateRefusal::NotNormal)?, curve.software, curve.private)
    };
    if !of_chart && !arguments.answer.json {
        progress::caution(ASSUMED);
    }
    if !arguments.answer.json {
        if let Some(note) = &note {
            progress::caution(note);
        }
        return Ok(csv_of(&table)?);
    }
    let assumed = match (of_chart, arguments.normal) {
        (false, _) => Some(ASSUMED),
        (true, true) => Some(IF_NORMAL),
        (true, false) => None,
    };
    let curves = rows_of(&table);
    let answer = Answer { kind: "centiles", software, private, assumed, note, curves };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}
