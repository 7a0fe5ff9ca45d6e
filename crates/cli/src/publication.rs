//! From a prepared release to its directory, by way of the ledger where there is one.
//!
//! ```text
//! open       the ledger and the directory, before the private file is read
//! publish    pays and draws (the ledger's own order), writes release.json, then makes the other files from the release
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dpfda::kinds::weak_delta;
use dpfda::ledger::{Ledger, LedgerError, LedgerHistory, LedgerReference, Origin, Outcome, usual_id};
use dpfda::mechanism::{AgainError, Asked, Fact, Payable, ReleaseId};
use dpfda::privacy::{NeighbouringRelation, NonPrivate, Randomness, SeededRandomness, SystemRandomness};
use dpfda_report::{in_words, left_in_words};
use dpfda_signature::{SigningKey, signature_beside};
use dpfda_study::{Note, Watch};

use crate::arguments::{AccountArguments, OutputArguments};
use crate::error::CliError;
use crate::files::{Files, Sink, attempt};
use crate::misasked::Misasked;
use crate::output::{Contents, OutputDirectory, OutputError, holds_exactly};
use crate::progress::{self, Bars};
use crate::shown::shown;
use crate::signature::{SIGNED, SignatureRefusal, signing_key, weak};
use crate::spent::Spent;
use crate::summary::{NOTE, wrapped};
use crate::told::Told;
use crate::unmade::Unmade;

#[cfg(test)]
#[path = "publication_tests.rs"]
mod tests;

/// What a releasing command makes of a release. Everything in it is public.
pub trait Publication {
    /// What can be done with release.json if the rest could not be written.
    fn remedy() -> &'static str;

    /// release.json with what was made of the release; `None` where that is no more than the release.
    fn document(&self) -> Option<Result<String, serde_json::Error>>;

    /// Makes the files beside release.json.
    fn write(&self, files: &mut Files<'_>) -> Result<(), OutputError>;

    /// What is said about it.
    fn told(&self, directory: &Path) -> Told;
}

/// A release that is written, as far as it goes.
struct Published {
    /// What is said about it, unless that could not be made.
    told: Option<Told>,
    unmade: Vec<(&'static str, Unmade)>,
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
        let signer = signing.sign.as_ref().map(|path| signing_key(path)).transpose()?;
        // without a summary, its notes on the key are told here
        for weakness in signer.iter().filter(|_| progress::is_silent()).flat_map(SigningKey::weaknesses) {
            let path = signing.sign.as_deref().unwrap_or(Path::new(""));
            let _ = write!(io::stderr(), "{}", wrapped(NOTE, &weak(path, *weakness)));
        }
        let open = |path: &PathBuf| Ledger::open(path).map_err(|reason| CliError::of_ledger(path, reason));
        let ledger = account.ledger.as_ref().map(open).transpose()?;
        if let Some(path) = account.ledger.as_ref().filter(|path| lies_in(path, &place.out)) {
            return Err(Misasked::LedgerInOutput { path: path.clone() }.into());
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

    /// The same, for people of a data set of this name: the ledger has to be theirs.
    pub fn for_dataset(self, name: Option<&str>) -> Result<Self, CliError> {
        if let (Some(ledger), Some(path)) = (&self.ledger, &self.account.ledger) {
            ledger.check_dataset(name).map_err(|reason| CliError::of_ledger(path, reason))?;
        }
        Ok(self)
    }

    /// The same, for a program that reads what is printed.
    #[must_use]
    pub fn printing_json(self, prints_json: bool) -> Self {
        Self { prints_json, ..self }
    }

    /// Pays, draws, writes the document of the release, makes the other files of it and tells, in this order.
    ///
    /// # Errors
    /// [`CliError`]; once the noise is drawn, [`Spent::Incomplete`] for a release of which something could not be made.
    pub fn publish<P: Payable, R, V: Publication>(
        mut self,
        payable: P,
        release: impl FnOnce(P::Drawn) -> Result<R, CliError>,
        document: impl FnOnce(&R) -> Result<String, serde_json::Error>,
        view: impl FnOnce(R) -> Result<V, CliError>,
    ) -> Result<String, CliError> {
        // the number is exact, also where the release will tell a noisy one
        let (delta, records) = (payable.asked().guarantee.budget().delta(), *payable.records().reveal() as f64);
        if let Some(weak) = weak_delta(delta, records, NeighbouringRelation::SubstituteOne) {
            Bars.tell(NonPrivate::new(Note::Weak(weak)));
        }
        let whole = |drawn| -> Result<(R, String), CliError> {
            let release = release(drawn)?;
            let document = document(&release)?;
            Ok((release, document))
        };
        if let Some(ledger) = self.ledger.take() {
            return self.publish_paid(ledger, payable, whole, view);
        }
        let output = self.output?;
        let drawn = payable.draw(None, &mut *self.randomness).map_err(Spent::Again)?;
        let whole = attempt(|| whole(drawn)).map_err(|reason| Spent::Undocumented { stored: None, reason })?;
        let sink: Sink<'_> = &mut |name, bytes| output.write(name, bytes);
        let published = write_all(whole, view, self.signer.as_ref(), output.target(), sink);
        match published.and_then(|published| output.finish().map(|()| published)) {
            Ok(published) => {
                let account = self.signer.as_ref().map(signed).unwrap_or_default();
                published.printed::<V>(output.target(), |told| told.accounted(account), self.prints_json)
            }
            Err(reason) => Err(Spent::Unfinished { reason, kept: output.keep(), remedy: V::remedy() }.into()),
        }
    }

    fn publish_paid<P: Payable, R, V: Publication>(
        mut self,
        mut ledger: Ledger,
        payable: P,
        whole: impl FnOnce(P::Drawn) -> Result<(R, String), CliError>,
        view: impl FnOnce(R) -> Result<V, CliError>,
    ) -> Result<String, CliError> {
        let path = self.account.ledger.clone().unwrap_or_default();
        let asked = payable.asked();
        let id = id_of(self.account, &asked);
        // what cannot be written is not paid for, unless there is nothing to pay and perhaps nothing to write
        let is_stored = ledger.history().map_err(|reason| CliError::of_ledger(&path, reason))?.is_stored(&id);
        let output = match self.output {
            Err(refusal) if !is_stored => return Err(refusal.into()),
            output => output,
        };
        let randomness = &mut *self.randomness;
        let outcome = paid(&mut ledger, self.account, id, payable, randomness);
        let outcome = outcome.map_err(|reason| CliError::of_ledger(&path, reason))?;
        let stored = || Some((path.clone(), outcome.reference.id().clone()));
        let drawn = outcome.release;
        let whole = attempt(|| whole(drawn)).map_err(|reason| Spent::Undocumented { stored: stored(), reason })?;
        let mut held = Held { output, files: Vec::new() };
        let published =
            write_all(whole, view, self.signer.as_ref(), &self.place.out, &mut |name, bytes| held.take(name, bytes));
        let written = published.map_err(Refusal::Unwritten);
        let published = written.and_then(|published| held.finish(&self.place.out).map(|()| published));
        let published = published.map_err(|reason| match reason {
            Refusal::Output(reason) => reason.into(),
            Refusal::Unwritten(reason) => not_written(&path, &outcome.reference, reason),
        })?;
        let mut account = account(&path, &ledger, &outcome.reference);
        account.extend(self.signer.iter().flat_map(signed));
        account.extend(outcome.notes.iter().map(|note| Fact::new(NOTE, note.to_string()).briefly(note.in_brief())));
        let accounted = |told: Told| {
            let told = match outcome.origin {
                Origin::Drawn => told,
                Origin::GivenBack => told.given_back(returned(&outcome.reference, &self.place.out)),
            };
            told.accounted(account)
        };
        published.printed::<V>(&self.place.out, accounted, self.prints_json)
    }
}

/// What a release is called in its ledger.
pub fn id_of(account: &AccountArguments, asked: &Asked) -> ReleaseId {
    account.release_id.clone().unwrap_or_else(|| usual_id(asked, account.part_of.as_ref()))
}

/// Pays for a release and draws it, as far as it goes.
fn paid<P: Payable>(
    ledger: &mut Ledger,
    account: &AccountArguments,
    id: ReleaseId,
    payable: P,
    randomness: &mut dyn Randomness,
) -> Result<Outcome<P::Drawn>, LedgerError> {
    match account.part_of.clone() {
        Some(group) => ledger.release_of_group(group, id, payable, randomness),
        None => ledger.release(id, payable, randomness),
    }
}

/// Pays for a release in two rounds and draws its first answer, where the data of the second are awaited. The release, where it was made
/// already, and what was spent.
pub fn first_round<P: Payable>(
    account: &AccountArguments,
    seed: Option<u64>,
    payable: P,
) -> Result<(Option<P::Drawn>, Vec<Fact>), CliError> {
    let Some(path) = &account.ledger else {
        let mut randomness = SeededRandomness::from_seed(seed.unwrap_or_default());
        return match payable.draw(None, &mut randomness) {
            Err(AgainError::Awaited) => Ok((None, Vec::new())),
            drawn => Ok((Some(drawn.map_err(Spent::Again)?), Vec::new())),
        };
    };
    let mut ledger = Ledger::open(path).map_err(|reason| CliError::of_ledger(path, reason))?;
    let id = id_of(account, &payable.asked());
    let drawn = match paid(&mut ledger, account, id, payable, &mut SystemRandomness::new()?) {
        Err(LedgerError::Again { reason: AgainError::Awaited, .. }) => None,
        outcome => Some(outcome.map_err(|reason| CliError::of_ledger(path, reason))?.release),
    };
    let told = ledger
        .history()
        .map(|history| vec![Fact::new("spent", in_words(&history)), Fact::new("left", left_in_words(&history))]);
    Ok((drawn, told.unwrap_or_default()))
}

impl Published {
    /// What is said, as the result where everything could be made.
    fn printed<V: Publication>(
        self,
        directory: &Path,
        accounted: impl FnOnce(Told) -> Told,
        as_json: bool,
    ) -> Result<String, CliError> {
        let Self { told, unmade } = self;
        let text = told.map(accounted).map_or(Ok(String::new()), |told| told.printed(as_json))?;
        if unmade.is_empty() {
            return Ok(text);
        }
        Err(Spent::Incomplete { text, unmade, directory: directory.to_owned(), remedy: V::remedy() }.into())
    }
}

/// Writes the document of a release, before anything is made of it; then the document with what was made of it, its signature where
/// somebody signs it, and the other files.
fn write_all<R, V: Publication>(
    (release, document): (R, String),
    view: impl FnOnce(R) -> Result<V, CliError>,
    signer: Option<&SigningKey>,
    directory: &Path,
    sink: Sink<'_>,
) -> Result<Published, OutputError> {
    let (name, signature) = SIGNED;
    let mut document = document + "\n";
    sink(name, document.as_bytes())?;
    let made = attempt(|| -> Result<(V, Option<String>), CliError> {
        let seen = view(release)?;
        let estimated = seen.document().transpose()?;
        Ok((seen, estimated))
    });
    let seen = match made {
        Ok((seen, Some(estimated))) if estimated != document.trim_end() => {
            document = estimated + "\n";
            sink(name, document.as_bytes())?;
            Ok(seen)
        }
        made => made.map(|(seen, _)| seen),
    };
    let mut files = Files::new(sink);
    if let Some(signer) = signer {
        let earlier = signature_beside(&directory.join(name)).ok();
        files.make([signature], || {
            let signed = signer.sign(document.as_bytes(), earlier).map_err(SignatureRefusal::NotSigned)?;
            Ok([signed.as_bytes().to_vec()])
        })?;
    }
    let told = match seen {
        Ok(seen) => {
            seen.write(&mut files)?;
            attempt(|| Ok::<_, CliError>(seen.told(directory)))
                .map_err(|reason| files.without("the summary", reason))
                .ok()
        }
        Err(reason) => {
            files.without("everything but release.json", reason);
            None
        }
    };
    Ok(Published { told, unmade: files.unmade() })
}

/// The files of a release that a ledger holds, and the directory, unless that was refused.
struct Held {
    output: Result<OutputDirectory, OutputError>,
    files: Vec<(&'static str, Vec<u8>)>,
}

impl Held {
    /// Writes a file where there is a place, and remembers it.
    fn take(&mut self, name: &'static str, bytes: &[u8]) -> Result<(), OutputError> {
        self.files.retain(|(other, _)| *other != name);
        self.files.push((name, bytes.to_vec()));
        self.output.as_ref().map_or(Ok(()), |output| output.write(name, bytes))
    }

    /// Gives the files their place, unless just these are there already: the same command was run before.
    fn finish(self, target: &Path) -> Result<(), Refusal> {
        let holds =
            |target: &Path| holds_exactly(target, self.files.iter().map(|(name, bytes)| (*name, bytes.as_slice())));
        match self.output {
            Ok(output) => match output.finish() {
                // another process with the same id was there first
                Err(_) if holds(output.target()) => Ok(()),
                finished => finished.map_err(Refusal::Unwritten),
            },
            Err(_) if holds(target) => Ok(()),
            Err(refusal) => Err(Refusal::Output(refusal)),
        }
    }
}

/// Why the files of a release that the ledger holds are not in their directory.
enum Refusal {
    /// The directory was refused from the start.
    Output(OutputError),
    /// Something went wrong on the way.
    Unwritten(OutputError),
}

/// Who signed, and what is wrong with how the key is kept.
fn signed(signer: &SigningKey) -> Vec<Fact> {
    let by = format!("by the key {}; {} lies beside {}", signer.id(), SIGNED.1, SIGNED.0);
    let notes = signer.weaknesses().iter().map(|weakness| Fact::new(NOTE, weak(signer.path(), *weakness)));
    std::iter::once(Fact::new("signed", by)).chain(notes).collect()
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
        Err(reason) => return vec![Fact::new(NOTE, CliError::of_ledger(path, reason).to_string())],
    };
    let entry = format!(
        "release {}, entry {} of {}; its hash, which is also in release.json, is {}",
        reference.id(),
        reference.entry(),
        shown(path),
        reference.head()
    );
    let brief = format!("release {}, entry {} of {}", reference.id(), reference.entry(), shown(path));
    let [spent, left] = [in_words(&history), left_in_words(&history)];
    // the first of the rooms is for any release
    let any = left.split("; ").next().unwrap_or_default().to_owned();
    vec![
        Fact::new("ledger", entry).briefly(brief),
        Fact::new("spent", spent.clone()).briefly(spent.split("; ").next().unwrap_or_default()),
        Fact::new("left", left).briefly(any),
    ]
}

/// Whether the ledger is in a directory that may be replaced.
fn lies_in(ledger: &Path, directory: &Path) -> bool {
    let (ledger, directory) = (fs::canonicalize(ledger), fs::canonicalize(directory));
    ledger.is_ok_and(|ledger| directory.is_ok_and(|directory| ledger.starts_with(directory)))
}

/// What went wrong once the release was stored.
fn not_written(path: &Path, reference: &LedgerReference, reason: OutputError) -> CliError {
    Spent::NotWritten { path: path.to_owned(), id: reference.id().clone(), reason }.into()
}
