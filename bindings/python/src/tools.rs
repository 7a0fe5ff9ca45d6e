//! Questions about public numbers alone: how much noise, how large an error, and whether a claim can be refuted.

use dpfda::AnyRelease;
use dpfda::analysis::{BayesRisk, Ladder};
use dpfda::audit::{AuditError, AuditPlan, AuditReport, ReleaseAttack, Setting};
use dpfda::kernels::Grid;
use dpfda::privacy::{GaussianPrivacy, LogConcavePrivacy, NoiseFamily, best_family};
use dpfda::release::NoiseLaw;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::budget::Budget;
use crate::private_rows::RowsSettings;
use crate::refusal::{Refusal, one_of};
use crate::settings::{CALIBRATIONS, RELATIONS, Settings};

/// The family, the scale and the variance of the noise that a guarantee takes.
#[pyfunction]
pub fn calibrate(
    family: &str,
    budget: Budget,
    sensitivity: f64,
    dimension: usize,
    calibration: &str,
) -> Result<(String, f64, f64), Refusal> {
    let (budget, calibration) = (budget.0, one_of("calibration", calibration, &CALIBRATIONS)?);
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
        let scale = GaussianPrivacy::calibrated(calibration, &budget)?.scale(sensitivity)?;
        return Ok((family.to_string(), scale, scale * scale));
    }
    if calibration != dpfda::privacy::Calibration::Tight {
        return Err(Refusal::new("calibration", "the classical calibration belongs to Gaussian noise"));
    }
    let privacy = LogConcavePrivacy::calibrated_in(family, &budget, dimension)?;
    Ok((family.to_string(), privacy.scale(sensitivity)?, privacy.variance(sensitivity)?))
}

/// The expected errors of releases with so many records, and the number of records that an error takes, as JSON.
#[pyfunction]
#[pyo3(signature = (settings, records, error, points, level))]
pub fn expect(
    py: Python<'_>,
    settings: &Settings,
    records: Vec<u64>,
    error: Option<f64>,
    points: usize,
    level: f64,
) -> Result<String, Refusal> {
    py.detach(|| {
        let grid = Grid::uniform(0.0, 1.0, points).map_err(|error| Refusal::from(error).at("points"))?;
        let (risk, law) = settings.risk(&grid)?;
        foretold(&risk, &law, records, error, level)
    })
}

/// The same for long tables, where every subject has so many values.
#[pyfunction]
#[pyo3(signature = (settings, values, records, error, level))]
pub fn expect_rows(
    py: Python<'_>,
    settings: &RowsSettings,
    values: u32,
    records: Vec<u64>,
    error: Option<f64>,
    level: f64,
) -> Result<String, Refusal> {
    py.detach(|| {
        let law = settings.private_mean.noise_law(values)?;
        let mechanism = settings.private_mean.mechanism()?;
        let risk = BayesRisk::of_rows(mechanism.statistic(), &Ladder::default())?;
        foretold(&risk, &law, records, error, level)
    })
}

fn foretold(
    risk: &BayesRisk,
    law: &NoiseLaw,
    records: Vec<u64>,
    error: Option<f64>,
    level: f64,
) -> Result<String, Refusal> {
    let needed = error.map(|error| risk.records_for(law, error)).transpose()?;
    let asked = if records.is_empty() { needed.into_iter().collect() } else { records };
    let expected = asked.iter().map(|&records| -> Result<Value, Refusal> {
        let numbers = risk.of(law, records, level)?;
        let mut answer = serde_json::to_value(numbers)?;
        answer["refused"] = json!(numbers.is_refused());
        Ok(answer)
    });
    Ok(json!({ "needed": needed, "expected": expected.collect::<Result<Vec<_>, _>>()? }).to_string())
}

/// The mechanism of a setting, or that of a release.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AuditArguments {
    release: Option<String>,
    mechanism: Option<String>,
    budget: Option<Budget>,
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
    let (Some(mechanism), Some(Budget(budget))) = (&arguments.mechanism, &arguments.budget) else {
        return Err(Refusal::new("mechanism", "give a release, or a mechanism with epsilon and delta"));
    };
    let mechanism = mechanism.parse().map_err(|error| Refusal::new("mechanism", error))?;
    Ok(Setting { mechanism, budget: *budget, neighbours: one_of("neighbours", &arguments.neighbours, &RELATIONS)? })
}

fn attack_of(text: &str) -> Result<ReleaseAttack, Refusal> {
    let release = AnyRelease::from_json(text).map_err(|error| Refusal::of_document(&error))?;
    Ok(release.published().attack()?)
}

/// The facts of a release of any kind.
#[pyfunction]
pub fn facts_of(text: &str) -> Result<Vec<(&'static str, String)>, Refusal> {
    let release = AnyRelease::from_json(text).map_err(|error| Refusal::of_document(&error))?;
    Ok(release.facts().into_iter().map(|fact| (fact.name, fact.text)).collect())
}
