//! `dpfda audit`: an attack on a claim, with synthetic data alone.

use std::fmt::Write;
use std::path::Path;

use dpfda::audit::{AuditError, AuditReport, Plan, ReleaseAttack, Setting};
use dpfda::density::{CellDraws, HistogramRelease, SeriesRelease};
use dpfda::ledger::LedgerReference;
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use dpfda::release::MeanRelease;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::arguments::AuditArguments;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::document;
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
    let (report, of_file) = match &arguments.release {
        Some(path) => {
            let (attack, is_private, ledger) = of_release(path)?;
            let in_place_of_the_file = attack.stand_in().to_owned();
            (attack.run(&plan), Some(OfFile { in_place_of_the_file, is_private, ledger }))
        }
        None => (setting(arguments)?.attack().and_then(|attack| attack.run(&plan)), None),
    };
    let report = match report {
        Ok(report) => report,
        // a release that is not what it states has refuted itself
        Err(error @ (AuditError::OtherNoise { .. } | AuditError::OtherShape { .. })) => {
            return Ok(Verdict { text: format!("REFUTED: {error}.\n"), refuted: true });
        }
        Err(error) => return Err(CliError::Audit(error)),
    };
    let text = if arguments.json {
        serde_json::to_string_pretty(&Document { report: &report, of_file: of_file.as_ref() })? + "\n"
    } else {
        in_words(&report, of_file.as_ref())
    };
    Ok(Verdict { text, refuted: report.refuted })
}

/// The largest document that is read: the most draws of cells that a release has, in digits.
const LARGEST: u64 = 1 << 28;

/// What tells one kind of release from the others.
#[derive(Deserialize)]
struct Kind {
    ball: Option<IgnoredAny>,
    draws: Option<IgnoredAny>,
    mechanism: Option<Value>,
}

/// What became of the file.
#[derive(Serialize)]
struct OfFile {
    in_place_of_the_file: String,
    /// Whether the file says that its noise was secret.
    is_private: bool,
    /// Where the file says that it was paid for, which is not looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<LedgerReference>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a AuditReport,
    #[serde(flatten)]
    of_file: Option<&'a OfFile>,
}

fn setting(arguments: &AuditArguments) -> Result<Setting, CliError> {
    let (Some(mechanism), Some(epsilon)) = (arguments.mechanism, arguments.epsilon) else {
        return Err(CliError::NoEpsilon);
    };
    let budget = PrivacyBudget::new(epsilon, arguments.delta.unwrap_or(0.0))?;
    Ok(Setting { mechanism, budget, neighbours: arguments.neighbours.unwrap_or_default() })
}

/// The mechanism of the release in a file, whichever kind it is, whether its noise was secret, and its place in a ledger.
fn of_release(path: &Path) -> Result<(ReleaseAttack, bool, Option<LedgerReference>), CliError> {
    let text = document(path, LARGEST)?;
    let kind: Kind = parsed(path, &text)?;
    let (attack, is_private, ledger) = if kind.ball.is_some() {
        let release = parsed::<MeanRelease>(path, &text)?;
        (ReleaseAttack::of_mean(&release), release.is_private(), release.ledger().cloned())
    } else if kind.mechanism.is_some_and(|mechanism| mechanism == "series") {
        let release = parsed::<SeriesRelease>(path, &text)?;
        (ReleaseAttack::of_series(&release), release.is_private(), release.ledger().cloned())
    } else if kind.draws.is_some() {
        let release = parsed::<CellDraws>(path, &text)?;
        (ReleaseAttack::of_draws(&release), release.is_private(), release.ledger().cloned())
    } else {
        let release = parsed::<HistogramRelease>(path, &text)?;
        (ReleaseAttack::of_histogram(&release), release.is_private(), release.ledger().cloned())
    };
    Ok((attack.map_err(CliError::Audit)?, is_private, ledger))
}

fn parsed<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, CliError> {
    serde_json::from_str(text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of(text, &error) })
}

fn in_words(report: &AuditReport, of_file: Option<&OfFile>) -> String {
    let relation = match report.neighbours {
        NeighbouringRelation::SubstituteOne => "one record replaced",
        NeighbouringRelation::AddRemoveOne => "one record more or less",
    };
    let mut text = format!(
        "{}, ({}, {})-differentially private, {relation}: {} pairs of synthetic neighbours, {} draws from each side\n",
        report.mechanism,
        exact(report.epsilon),
        exact(report.delta),
        report.pairs.len(),
        report.draws,
    );
    // writing to a string cannot fail
    if let Some(OfFile { in_place_of_the_file, is_private, ledger }) = of_file {
        let _ = writeln!(text, "Audited in place of the file: {in_place_of_the_file}.");
        if !is_private {
            let _ = writeln!(text, "The file says that its noise came from a seed: that release protects nobody.");
        }
        if let Some(ledger) = ledger {
            let _ = writeln!(
                text,
                "The file names entry {} of the ledger of {:?}; no ledger was looked at.",
                ledger.entry(),
                ledger.dataset()
            );
        }
    }
    text.push('\n');
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
        let blunt = if report.epsilon_shown < report.epsilon / 2.0 {
            " That is far below the claim: with these settings the audit is blunt, and more draws would sharpen it."
        } else {
            ""
        };
        format!("Not refuted. These draws would refute every epsilon below {shown} at delta {delta}.{blunt}")
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
