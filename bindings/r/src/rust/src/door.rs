//! Who pays for a release, and where its noise comes from: the only way from a payable to a release.

use std::sync::{Mutex, PoisonError};

use dpfda::kinds::{Kind, weak_delta};
use dpfda::ledger::{GroupName, Ledger, LedgerNote, ReleaseId, usual_id};
use dpfda::mechanism::{Payable, Release};
use dpfda::privacy::{NeighbouringRelation, NonPrivate, Randomness, SeededRandomness, SystemRandomness};
use dpfda::smoothing::{Bytes, TableFiles};
use dpfda_study::{Account, Door as Spelling, Finish, Note, Reading, Watch};
use savvy::{FunctionArgs, FunctionSexp, ListSexp, OwnedStringSexp, TypedSexp};

use crate::refusal::Refusal;

/// What R says of the payment and of the noise.
pub struct Door {
    ledger: Option<String>,
    id: Option<ReleaseId>,
    group: Option<GroupName>,
    /// The seed of a demonstration, which is not private.
    seed: Option<u64>,
    /// The function of R that warns the curator.
    tell: FunctionSexp,
}

impl Door {
    /// A list of `ledger`, `release_id`, `part_of` and `demonstration`.
    ///
    /// # Errors
    /// [`Refusal`] for what does not go together.
    pub fn of(arguments: &ListSexp, tell: FunctionSexp) -> Result<Self, Refusal> {
        let text = |name: &str| match arguments.get(name).map(savvy::Sexp::into_typed) {
            Some(TypedSexp::String(text)) => text.iter().next().map(str::to_owned),
            _ => None,
        };
        let seed = arguments.get("demonstration").and_then(crate::study::numbers).map(|numbers| match numbers[..] {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number from 0 to 2^31")]
            [seed] if seed.fract() == 0.0 && (0.0..=f64::from(i32::MAX)).contains(&seed) => Ok(seed as u64),
            _ => Err(Refusal::new("demonstration", "`demonstration` is a seed: a whole number from 0 to 2147483647")),
        });
        let (ledger, seed) = (text("ledger"), seed.transpose()?);
        let (id, group) = (text("release_id"), text("part_of"));
        if ledger.is_none() && (id.is_some() || group.is_some()) {
            return Err(Refusal::new("ledger", "`release_id` and `part_of` need a `ledger`"));
        }
        if ledger.is_some() && seed.is_some() {
            let why = "a ledger pays for private releases alone: leave `demonstration` out";
            return Err(Refusal::new("ledger", why));
        }
        let (id, group) = (id.map(|id| id.parse()).transpose()?, group.map(|group| group.parse()).transpose()?);
        Ok(Self { ledger, id, group, seed, tell })
    }

    /// Refuses a ledger of another data set, before the data are read.
    ///
    /// # Errors
    /// [`Refusal`] of the ledger.
    pub fn check_dataset(&self, name: Option<&str>) -> Result<(), Refusal> {
        let ledger = self.ledger.as_ref().map(|path| Ledger::open(path.as_ref())).transpose()?;
        Ok(ledger.map_or(Ok(()), |ledger| ledger.check_dataset(name))?)
    }

    /// Warns the curator, pays and draws, in this order: whoever makes errors of warnings has spent nothing.
    ///
    /// # Errors
    /// [`Refusal`] for a warning that is an error, and of the ledger.
    pub fn draw<P: Payable>(&self, payable: P, gathered: &Gathered) -> Result<P::Drawn, Refusal> {
        let mut randomness: Box<dyn Randomness> = match self.seed {
            Some(seed) => Box::new(SeededRandomness::from_seed(seed)),
            None => Box::new(SystemRandomness::new()?),
        };
        let asked = payable.asked();
        // the number is exact, also where the release will tell a noisy one
        let (delta, records) = (asked.guarantee.budget().delta(), *payable.records().reveal() as f64);
        if let Some(why) = weak_delta(delta, records, NeighbouringRelation::SubstituteOne) {
            gathered.tell(NonPrivate::new(Note::Weak(why)));
        }
        let concerns = gathered.words();
        let Some(path) = &self.ledger else {
            self.warn(&concerns, &[])?;
            return Ok(payable.draw(None, &mut *randomness)?);
        };
        let mut ledger = Ledger::open(path.as_ref())?;
        let id = self.id.clone().unwrap_or_else(|| usual_id(&asked, self.group.as_ref()));
        let foretold = ledger.notes_before(&id, self.group.as_ref(), &payable, &*randomness)?;
        self.warn(&concerns, &foretold)?;
        let outcome = match &self.group {
            Some(group) => ledger.release_of_group(group.clone(), id, payable, &mut *randomness)?,
            None => ledger.release(id, payable, &mut *randomness)?,
        };
        // what another process paid for meanwhile can add a note; the release is kept, and the same call gives it back
        let added: Vec<LedgerNote> = outcome.notes.into_iter().filter(|note| !foretold.contains(note)).collect();
        self.warn(&[], &added)?;
        Ok(outcome.release)
    }

    fn warn(&self, concerns: &[String], notes: &[LedgerNote]) -> Result<(), Refusal> {
        if concerns.is_empty() && notes.is_empty() {
            return Ok(());
        }
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        let mut arguments = FunctionArgs::new();
        arguments.add("concerns", OwnedStringSexp::try_from_slice(concerns)?)?;
        arguments.add("notes", OwnedStringSexp::try_from_slice(notes)?)?;
        self.tell.call(arguments)?;
        Ok(())
    }
}

/// Gathers what the curator should know, to be told before the payment. It depends on the data.
pub struct Gathered {
    notes: Mutex<Vec<Note>>,
    /// Gaps of numbers in memory are in the hands of whoever made them.
    is_file: bool,
}

impl Gathered {
    /// Nothing is known yet of a file, or of numbers in memory.
    pub fn new(is_file: bool) -> Self {
        Self { notes: Mutex::new(Vec::new()), is_file }
    }

    fn words(&self) -> Vec<String> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.iter().map(|note| Spelling::R.spell(&note.in_words())).collect()
    }
}

impl Watch for Gathered {
    fn reading(&self, _: &TableFiles) -> Box<dyn Reading> {
        Box::new(Unwatched)
    }

    fn step(&self, _: &'static str, work: &mut dyn FnMut()) {
        work();
    }

    fn tell(&self, note: NonPrivate<Note>) {
        let note = note.into_revealed();
        if self.is_file || !matches!(note, Note::Codes(_) | Note::Missing(..)) {
            self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
        }
    }
}

/// Bytes that nobody counts.
struct Unwatched;

impl Reading for Unwatched {
    fn watched(&self, bytes: Bytes) -> Bytes {
        bytes
    }
}

/// Pays by the door, and makes the document of the release.
pub struct Payment<'a> {
    /// Who pays.
    pub door: &'a Door,
    /// What is told before.
    pub gathered: &'a Gathered,
}

impl Account for Payment<'_> {
    type Output = String;
    type Error = Refusal;

    fn pay<S: Kind>(
        self,
        prepared: impl Payable<Drawn = Release<S>>,
        finish: Finish<'_, S>,
    ) -> Result<String, Refusal> {
        let Finish { view, estimate } = finish;
        let drawn = self.door.draw(prepared, self.gathered)?;
        crate::release::documented::<S>(view(drawn)?, estimate)
    }
}
