//! From a prepared release to its directory, by way of the ledger where there is one.
//!
//! ```text
//! open       the ledger and the directory, before the private file is read
//! publish    pays and draws (the ledger's own order), then makes the files from the release
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dpfda::ledger::{Ledger, LedgerError, LedgerHistory, LedgerReference, Origin};
use dpfda::mechanism::{Fact, Payable};
use dpfda::privacy::{Randomness, SeededRandomness, SystemRandomness};
use dpfda_signature::{SigningKey, signature_beside};

use crate::arguments::{AccountArguments, OutputArguments};
use crate::error::CliError;
use crate::ledger::{in_words, left_in_words};
use crate::output::{Contents, OutputDirectory, OutputError, holds_exactly};
use crate::progress;
use crate::shown::shown;
use crate::signature::{SIGNED, SignatureRefusal, signing_key, weak};
use crate::summary::{NOTE, wrapped};
use crate::told::Told;

/// Takes the files of a release, one by one.
pub type Sink<'a> = &'a mut dyn FnMut(&'static str, &[u8]) -> Result<(), OutputError>;

/// What a releasing command makes of a release. Everything in it is public.
pub trait Publication {
    /// What can be done with release.json if the rest could not be written.
    const REMEDY: &'static str;

    /// Makes the files, release.json first.
    fn write(&self, sink: Sink<'_>) -> Result<(), OutputError>;

    /// What is said about it.
    fn told(&self, directory: &Path) -> Told;
}

/// Where a release goes, who pays for it, and where its noise comes from.
pub struct Door<'a> {
    place: &'a OutputArguments,
    account: &'a AccountArguments,
    /// The directory, held from before the noise; a refusal counts only if there is something to write.
    output: Result<OutputDirectory, OutputError>,
    ledger: Option<Ledger>,
    randomness: Box<dyn Randomness>,
    signer: Option<SigningKey>,
    prints_json: bool,
}

impl<'a> Door<'a> {
    /// Opens the ledger and holds the directory; without a ledger nothing can be given back, so a refusal ends here.
    pub fn open(
        place: &'a OutputArguments,
        contents: Contents,
        account: &'a AccountArguments,
        seed: Option<u64>,
        inputs: &[&Path],
    ) -> Result<Self, CliError> {
        let signing = &account.signing;
        let signer = signing.sign.as_ref().map(|path| signing_key(path, signing.strict)).transpose()?;
        // without a summary, its notes on the key are told here
        for weakness in signer.iter().filter(|_| progress::is_silent()).flat_map(SigningKey::weaknesses) {
            let path = signing.sign.as_deref().unwrap_or(Path::new(""));
            let _ = write!(io::stderr(), "{}", wrapped(NOTE, &weak(path, *weakness)));
        }
        let open = |path: &PathBuf| Ledger::open(path).map_err(|reason| refused(path, reason));
        let ledger = account.ledger.as_ref().map(open).transpose()?;
        if let Some(path) = account.ledger.as_ref().filter(|path| lies_in(path, &place.out)) {
            return Err(CliError::LedgerInOutput { path: path.clone() });
        }
        let mut output = OutputDirectory::prepare(&place.out, contents, place.force, inputs);
        if ledger.is_none() {
            output = Ok(output?);
        }
        let randomness: Box<dyn Randomness> = match seed {
            Some(seed) => Box::new(SeededRandomness::from_seed(seed)),
            None => Box::new(SystemRandomness::new()?),
        };
        Ok(Self { place, account, output, ledger, randomness, signer, prints_json: false })
    }

    /// The same, for a program that reads what is printed.
    #[must_use]
    pub fn printing_json(self, prints_json: bool) -> Self {
        Self { prints_json, ..self }
    }

    /// Pays, draws, writes and tells, in this order.
    pub fn publish<P: Payable, V: Publication>(
        mut self,
        payable: P,
        view: impl FnOnce(P::Drawn) -> Result<V, CliError>,
    ) -> Result<String, CliError> {
        let Some(ledger) = self.ledger.take() else {
            let output = self.output?;
            let seen = view(payable.draw(None, &mut *self.randomness))?;
            let sink: Sink<'_> = &mut |name, bytes| output.write(name, bytes);
            let written = write_signed(&seen, self.signer.as_ref(), output.target(), sink);
            return match written.and_then(|()| output.finish()) {
                Ok(()) => {
                    let account = self.signer.as_ref().map(signed).unwrap_or_default();
                    Ok(seen.told(output.target()).accounted(account).printed(self.prints_json)?)
                }
                Err(reason) => Err(CliError::Unfinished { reason, kept: output.keep(), remedy: V::REMEDY }),
            };
        };
        self.publish_paid(ledger, payable, view)
    }

    fn publish_paid<P: Payable, V: Publication>(
        mut self,
        mut ledger: Ledger,
        payable: P,
        view: impl FnOnce(P::Drawn) -> Result<V, CliError>,
    ) -> Result<String, CliError> {
        let path = self.account.ledger.clone().unwrap_or_default();
        let asked = payable.asked();
        let id = match &self.account.release_id {
            Some(id) => id.clone(),
            None => format!("{}-{:.16}", asked.kind, asked.plan.to_string()).parse()?,
        };
        // what cannot be written is not paid for, unless there is nothing to pay and perhaps nothing to write
        let is_stored = ledger.history().map_err(|reason| refused(&path, reason))?.is_stored(&id);
        let output = match self.output {
            Err(refusal) if !is_stored => return Err(refusal.into()),
            output => output,
        };
        let randomness = &mut *self.randomness;
        let outcome = match self.account.part_of.clone() {
            Some(group) => ledger.release_of_group(group, id, payable, randomness),
            None => ledger.release(id, payable, randomness),
        };
        let outcome = outcome.map_err(|reason| refused(&path, reason))?;
        let seen = view(outcome.release)?;
        let mut files = Vec::new();
        write_signed(&seen, self.signer.as_ref(), &self.place.out, &mut |name, bytes| {
            files.push((name, bytes.to_vec()));
            Ok(())
        })?;
        write(&self.place.out, output, &files).map_err(|reason| match reason {
            Refusal::Output(reason) => reason.into(),
            Refusal::Unwritten(reason) => not_written(&path, &outcome.reference, reason),
        })?;
        let told = seen.told(&self.place.out);
        let told = match outcome.origin {
            Origin::Drawn => told,
            Origin::GivenBack => told.given_back(returned(&outcome.reference, &self.place.out)),
        };
        let mut account = account(&path, &ledger, &outcome.reference);
        account.extend(self.signer.iter().flat_map(signed));
        account.extend(outcome.notes.iter().map(|note| Fact::new(NOTE, note.to_string())));
        Ok(told.accounted(account).printed(self.prints_json)?)
    }
}

/// Why the files of a release that the ledger holds are not in their directory.
enum Refusal {
    /// The directory was refused from the start.
    Output(OutputError),
    /// Something went wrong on the way.
    Unwritten(OutputError),
}

/// Gives the files of a release to a sink, and right after the document its signature, where somebody signs it.
fn write_signed<V: Publication>(
    seen: &V,
    signer: Option<&SigningKey>,
    directory: &Path,
    sink: Sink<'_>,
) -> Result<(), OutputError> {
    let (document, signature) = SIGNED;
    seen.write(&mut |name, bytes| {
        sink(name, bytes)?;
        match signer.filter(|_| name == document) {
            Some(signer) => {
                let earlier = signature_beside(&directory.join(document)).ok();
                let signed = signer.sign(bytes, earlier).map_err(SignatureRefusal::NotSigned)?;
                sink(signature, signed.as_bytes())
            }
            None => Ok(()),
        }
    })
}

/// Who signed, and what is wrong with how the key is kept.
fn signed(signer: &SigningKey) -> Vec<Fact> {
    let by = format!("by the key {}; {} lies beside {}", signer.id(), SIGNED.1, SIGNED.0);
    let notes = signer.weaknesses().iter().map(|weakness| Fact::new(NOTE, weak(signer.path(), *weakness)));
    std::iter::once(Fact::new("signed", by)).chain(notes).collect()
}

/// Writes the files, unless just these are there already: the same command was run before.
fn write(
    target: &Path,
    output: Result<OutputDirectory, OutputError>,
    files: &[(&'static str, Vec<u8>)],
) -> Result<(), Refusal> {
    let named = || files.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
    let output = match output {
        Ok(output) => output,
        Err(_) if holds_exactly(target, named()) => return Ok(()),
        Err(refusal) => return Err(Refusal::Output(refusal)),
    };
    let written = files.iter().try_for_each(|(name, bytes)| output.write(name, bytes)).and_then(|()| output.finish());
    match written {
        // another process with the same id was there first
        Err(_) if holds_exactly(output.target(), named()) => Ok(()),
        Err(reason) => Err(Refusal::Unwritten(reason)),
        Ok(()) => Ok(()),
    }
}

fn returned(reference: &LedgerReference, directory: &Path) -> String {
    format!(
        "The release {} was made before: the files in {} were made again from the integers that the ledger holds. Nothing \
         was drawn and nothing was spent. For a new draw, which costs its budget again, give another --release-id.",
        reference.id(),
        shown(directory)
    )
}

/// Where the release stands in the ledger, and what is left. The release is out: what goes wrong here is a note.
fn account(path: &Path, ledger: &Ledger, reference: &LedgerReference) -> Vec<Fact> {
    let holds = |history: LedgerHistory| if history.holds(reference) { Ok(history) } else { Err(LedgerError::Moved) };
    let history = match ledger.history().and_then(holds) {
        Ok(history) => history,
        Err(reason) => return vec![Fact::new(NOTE, refused(path, reason).to_string())],
    };
    let entry = format!(
        "release {}, entry {} of {}; its hash, which is also in release.json, is {}",
        reference.id(),
        reference.entry(),
        shown(path),
        reference.head()
    );
    vec![Fact::new("ledger", entry), Fact::new("spent", in_words(&history)), Fact::new("left", left_in_words(&history))]
}

/// Whether the ledger is in a directory that may be replaced.
fn lies_in(ledger: &Path, directory: &Path) -> bool {
    let (ledger, directory) = (fs::canonicalize(ledger), fs::canonicalize(directory));
    ledger.is_ok_and(|ledger| directory.is_ok_and(|directory| ledger.starts_with(directory)))
}

/// What went wrong once the release was stored.
fn not_written(path: &Path, reference: &LedgerReference, reason: OutputError) -> CliError {
    CliError::NotWritten { path: path.to_owned(), id: reference.id().clone(), reason }
}

/// The ledger's own words, with its path.
pub fn refused(path: &Path, reason: LedgerError) -> CliError {
    CliError::Ledger { path: path.to_owned(), reason }
}
