//! `dpfda forecast --noise`: how much noise a guarantee takes.

use std::fmt::Write;

use dpfda::privacy::{
    Calibration, CalibrationError, GaussianPrivacy, LogConcavePrivacy, NoiseFamily, PrivacyBudget, best_family,
};
use serde::Serialize;

use crate::arguments::PlanArguments;
use crate::error::CliError;
use crate::summary::{exact, rounded};
use crate::values::FamilyArgument;

/// The answer for programs.
#[derive(Serialize)]
struct Answer {
    family: NoiseFamily,
    epsilon: f64,
    delta: f64,
    sensitivity: f64,
    scale: f64,
    variance: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<Candidate>,
}

/// A family that the best one was compared with.
#[derive(Serialize)]
struct Candidate {
    family: NoiseFamily,
    scale: f64,
    variance: f64,
}

/// The noise scale, as text or JSON.
pub fn run(arguments: &PlanArguments, family: FamilyArgument) -> Result<String, CliError> {
    let budget = arguments.settings.budget()?;
    let sensitivity = arguments.sensitivity;
    // Within this range every scale is a normal number.
    if !(1e-100..=1e100).contains(&sensitivity) {
        return Err(CalibrationError::Sensitivity { value: sensitivity }.into());
    }
    let (answer, theorem) = match family {
        FamilyArgument::Named(NoiseFamily::Gaussian) => gaussian(sensitivity, &budget)?,
        FamilyArgument::Named(family) => log_concave(family, sensitivity, &budget)?,
        FamilyArgument::Best => best(sensitivity, &budget)?,
    };
    if arguments.answer.json { Ok(serde_json::to_string(&answer)? + "\n") } else { Ok(in_words(&answer, &theorem)) }
}

fn gaussian(sensitivity: f64, budget: &PrivacyBudget) -> Result<(Answer, String), CliError> {
    let privacy = GaussianPrivacy::calibrated(Calibration::Tight, budget)?;
    let scale = privacy.scale(sensitivity)?;
    let theorem = format!(
        "mu = sensitivity / scale = {}; tight calibration (Balle and Wang 2018), for a summary of any dimension.\n\
         For the error of a whole mean curve, ask `dpfda forecast --records`.\n",
        rounded(privacy.mu())
    );
    Ok((Answer::new(NoiseFamily::Gaussian, sensitivity, budget, (scale, scale * scale)), theorem))
}

fn log_concave(family: NoiseFamily, sensitivity: f64, budget: &PrivacyBudget) -> Result<(Answer, String), CliError> {
    let privacy = LogConcavePrivacy::calibrated(family, budget)?;
    let scaled = (privacy.scale(sensitivity)?, privacy.variance(sensitivity)?);
    let theorem = format!(
        "sensitivity / scale = {}; the smallest scale that does (Vinterbo 2022, Lemma 1), for one number.\n",
        rounded(privacy.distance())
    );
    Ok((Answer::new(family, sensitivity, budget, scaled), theorem))
}

fn best(sensitivity: f64, budget: &PrivacyBudget) -> Result<(Answer, String), CliError> {
    let best = best_family(budget)?;
    let scaled = |family| {
        let privacy = LogConcavePrivacy::calibrated(family, budget)?;
        let (scale, variance) = (privacy.scale(sensitivity)?, privacy.variance(sensitivity)?);
        Ok::<_, CliError>(Candidate { family, scale, variance })
    };
    let Candidate { family, scale, variance } = scaled(best.family())?;
    let mut answer = Answer::new(family, sensitivity, budget, (scale, variance));
    let mut theorem =
        "It has the least variance of these, each at its smallest scale (Vinterbo 2022, Lemma 1), for one number:\n"
            .to_owned();
    for candidate in best.candidates() {
        let (family, ratio) = (candidate.family(), candidate.variance() / best.variance());
        // writing to a string cannot fail
        let _ = writeln!(theorem, "  {:<16} {} times the variance", family.to_string(), rounded(ratio));
        answer.candidates.push(scaled(family)?);
    }
    Ok((answer, theorem))
}

impl Answer {
    fn new(family: NoiseFamily, sensitivity: f64, budget: &PrivacyBudget, (scale, variance): (f64, f64)) -> Self {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        Self { family, epsilon, delta, sensitivity, scale, variance, candidates: Vec::new() }
    }
}

fn in_words(answer: &Answer, theorem: &str) -> String {
    let scale = exact(answer.scale);
    let noise = match answer.family {
        NoiseFamily::Gaussian => format!("Gaussian noise of standard deviation {scale}"),
        family => {
            let (name, density) = described(family);
            let sd = rounded(answer.variance.sqrt());
            format!("{name} noise of scale {scale} (standard deviation {sd}; density at scale 1: {density})")
        }
    };
    format!(
        "{noise} makes a summary of sensitivity {} ({}, {})-differentially private.\n{theorem}",
        exact(answer.sensitivity),
        exact(answer.epsilon),
        exact(answer.delta),
    )
}

/// The family's name and its density at scale 1.
fn described(family: NoiseFamily) -> (&'static str, String) {
    match family {
        NoiseFamily::Gaussian => ("Gaussian", "exp(-x^2/2) / sqrt(2 pi)".to_owned()),
        NoiseFamily::Laplace => ("Laplace", "exp(-|x|) / 2".to_owned()),
        NoiseFamily::Logistic => ("Logistic", "e^-x / (1 + e^-x)^2".to_owned()),
        NoiseFamily::Subbotin(noise) => {
            let r = exact(noise.shape());
            ("Subbotin", format!("proportional to exp(-|x|^{r} / {r})"))
        }
    }
}
