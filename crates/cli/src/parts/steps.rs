//! `dpfda merge` where a centre is bought: the same records come in parts twice.
//!
//! ```text
//! step 1    parts by the plan                              pays for everything, draws the centre, writes the second plan
//! step 2    the same parts, and parts by the second plan   draws the rest: the release
//! ```
//!
//! Whatever stops, the same command goes on or gives back what was drawn, and pays once: `docs/proofs/rounds.md`.

use std::io;

use dpfda::ledger::Ledger;
use dpfda::mechanism::{AgainError, Payable};
use dpfda::release::{Mean, MeanDomain, Part, Plan, PreparedTwice};

use super::refusal::PartsRefusal;
use super::usual::check_usual;
use crate::arguments::MergeArguments;
use crate::error::CliError;
use crate::new_file::NewFile;
use crate::output::OutputError;
use crate::publication::{first_round, id_of};
use crate::shown::shown;
use crate::spent::Spent;
use crate::summary::wrapped;

/// Pays for everything and draws the centre: **spends the budget**. The plan of the second step follows from it, and is public.
pub fn first<D: MeanDomain>(
    part: Part<Mean<D>>,
    plan: &Plan<Mean<D>>,
    arguments: &MergeArguments,
) -> Result<String, CliError> {
    let (account, target) = (&arguments.account, &arguments.output.out);
    let file = NewFile::check("--out", target)?;
    let mut about = None;
    let again = |plan: &Plan<Mean<D>>| {
        about = Some(plan.clone());
        Err(AgainError::Awaited)
    };
    let prepared = part.prepare_twice(plan, again).map_err(|again| CliError::from(again.reason))?;
    let asked = prepared.asked();
    check_usual(&asked, arguments)?;
    let (drawn, left) = first_round(account, arguments.demonstration.seed, prepared)?;
    let about = match drawn {
        Some(release) => Some(plan.about_center_of(&release)?),
        None => about,
    };
    let about = about.ok_or(Spent::Again(AgainError::Awaited))?;
    if let Err(reason) = file.write((serde_json::to_string_pretty(&about)? + "\n").as_bytes()) {
        let Some(path) = account.ledger.clone() else { return Err(reason.into()) };
        let reason = OutputError::Write { name: "the second plan", source: io::Error::other(reason) };
        return Err(Spent::NotWritten { path, id: id_of(account, &asked), reason }.into());
    }
    let note = format!("{}; public: give it to everybody who has a part of the data", shown(target));
    let next = "`dpfda part` for each part once more, by this plan and from the same data; then `dpfda merge` by this plan, for the parts \
                that you have and for the new ones. The whole release is paid for by now: nothing more will be spent.";
    let text = wrapped("plan", &note) + &wrapped("digest", &about.digest().to_string());
    Ok(left.iter().fold(text, |text, fact| text + &wrapped(fact.name, &fact.text)) + &wrapped("next", next))
}

/// Everything of the release but its noise, from parts of both steps. What nobody paid for is refused.
pub fn second<D: MeanDomain>(
    first: Part<Mean<D>>,
    again: Part<Mean<D>>,
    plan: &Plan<Mean<D>>,
    arguments: &MergeArguments,
) -> Result<PreparedTwice<'static, Mean<D>>, CliError> {
    let mut again = Some(again);
    let prepared = first.prepare_twice(plan.first(), move |_| again.take().ok_or(AgainError::Awaited));
    let prepared = prepared.map_err(|again| CliError::from(again.reason))?;
    if let Some(path) = &arguments.account.ledger {
        let id = id_of(&arguments.account, &prepared.asked());
        let history = Ledger::open(path)
            .and_then(|ledger| ledger.history())
            .map_err(|reason| CliError::of_ledger(path, reason))?;
        if history.request(&id).is_none() {
            return Err(PartsRefusal::NoCenter { path: path.clone(), id }.into());
        }
    }
    Ok(prepared)
}
