//! From a drawn release to its directory, by way of the ledger where there is one.

use std::path::Path;

use dpfda::privacy::ledger::{LedgerError, LedgerReference, Receipt, StoredRelease};

use crate::arguments::OutputArguments;
use crate::error::CliError;
use crate::ledger::{in_words, left_in_words};
use crate::output::{Contents, OutputDirectory, OutputError, holds_exactly};
use crate::payment::{Payment, refused};
use crate::shown::shown;
use crate::summary::wrapped;

/// Takes the files of a release, one by one.
pub type Sink<'a> = &'a mut dyn FnMut(&'static str, &[u8]) -> Result<(), OutputError>;

/// What a releasing command makes. Everything in it is public, once it is paid for and stored.
pub trait Publication {
    /// What can be done with release.json if the rest could not be written.
    const REMEDY: &'static str;

    /// Makes the files, release.json first.
    fn write(&self, sink: Sink<'_>) -> Result<(), OutputError>;

    /// One screen about it.
    fn summary(&self, directory: &Path) -> String;
}

/// Where a release goes, and who pays for it.
pub struct Plan<'a> {
    /// The arguments that name the directory.
    pub place: &'a OutputArguments,
    /// What will be in it.
    pub contents: Contents,
    /// The directory, held from before the noise; a refusal counts only if there is something to write.
    pub output: Result<OutputDirectory, OutputError>,
    /// The ledger, if there is one.
    pub payment: Option<Payment>,
}

/// Pays, draws, stores, writes and tells, in this order.
pub fn publish<P: Publication>(
    plan: Plan<'_>,
    draw: impl FnOnce(Option<LedgerReference>) -> Result<P, CliError>,
) -> Result<String, CliError> {
    let Plan { place, contents, output, payment } = plan;
    let Some(mut payment) = payment else {
        let output = output?;
        let release = draw(None)?;
        return match release.write(&mut |name, bytes| output.write(name, bytes)).and_then(|()| output.finish()) {
            Ok(()) => Ok(release.summary(output.target())),
            Err(reason) => Err(CliError::Unfinished { reason, kept: output.keep(), remedy: P::REMEDY }),
        };
    };
    if payment.lies_in(&place.out) {
        return Err(CliError::LedgerInOutput { path: payment.path().to_owned() });
    }
    if let Some(receipt) = payment.stored()? {
        return given_back(&payment, &receipt, place, contents, output);
    }
    let output = output?;
    let receipt = payment.spend()?;
    if receipt.stored().is_some() {
        return given_back(&payment, &receipt, place, contents, Ok(output));
    }
    let (release, stored, is_ours) = drawn_and_stored(&mut payment, &receipt, draw)
        .map_err(|reason| payment.resumable(receipt.reference(), reason))?;
    write_stored(&payment, &receipt, &stored, contents, output)?;
    // Another process may have stored the same release first: then this draw is forgotten, words and all.
    let words = if is_ours { release.summary(&place.out) } else { returned(&receipt, place) };
    Ok(words + &account(&payment, &receipt))
}

/// The draw, and what the ledger holds of it now.
fn drawn_and_stored<P: Publication>(
    payment: &mut Payment,
    receipt: &Receipt,
    draw: impl FnOnce(Option<LedgerReference>) -> Result<P, CliError>,
) -> Result<(P, StoredRelease, bool), CliError> {
    let release = draw(Some(receipt.reference().clone()))?;
    let mut files = Vec::new();
    release.write(&mut |name, bytes| {
        files.push((name.to_owned(), bytes.to_vec()));
        Ok(())
    })?;
    let stored = payment.store(receipt, files.clone())?;
    let is_ours = stored.files().eq(files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())));
    Ok((release, stored, is_ours))
}

/// A release that the ledger holds already: nothing is drawn and nothing is spent.
fn given_back(
    payment: &Payment,
    receipt: &Receipt,
    place: &OutputArguments,
    contents: Contents,
    output: Result<OutputDirectory, OutputError>,
) -> Result<String, CliError> {
    if let Some(stored) = receipt.stored() {
        match output {
            Ok(output) => write_stored(payment, receipt, stored, contents, output)?,
            // the same files may well be there: the same command was run before
            Err(_) if holds_exactly(&place.out, stored.files()) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(returned(receipt, place) + &account(payment, receipt))
}

fn write_stored(
    payment: &Payment,
    receipt: &Receipt,
    stored: &StoredRelease,
    contents: Contents,
    output: OutputDirectory,
) -> Result<(), CliError> {
    let write = || {
        for (name, bytes) in stored.files() {
            let known = contents.files().iter().find(|known| **known == name);
            output.write(known.ok_or(OutputError::Stranger)?, bytes)?;
        }
        output.finish()
    };
    match write() {
        // another process with the same id was there first
        Err(_) if holds_exactly(output.target(), stored.files()) => Ok(()),
        Err(reason) => Err(payment.not_written(receipt.reference(), reason)),
        Ok(()) => Ok(()),
    }
}

fn returned(receipt: &Receipt, place: &OutputArguments) -> String {
    let text = format!(
        "The release {} was made before: the files in {} are those that the ledger holds, to the byte. No other draw is \
         shown, and nothing more was spent. For a new draw, which costs its budget again, give another --release-id.",
        receipt.reference().id(),
        shown(&place.out)
    );
    wrapped("", &text)
}

/// Where the release stands in the ledger, and what is left. The release is out: what goes wrong here is a note.
fn account(payment: &Payment, receipt: &Receipt) -> String {
    let reference = receipt.reference();
    let moved = || refused(payment.path(), LedgerError::Moved);
    let history =
        payment.history().and_then(|history| if history.holds(reference) { Ok(history) } else { Err(moved()) });
    let history = match history {
        Ok(history) => history,
        Err(error) => return format!("\n{}", wrapped("NOTE", &error.to_string())),
    };
    let entry = format!(
        "release {}, entry {} of {}; its hash, which is also in release.json, is {}",
        reference.id(),
        reference.entry(),
        shown(payment.path()),
        reference.head()
    );
    format!(
        "\n{}{}{}",
        wrapped("ledger", &entry),
        wrapped("spent", &in_words(&history)),
        wrapped("left", &left_in_words(&history))
    )
}
