//! The entries of a ledger, checked: an account that nobody has edited.

use dpfda_mechanism::{Digest, LedgerReference, ReleaseId, is_name};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::accounts::Accounts;
use crate::entry::{LedgerEntry, LedgerEvent, StoredIntegers, reference_to};
use crate::request::ReleaseRequest;
use crate::terms::LedgerTerms;

/// All entries of a ledger in their order. One that exists is whole: its hashes agree, every release was paid for before it
/// was stored, and the total was never exceeded.
///
/// A chain of hashes shows that something was edited, not who did it: whoever can write all of it can write another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "HistoryDocument", into = "HistoryDocument")]
pub struct LedgerHistory {
    terms: LedgerTerms,
    entries: Vec<LedgerEntry>,
    accounts: Accounts,
}

/// Why entries are no ledger: it was edited, truncated or damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum HistoryError {
    #[error("ledger schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema { found: u32 },
    #[error("a ledger begins with its creation and has no other")]
    Creation,
    #[error("entry {expected} is missing or out of order")]
    Sequence { expected: u64 },
    #[error("entry {entry} was edited: its hash is not that of its content and of the entry before it")]
    Hash { entry: u64 },
    #[error("entry {entry} is a release that was paid for or stored before, or stored without being paid for")]
    Release { entry: u64 },
    #[error("entry {entry} has another unit of privacy or neighbouring relation than the ledger")]
    Terms { entry: u64 },
    #[error("entry {entry} is a release of a group that the ledger does not have")]
    Group { entry: u64 },
    #[error("entry {entry} exceeds the total of the ledger")]
    OverTotal { entry: u64 },
    #[error("the last entry is not the head of the ledger: entries were cut off or added")]
    Head,
}

/// The version of the format.
pub(crate) const SCHEMA: u32 = 3;

impl LedgerHistory {
    /// The entries, checked.
    pub fn new(entries: Vec<LedgerEntry>) -> Result<Self, HistoryError> {
        let (Some(LedgerEntry { event: LedgerEvent::Created { terms, .. }, .. }), rest) =
            (entries.first(), entries.get(1..).unwrap_or_default())
        else {
            return Err(HistoryError::Creation);
        };
        let accounts = Accounts::new(terms);
        let mut history = Self { terms: terms.clone(), entries: Vec::new(), accounts };
        history.link(&entries[0])?;
        for entry in rest {
            history.link(entry)?;
            history.accounts = history.allowed(entry)?;
        }
        Ok(history)
    }

    /// Appends an entry that continues the chain.
    fn link(&mut self, entry: &LedgerEntry) -> Result<(), HistoryError> {
        let expected = self.entries.len() as u64;
        let previous = self.entries.last().map_or_else(Digest::none, |entry| entry.hash);
        if entry.sequence != expected {
            return Err(HistoryError::Sequence { expected });
        }
        if entry.previous != previous || !entry.is_whole() {
            return Err(HistoryError::Hash { entry: expected });
        }
        self.entries.push(entry.clone());
        Ok(())
    }

    /// The accounts after an entry that has been linked, if it may stand there.
    fn allowed(&self, entry: &LedgerEntry) -> Result<Accounts, HistoryError> {
        let number = entry.sequence;
        let before = &self.entries[..self.entries.len() - 1];
        match &entry.event {
            LedgerEvent::Created { .. } => Err(HistoryError::Creation),
            LedgerEvent::Spent { request, .. } => {
                if request_of(before, request.id()).is_some() {
                    return Err(HistoryError::Release { entry: number });
                }
                let guarantee = request.guarantee();
                if guarantee.unit() != self.terms.unit() || guarantee.neighbours() != self.terms.neighbours() {
                    return Err(HistoryError::Terms { entry: number });
                }
                let accounts = self.accounts.with(request.part_of(), request.spend());
                let accounts = accounts.ok_or(HistoryError::Group { entry: number })?;
                let is_within = accounts.is_within(&self.terms.total());
                is_within.then_some(accounts).ok_or(HistoryError::OverTotal { entry: number })
            }
            LedgerEvent::Answered { id, stored, .. } => {
                self.unchanged(matches!(Stage::of(before, id), Stage::Paid(..)) && is_name(&stored.software), number)
            }
            LedgerEvent::Resumed { id, .. } => {
                self.unchanged(matches!(Stage::of(before, id), Stage::Answered(..)), number)
            }
            LedgerEvent::Released { id, stored, .. } => {
                let is_drawn = matches!(Stage::of(before, id), Stage::Paid(..) | Stage::Resumed(..));
                self.unchanged(is_drawn && is_name(&stored.software), number)
            }
        }
    }

    /// The accounts after an entry that costs nothing.
    fn unchanged(&self, in_order: bool, entry: u64) -> Result<Accounts, HistoryError> {
        in_order.then(|| self.accounts.clone()).ok_or(HistoryError::Release { entry })
    }

    /// Whom the ledger protects, and how much may be spent on them.
    pub fn terms(&self) -> &LedgerTerms {
        &self.terms
    }

    /// All entries, the creation first.
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// The sum of what was spent.
    pub fn accounts(&self) -> &Accounts {
        &self.accounts
    }

    /// The hash of the last entry.
    pub fn head(&self) -> Digest {
        self.entries.last().map_or_else(Digest::none, |entry| entry.hash)
    }

    /// What was asked under this id, with the entry that paid for it.
    pub fn request(&self, id: &ReleaseId) -> Option<(&LedgerEntry, &ReleaseRequest)> {
        request_of(&self.entries, id)
    }

    /// Whether the release of this id is stored.
    pub fn is_stored(&self, id: &ReleaseId) -> bool {
        self.integers(id).is_some()
    }

    /// The integers that were stored under this id.
    pub fn integers(&self, id: &ReleaseId) -> Option<&StoredIntegers> {
        match self.stage(id) {
            Stage::Released(_, stored) => Some(stored),
            _ => None,
        }
    }

    /// Whether the release of this id waits for its second round: it is paid for, and its first answer is stored.
    pub fn is_answered(&self, id: &ReleaseId) -> bool {
        matches!(self.stage(id), Stage::Answered(..))
    }

    /// The ledger before one of its entries.
    ///
    /// # Errors
    /// None in practice: what begins a ledger is one.
    pub(crate) fn before(&self, entry: &LedgerEntry) -> Result<Self, HistoryError> {
        Self::new(self.entries.iter().take_while(|other| other.sequence < entry.sequence).cloned().collect())
    }

    /// How far the release of this id has come.
    pub(crate) fn stage(&self, id: &ReleaseId) -> Stage<'_> {
        Stage::of(&self.entries, id)
    }

    /// Whether a release was paid for here: its entry stands in this ledger with this hash.
    ///
    /// A ledger of this data set that does not hold one of its releases is not the one that paid for it: most likely an older
    /// copy, put back.
    pub fn holds(&self, reference: &LedgerReference) -> bool {
        self.request(reference.id())
            .is_some_and(|(entry, _)| *reference == reference_to(&self.terms, reference.id(), entry))
    }

    /// The history as a JSON document, which [`LedgerHistory::from_json`] checks again.
    ///
    /// # Errors
    /// None in practice.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Reads an exported history back, checking every hash and every sum.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

fn request_of<'a>(entries: &'a [LedgerEntry], id: &ReleaseId) -> Option<(&'a LedgerEntry, &'a ReleaseRequest)> {
    entries.iter().find_map(|entry| match &entry.event {
        LedgerEvent::Spent { request, .. } if request.id() == id => Some((entry, request)),
        _ => None,
    })
}

/// How far a release has come, with the entry that paid for it.
///
/// ```text
/// Nothing -> Paid -> Released                          one round
///            Paid -> Answered -> Resumed -> Released   two rounds
/// ```
///
/// Between `Paid` and what follows, and between `Resumed` and `Released`, noise is drawn: who stops there has lost it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stage<'a> {
    Nothing,
    Paid(&'a LedgerEntry),
    Answered(&'a LedgerEntry, &'a StoredIntegers),
    Resumed(&'a LedgerEntry),
    Released(&'a LedgerEntry, &'a StoredIntegers),
}

impl<'a> Stage<'a> {
    /// After these entries, in their order.
    fn of(entries: &'a [LedgerEntry], id: &ReleaseId) -> Self {
        entries.iter().fold(Self::Nothing, |stage, entry| match (&entry.event, stage) {
            (LedgerEvent::Spent { request, .. }, _) if request.id() == id => Self::Paid(entry),
            (LedgerEvent::Answered { id: of, stored, .. }, Self::Paid(paid)) if of == id => {
                Self::Answered(paid, stored)
            }
            (LedgerEvent::Resumed { id: of, .. }, Self::Answered(paid, _)) if of == id => Self::Resumed(paid),
            (LedgerEvent::Released { id: of, stored, .. }, Self::Paid(paid) | Self::Resumed(paid)) if of == id => {
                Self::Released(paid, stored)
            }
            _ => stage,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HistoryDocument {
    schema: u32,
    head: Digest,
    entries: Vec<LedgerEntry>,
}

impl TryFrom<HistoryDocument> for LedgerHistory {
    type Error = HistoryError;

    fn try_from(document: HistoryDocument) -> Result<Self, HistoryError> {
        if document.schema != SCHEMA {
            return Err(HistoryError::Schema { found: document.schema });
        }
        let history = Self::new(document.entries)?;
        if history.head() == document.head { Ok(history) } else { Err(HistoryError::Head) }
    }
}

impl From<LedgerHistory> for HistoryDocument {
    fn from(history: LedgerHistory) -> Self {
        Self { schema: SCHEMA, head: history.head(), entries: history.entries }
    }
}
