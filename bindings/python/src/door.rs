//! Who pays for a release, and where its noise comes from: the only way from a payable to a release.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use dpfda::kinds::weak_delta;
use dpfda::ledger::{GroupName, Ledger, LedgerNote, ReleaseId, usual_id};
use dpfda::mechanism::Payable;
use dpfda::privacy::{NeighbouringRelation, NonPrivate, Randomness, SeededRandomness, SystemRandomness};
use dpfda::smoothing::{Bytes, MissingCells, TableFiles};
use dpfda_study::{Door as Spelled, Note, Reading, Watch};
use pyo3::prelude::*;

use crate::refusal::Refusal;

/// What Python says of the payment and of the noise.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct DoorArguments {
    ledger: Option<PathBuf>,
    release_id: Option<String>,
    part_of: Option<String>,
    seed: Option<u64>,
    not_private: bool,
    tell: Py<PyAny>,
}

/// What the curator should know of the data before they are released. It depends on the data: it is for the curator alone.
#[derive(Debug, Clone, Default)]
pub struct Concerns {
    /// Whether there are ids that look alike.
    pub similar_ids: bool,
    /// The share of rows that count as none, where it is large.
    pub unused: Option<f64>,
    /// The share of cells of a file that are missing, where it is large.
    pub missing: Option<f64>,
    /// What stood in missing cells of a file, other than the most usual words.
    pub codes: Vec<String>,
    /// Whether cells of labels or covariates are of another kind than those that are read.
    pub strange: bool,
    /// What else there is to say, in words: a weak delta, covariates that hardly say anything.
    pub said: Vec<String>,
    /// A column that looks like ids, which repeat, where no subject is named.
    pub repeats: Option<String>,
}

/// Gathers what the curator should know, to be told before the payment; where numbers are in memory, their gaps are in the hands of
/// whoever made them.
pub struct Gathered {
    concerns: Mutex<Concerns>,
    is_file: bool,
}

impl Gathered {
    /// What is known before the data are read.
    pub fn new(concerns: Concerns, is_file: bool) -> Self {
        Self { concerns: Mutex::new(concerns), is_file }
    }

    /// What was told.
    pub fn concerns(&self) -> Concerns {
        self.concerns.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
        let mut concerns = self.concerns.lock().unwrap_or_else(PoisonError::into_inner);
        match note.into_revealed() {
            Note::Ids(_) => concerns.similar_ids = true,
            Note::Codes(codes) if self.is_file => concerns.codes = codes.into_iter().map(|(code, _)| code).collect(),
            Note::Missing(share, _) if self.is_file => concerns.missing = Some(share),
            Note::Unused(share) => concerns.unused = Some(share),
            Note::Repeats(column) => concerns.repeats = Some(column),
            note @ (Note::Weak(_) | Note::Covariate(..) | Note::FewChanges { .. } | Note::LeftOut(_)) => {
                concerns.said.push(Spelled::Python.spell(&note.in_words()));
            }
            Note::Codes(_) | Note::Missing(..) => {}
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

impl Concerns {
    /// What there is to say of ids.
    pub fn of_ids(similar_ids: bool) -> Self {
        Self { similar_ids, ..Self::default() }
    }

    /// What there is to say of a file.
    pub fn of_file(similar_ids: bool, cells: NonPrivate<&MissingCells>) -> Self {
        let cells = cells.reveal();
        let codes = cells.unusual().map(|(code, _)| code).collect();
        Self { missing: cells.many(), codes, ..Self::of_ids(similar_ids) }
    }

    fn are_none(&self) -> bool {
        let is_said = self.similar_ids || self.strange || !self.codes.is_empty() || self.repeats.is_some();
        !is_said && self.unused.is_none() && self.missing.is_none() && self.said.is_empty()
    }
}

/// A payment and a source of noise, checked.
pub struct Door {
    account: Option<Account>,
    seed: Option<u64>,
    /// The function of Python that warns the curator.
    tell: Py<PyAny>,
}

/// A ledger, and what the release is called in it.
struct Account {
    path: PathBuf,
    id: Option<ReleaseId>,
    group: Option<GroupName>,
}

impl TryFrom<DoorArguments> for Door {
    type Error = Refusal;

    fn try_from(arguments: DoorArguments) -> Result<Self, Refusal> {
        let DoorArguments { ledger, release_id, part_of, seed, not_private, tell } = arguments;
        if seed.is_some() != not_private {
            let reason = "seed and not_private=True belong together: noise from a known seed protects nobody. Leave both out for \
                          a private release";
            return Err(Refusal::new("seed", reason));
        }
        if ledger.is_none() && (release_id.is_some() || part_of.is_some()) {
            return Err(Refusal::new("ledger", "release_id and part_of need a ledger"));
        }
        if ledger.is_some() && not_private {
            return Err(Refusal::new(
                "ledger",
                "a ledger pays for private releases alone: leave seed and not_private out",
            ));
        }
        let account = ledger.map(|path| -> Result<_, Refusal> {
            let id = release_id.map(|id| id.parse()).transpose()?;
            let group =
                part_of.map(|group| group.parse()).transpose().map_err(|error| Refusal::from(error).at("part_of"))?;
            Ok(Account { path, id, group })
        });
        Ok(Self { account: account.transpose()?, seed, tell })
    }
}

impl Door {
    /// Refuses a ledger of another data set, before the data are read.
    ///
    /// # Errors
    /// [`Refusal`] of the ledger.
    pub fn check_dataset(&self, name: Option<&str>) -> Result<(), Refusal> {
        let ledger = self.account.as_ref().map(|account| Ledger::open(&account.path)).transpose()?;
        Ok(ledger.map_or(Ok(()), |ledger| ledger.check_dataset(name))?)
    }

    /// Warns the curator, pays and draws, in this order: whoever makes errors of warnings has spent nothing.
    ///
    /// # Errors
    /// [`Refusal`] for a warning that is an error, and of the ledger; see [`Ledger::release`] for what is spent then.
    pub fn draw<P: Payable>(&self, payable: P, mut concerns: Concerns) -> Result<P::Drawn, Refusal> {
        let mut randomness: Box<dyn Randomness> = match self.seed {
            Some(seed) => Box::new(SeededRandomness::from_seed(seed)),
            None => Box::new(SystemRandomness::new()?),
        };
        let asked = payable.asked();
        // the number is exact, also where the release will tell a noisy one
        let (delta, records) = (asked.guarantee.budget().delta(), *payable.records().reveal() as f64);
        concerns.said.extend(weak_delta(delta, records, NeighbouringRelation::SubstituteOne));
        let Some(Account { path, id, group }) = &self.account else {
            self.warn(concerns, &[])?;
            return Ok(payable.draw(None, &mut *randomness)?);
        };
        let mut ledger = Ledger::open(path)?;
        let id = id.clone().unwrap_or_else(|| usual_id(&asked, group.as_ref()));
        let foretold = ledger.notes_before(&id, group.as_ref(), &payable, &*randomness)?;
        self.warn(concerns, &foretold)?;
        let outcome = match group {
            Some(group) => ledger.release_of_group(group.clone(), id, payable, &mut *randomness)?,
            None => ledger.release(id, payable, &mut *randomness)?,
        };
        // what another process paid for meanwhile can add a note; the release is kept, and the same call gives it back
        let added: Vec<LedgerNote> = outcome.notes.into_iter().filter(|note| !foretold.contains(note)).collect();
        self.warn(Concerns::default(), &added)?;
        Ok(outcome.release)
    }

    fn warn(&self, concerns: Concerns, notes: &[LedgerNote]) -> Result<(), Refusal> {
        if concerns.are_none() && notes.is_empty() {
            return Ok(());
        }
        let Concerns { similar_ids, unused, missing, codes, strange, said, repeats } = concerns;
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        let told = Python::attach(|py| {
            self.tell.call1(py, (similar_ids, unused, notes, missing, codes, strange, said, repeats)).map(drop)
        });
        told.map_err(Refusal::raised)
    }
}
