//! `dpfda calibrate`: how much noise a guarantee takes.

use dpfda::privacy::{Calibration, CalibrationError, GaussianPrivacy, PrivacyBudget};
use serde::Serialize;

use crate::arguments::{BudgetArguments, CalibrateArguments};
use crate::error::{CliError, Missing};
use crate::summary::{exact, rounded};

/// The answer for programs.
#[derive(Serialize)]
struct Answer {
    family: &'static str,
    epsilon: f64,
    delta: f64,
    sensitivity: f64,
    scale: f64,
}

/// The noise scale, as text or JSON.
pub fn run(arguments: &CalibrateArguments) -> Result<String, CliError> {
    let (budget, privacy) = calibrated(&arguments.budget)?;
    let calibration = arguments.budget.calibration();
    let sensitivity = arguments.sensitivity;
    // Within this range every scale is a normal number.
    if !(1e-100..=1e100).contains(&sensitivity) {
        return Err(CalibrationError::Sensitivity { value: sensitivity }.into());
    }
    let scale = privacy.scale(sensitivity)?;
    let (epsilon, delta) = (budget.epsilon(), budget.delta());
    if arguments.json {
        let answer = Answer { family: "gaussian", epsilon, delta, sensitivity, scale };
        return Ok(serde_json::to_string(&answer)? + "\n");
    }
    let theorem = match calibration {
        Calibration::Tight => "tight calibration (Balle and Wang 2018)",
        Calibration::Classical => "classical calibration (Mirshani, Reimherr and Slavkovic, Theorem 3.3)",
    };
    Ok(format!(
        "Gaussian noise of standard deviation {} makes a summary of sensitivity {} ({}, {})-differentially private.\n\
         mu = sensitivity / scale = {}; {theorem}.\n",
        exact(scale),
        exact(sensitivity),
        exact(epsilon),
        exact(delta),
        rounded(privacy.mu()),
    ))
}

/// The guarantee asked for, if a noise of the calibration asked for can give it.
pub fn calibrated(arguments: &BudgetArguments) -> Result<(PrivacyBudget, GaussianPrivacy), CliError> {
    let budget = match (arguments.epsilon, arguments.delta) {
        (Some(epsilon), Some(delta)) => PrivacyBudget::new(epsilon, delta)?,
        (epsilon, delta) => {
            let given = [("--epsilon", epsilon.is_some()), ("--delta", delta.is_some())];
            return Err(CliError::NoBudget(Missing::among(&given)));
        }
    };
    Ok((budget, GaussianPrivacy::calibrated(arguments.calibration(), &budget)?))
}
