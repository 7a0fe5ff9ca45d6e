//! `dpfda audit`: an attack on a claim, with synthetic data alone.

use std::fmt::Write;
use std::path::Path;

use dpfda::AnyRelease;
use dpfda::audit::{AuditError, AuditPlan, AuditReport, ReleaseAttack, Setting};
use dpfda::ledger::LedgerReference;
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use serde::Serialize;

use dpfda_study::epsilon_not_given;

use crate::arguments::AuditArguments;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::document;
use crate::misasked::Misasked;
use crate::progress;
use crate::summary::{exact, rounded, wrapped};
use crate::unread::Unread;

/// What is told of an audit that runs.
const ATTACKING: &str = "attacking with synthetic data, which may take minutes (fewer --draws are quicker)";

/// What an audit came to.
pub struct Verdict {
    /// What is printed.
    pub text: String,
    /// Whether the claim is refuted.
    pub refuted: bool,
}

/// Attacks the claim that was asked about.
pub fn run(arguments: &AuditArguments) -> Result<Verdict, CliError> {
    let plan = AuditPlan { draws: arguments.draws, seed: arguments.seed, mechanisms: 1 };
    let (report, of_file) = if let Some(path) = &arguments.release {
        let (attack, release) = of_release(path)?;
        let of_file = OfFile {
            in_place_of_the_file: attack.stand_in().to_owned(),
            is_private: release.is_private(),
            ledger: release.ledger().cloned(),
            facts: release.facts().into_iter().map(|fact| (fact.name, fact.text)).collect(),
        };
        (progress::waiting(ATTACKING, || attack.run(&plan)), Some(of_file))
    } else {
        let attack = setting(arguments)?.attack();
        (progress::waiting(ATTACKING, || attack.and_then(|attack| attack.run(&plan))), None)
    };
    let report = match report {
        Ok(report) => report,
        // a release that is not what it states has refuted itself
        Err(error @ (AuditError::OtherNoise { .. } | AuditError::OtherShape { .. })) => {
            return Ok(Verdict { text: format!("REFUTED: {error}.\n"), refuted: true });
        }
        Err(error) => return Err(Misasked::Audit(error).into()),
    };
    let text = if arguments.answer.json {
        serde_json::to_string_pretty(&Document { report: &report, of_file: of_file.as_ref() })? + "\n"
    } else {
        in_words(&report, of_file.as_ref())
    };
    Ok(Verdict { text, refuted: report.refuted })
}

/// The largest document that is read: the most draws of cells that a release has, in digits.
const LARGEST: u64 = 1 << 28;

/// What became of the file.
#[derive(Serialize)]
struct OfFile {
    in_place_of_the_file: String,
    /// Whether the file says that its noise was secret.
    is_private: bool,
    /// Where the file says that it was paid for, which is not looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<LedgerReference>,
    facts: Vec<(&'static str, String)>,
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
        return Err(CliError::of_flags(epsilon_not_given()));
    };
    let budget = PrivacyBudget::new(epsilon, arguments.delta.unwrap_or(0.0))?;
    Ok(Setting { mechanism, budget, neighbours: arguments.neighbours.unwrap_or_default() })
}

/// The release in a file, whichever kind it is, and the attack on its mechanism.
fn of_release(path: &Path) -> Result<(ReleaseAttack, AnyRelease), CliError> {
    let text = document(path, LARGEST)?;
    let release = AnyRelease::from_json(&text)
        .map_err(|error| Unread::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) })?;
    Ok((release.published().attack().map_err(Misasked::Audit)?, release))
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
    if let Some(OfFile { in_place_of_the_file, is_private, ledger, facts }) = of_file {
        for (name, fact) in facts {
            text += &wrapped(name, fact);
        }
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
