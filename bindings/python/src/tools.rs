//! Questions about public numbers alone: how much noise, how large an error, and whether a claim can be refuted.

use dpfda::AnyRelease;
use dpfda::audit::{AuditError, AuditPlan, AuditReport, ReleaseAttack, Setting};
use dpfda::privacy::{Calibration, GaussianPrivacy, LogConcavePrivacy, NoiseFamily, PrivacyBudget, best_family};
use dpfda_study::{Errors, Forecast, ForecastError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::ledger::RELATIONS;
use crate::refusal::{Refusal, one_of};
use crate::study::CheckedStudy;

/// The family, the scale and the variance of the noise that a guarantee takes.
#[pyfunction]
pub fn calibrate(
    family: &str,
    budget: (f64, f64),
    sensitivity: f64,
    dimension: usize,
    classical: bool,
) -> Result<(String, f64, f64), Refusal> {
    let budget = PrivacyBudget::new(budget.0, budget.1)?;
    let calibration = if classical { Calibration::Classical } else { Calibration::Tight };
    if dimension == 0 {
        return Err(Refusal::new("dimension", "dimension must be at least 1"));
    }
    let family = match family {
        "best" => {
            // refuses several dimensions as any other family does
            LogConcavePrivacy::calibrated_in(NoiseFamily::Laplace, &budget, dimension)?;
            best_family(&budget)?.family()
        }
        name => name.parse()?,
    };
    if family == NoiseFamily::Gaussian {
        let privacy = GaussianPrivacy::calibrated(calibration, &budget)?;
        let scale = privacy.scale(sensitivity).map_err(|error| Refusal::from(error).at("sensitivity"))?;
        return Ok((family.to_string(), scale, scale * scale));
    }
    if classical {
        return Err(Refusal::new("classical", "the classical calibration belongs to Gaussian noise"));
    }
    let privacy = LogConcavePrivacy::calibrated_in(family, &budget, dimension)?;
    Ok((family.to_string(), privacy.scale(sensitivity)?, privacy.variance(sensitivity)?))
}

/// What is expected of releases of a study with so many records, and the number of records that an error takes, as JSON. Curves have so
/// many points; of rows every subject has so many values.
#[pyfunction]
#[pyo3(signature = (study, records, error, points, spread))]
pub fn forecast(
    py: Python<'_>,
    study: &CheckedStudy,
    records: Vec<u64>,
    error: Option<f64>,
    points: usize,
    spread: Option<f64>,
) -> Result<String, Refusal> {
    let checked = &study.checked;
    let answer = || -> Result<Value, ForecastError> {
        let forecast = Forecast::of((**checked).clone(), points, spread)?;
        let needed = error.map(|error| Errors::of(&forecast).records_for(error, forecast.epsilon())).transpose()?;
        let asked = if records.is_empty() { needed.into_iter().collect() } else { records };
        let expected = asked.iter().map(|&records| forecast.expected(records)).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({ "needed": needed, "expected": expected }))
    };
    Ok(py.detach(answer)?.to_string())
}

/// The mechanism of a setting, or that of a release.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AuditArguments {
    release: Option<String>,
    mechanism: Option<String>,
    budget: Option<(f64, f64)>,
    neighbours: String,
}

/// Attacks a claim with synthetic neighbours; the report as JSON.
#[pyfunction]
pub fn audit(py: Python<'_>, arguments: AuditArguments, draws: u64, seed: u64) -> Result<String, Refusal> {
    py.detach(|| {
        let plan = AuditPlan { draws, seed, mechanisms: 1 };
        let report = match &arguments.release {
            Some(text) => attack_of(text)?.run(&plan),
            None => setting(&arguments)?.attack().and_then(|attack| attack.run(&plan)),
        };
        match report {
            // a release that is not what it states has refuted itself
            Err(error @ (AuditError::OtherNoise { .. } | AuditError::OtherShape { .. })) => {
                Ok(json!({ "refuted": true, "reason": error.to_string() }).to_string())
            }
            report => Ok(serde_json::to_string::<AuditReport>(&report?)?),
        }
    })
}

fn setting(arguments: &AuditArguments) -> Result<Setting, Refusal> {
    let (Some(mechanism), Some((epsilon, delta))) = (&arguments.mechanism, arguments.budget) else {
        return Err(Refusal::new("mechanism", "give a release, or a mechanism with epsilon and delta"));
    };
    let mechanism = mechanism.parse().map_err(|error| Refusal::new("mechanism", error))?;
    let (budget, neighbours) =
        (PrivacyBudget::new(epsilon, delta)?, one_of("neighbours", &arguments.neighbours, &RELATIONS)?);
    Ok(Setting { mechanism, budget, neighbours })
}

fn attack_of(text: &str) -> Result<ReleaseAttack, Refusal> {
    let release = AnyRelease::from_json(text).map_err(|error| Refusal::of_document(&error))?;
    Ok(release.published().attack()?)
}

/// The facts of a release of any kind.
#[pyfunction]
pub fn facts_of(text: &str) -> Result<Vec<(&'static str, String)>, Refusal> {
    let (_, shown) = AnyRelease::read_shown(text).map_err(|error| Refusal::of_document(&error))?;
    Ok(crate::drawn::facts_of(shown).into_iter().map(crate::released::told).collect())
}
