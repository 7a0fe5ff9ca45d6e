//! Questions about public numbers alone: how much noise, how large an error, and whether a claim can be refuted.

use dpfda::AnyRelease;
use dpfda::analysis::{BayesRisk, DEFAULT_LEVEL, Ladder};
use dpfda::audit::{AuditError, AuditPlan, AuditReport, ReleaseAttack, Setting};
use dpfda::kernels::Grid;
use dpfda::privacy::{Calibration, GaussianPrivacy, LogConcavePrivacy, NoiseFamily, PrivacyBudget, best_family};
use dpfda::release::{Mean, MeanMechanism, NoiseLaw, ReleaseError};
use dpfda_study::{AskedMean, AskedRows, Checked, Kind};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::ledger::RELATIONS;
use crate::refusal::{Refusal, one_of};
use crate::study::CheckedStudy;

/// The most values of a subject that are foretold.
const MOST_VALUES: u32 = 1_000_000;

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

/// The expected errors of releases of a study with so many records, and the number of records that an error takes, as JSON. Curves have so
/// many points; of a long table every subject has so many values.
#[pyfunction]
#[pyo3(signature = (study, records, error, points))]
pub fn forecast(
    py: Python<'_>,
    study: &CheckedStudy,
    records: Vec<u64>,
    error: Option<f64>,
    points: usize,
) -> Result<String, Refusal> {
    let checked = &study.checked;
    let level = checked.estimate.level.unwrap_or(DEFAULT_LEVEL);
    py.detach(|| match checked.kind {
        Kind::Mean => {
            let grid = Grid::uniform(0.0, 1.0, points).map_err(|error| Refusal::from(error).at("points"))?;
            let (risk, law) = risk(checked, &grid)?;
            foretold(&risk, &law, records, error, level)
        }
        Kind::Rows if checked.is_long() => {
            let rows = AskedRows::of(checked)?.on_domain()?;
            let values = u32::try_from(points).ok().filter(|values| (1..=MOST_VALUES).contains(values));
            let refused = || Refusal::new("points", format!("a subject has from 1 to {MOST_VALUES} values"));
            let law = rows.noise_law(values.ok_or_else(refused)?)?;
            let risk = BayesRisk::of_rows(rows.mechanism()?.statistic(), &Ladder::default())?;
            foretold(&risk, &law, records, error, level)
        }
        kind => Err(Refusal::new("kind", format!("the error of {} is not foretold", kind.in_words()))),
    })
}

/// What a release of a mean on a grid is expected to miss by.
fn risk(study: &Checked, grid: &Grid) -> Result<(BayesRisk, NoiseLaw), Refusal> {
    let asked = AskedMean::of(study)?;
    if study.table.is_process() {
        return Err(Refusal::new("gaps", "forecasts are of curves whose gaps are filled by a line: leave gaps out"));
    }
    let (law, ladder) = (asked.private_mean(grid)?.noise_law_on(grid.len())?, Ladder::default());
    let Some(number) = law.coordinates() else { return Ok((BayesRisk::new(grid, &ladder)?, law)) };
    let mean = Mean::new(asked.ball.on(grid)?, grid.clone(), &MeanMechanism::Coordinates(number));
    let risk = match mean.map_err(ReleaseError::from)?.map() {
        Some(basis) => BayesRisk::in_coordinates(grid, basis, &ladder)?,
        None => BayesRisk::new(grid, &ladder)?,
    };
    Ok((risk, law))
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
    let release = AnyRelease::from_json(text).map_err(|error| Refusal::of_document(&error))?;
    Ok(release.facts().into_iter().map(crate::released::told).collect())
}
