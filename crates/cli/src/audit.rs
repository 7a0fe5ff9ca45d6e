//! `dpfda audit`: an attack on a claim, with synthetic data alone.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use dpfda::audit::{AuditError, AuditReport, Plan, ReleaseAttack, Setting};
use dpfda::density::{CellDraws, HistogramRelease, SeriesRelease};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use dpfda::release::Release;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::arguments::AuditArguments;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::summary::{exact, rounded};

/// What an audit came to.
pub struct Verdict {
    /// What is printed.
    pub text: String,
    /// Whether the claim is refuted.
    pub refuted: bool,
}

/// Attacks the claim that was asked about.
pub fn run(arguments: &AuditArguments) -> Result<Verdict, CliError> {
    let plan = Plan { draws: arguments.draws, seed: arguments.seed, mechanisms: 1 };
    let report = match &arguments.release {
        Some(path) => of_release(path)?.run(&plan),
        None => setting(arguments)?.attack().and_then(|attack| attack.run(&plan)),
    };
    let report = match report {
        Ok(report) => report,
        // a release that is not what it states has refuted itself
        Err(error @ (AuditError::OtherNoise { .. } | AuditError::OtherShape { .. })) => {
            return Ok(Verdict { text: format!("REFUTED: {error}.\n"), refuted: true });
        }
        Err(error) => return Err(CliError::Audit(error)),
    };
    let text = if arguments.json { serde_json::to_string_pretty(&report)? + "\n" } else { in_words(&report) };
    Ok(Verdict { text, refuted: report.refuted })
}

fn setting(arguments: &AuditArguments) -> Result<Setting, CliError> {
    let (Some(mechanism), Some(epsilon)) = (arguments.mechanism, arguments.epsilon) else {
        return Err(CliError::NoEpsilon);
    };
    let budget = PrivacyBudget::new(epsilon, arguments.delta.unwrap_or(0.0))?;
    Ok(Setting { mechanism, budget, neighbours: arguments.neighbours.unwrap_or_default() })
}

/// The mechanism of the release in a file, whichever kind it is.
fn of_release(path: &Path) -> Result<ReleaseAttack, CliError> {
    let text = fs::read_to_string(path).map_err(|source| CliError::ReadRelease { path: path.to_owned(), source })?;
    // Whoever gives private data by mistake must not see their first cell quoted in a syntax error.
    if !text.trim_start().starts_with('{') {
        return Err(CliError::NotJson { path: path.to_owned() });
    }
    let document: Value = parsed(path, &text)?;
    let is_mean = document.get("ball").is_some();
    let attack = if is_mean {
        ReleaseAttack::of_mean(&parsed::<Release>(path, &text)?)
    } else if document["mechanism"] == "series" {
        ReleaseAttack::of_series(&parsed::<SeriesRelease>(path, &text)?)
    } else if document.get("draws").is_some() {
        ReleaseAttack::of_draws(&parsed::<CellDraws>(path, &text)?)
    } else {
        ReleaseAttack::of_histogram(&parsed::<HistogramRelease>(path, &text)?)
    };
    attack.map_err(CliError::Audit)
}

fn parsed<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, CliError> {
    serde_json::from_str(text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of(text, &error) })
}

fn in_words(report: &AuditReport) -> String {
    let relation = match report.neighbours {
        NeighbouringRelation::SubstituteOne => "one record replaced",
        NeighbouringRelation::AddRemoveOne => "one record more or less",
    };
    let mut text = format!(
        "{}, ({}, {})-differentially private, {relation}: {} pairs of synthetic neighbours, {} draws from each side\n\n",
        report.mechanism,
        exact(report.epsilon),
        exact(report.delta),
        report.pairs.len(),
        report.draws,
    );
    // writing to a string cannot fail
    let _ = writeln!(text, "{:<50} {:>12} {:>14}", "pair", "sums (part)", "epsilon shown");
    for pair in &report.pairs {
        let part = pair.exact_part.map_or_else(|| "-".to_owned(), |part| format!("{part:.6}"));
        let mark = if pair.refuted_by_draws || pair.refuted_by_sums { "  REFUTED" } else { "" };
        let _ = writeln!(text, "{:<50} {:>12} {:>14.4}{mark}", pair.name, part, pair.epsilon_shown);
    }
    let shown = rounded(report.epsilon_shown);
    let delta = exact(report.delta);
    let verdict = if report.refuted {
        format!(
            "REFUTED: these releases show a loss that the claim does not allow (epsilon of at least {shown} at delta {delta})."
        )
    } else {
        format!("Not refuted. These draws would refute every epsilon below {shown} at delta {delta}.")
    };
    let _ = writeln!(
        text,
        "\n{verdict}\nAn honest mechanism is refuted by chance with probability at most {:e}, over all {} events. An audit can\n\
         show that a claim is false; that it is true only a proof can, and that the noise of a file was secret, nothing.\n\
         \"sums\": how much of the claimed loss the exact sums of the two data sets use, which needs no draws.",
        report.false_positive_rate, report.events
    );
    text
}
