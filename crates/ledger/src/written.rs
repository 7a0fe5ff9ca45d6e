//! The older way to pay: the caller draws, and stores files. [`Ledger::release`] replaces it.

use dpfda_mechanism::{Digest, LedgerReference, ReleaseId};
use rusqlite::{Transaction, TransactionBehavior, params};

use crate::entry::{LedgerEvent, StoredFile, reference_to};
use crate::error::LedgerError;
use crate::file::{append, history_in, now};
use crate::history::LedgerHistory;
use crate::request::ReleaseRequest;
use crate::store::{Ledger, check};

/// What a spend left behind: the right to draw the noise of one release.
#[derive(Debug)]
#[must_use = "a receipt pays for a release"]
pub struct Receipt {
    reference: LedgerReference,
    stored: Option<StoredRelease>,
    was_paid: bool,
}

/// A release as it was stored, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRelease {
    files: Vec<(String, Vec<u8>)>,
}

impl Receipt {
    /// Where the release stands in the ledger.
    pub fn reference(&self) -> &LedgerReference {
        &self.reference
    }

    /// The release, if it was made before: nothing was spent, and nothing is to be drawn.
    pub fn stored(&self) -> Option<&StoredRelease> {
        self.stored.as_ref()
    }

    /// Whether the spend was found in the ledger, from a run that did not reach its end.
    pub fn was_paid(&self) -> bool {
        self.was_paid
    }
}

impl StoredRelease {
    /// The files, by their names, in the order in which they were stored.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }
}

impl Ledger {
    /// The receipt of a release that was paid for before, if it was: nothing is spent.
    ///
    /// # Errors
    /// [`LedgerError::IdInUse`] if the id was used with other settings; [`LedgerError`] as for [`Ledger::open`].
    pub fn find(&self, request: &ReleaseRequest) -> Result<Option<Receipt>, LedgerError> {
        let transaction = self.connection.unchecked_transaction().map_err(LedgerError::of(false))?;
        let history = history_in(&transaction)?;
        found_in(&transaction, &history, request)
    }

    /// Pays for a release: **commits its cost, before any noise is drawn**.
    ///
    /// A release that was stored under the same id with the same settings comes back in the receipt, at no cost; one that
    /// was paid for and not stored is not paid for again.
    ///
    /// # Errors
    /// [`LedgerError::OverTotal`] with what is left and what would fit; [`LedgerError::OtherUnit`],
    /// [`LedgerError::OtherNeighbours`] and [`LedgerError::IdInUse`]; [`LedgerError::Moved`] and the like. Nothing may be
    /// drawn then.
    pub fn spend(&mut self, request: &ReleaseRequest) -> Result<Receipt, LedgerError> {
        let writing = LedgerError::of(true);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let history = history_in(&transaction)?;
        if let Some(receipt) = found_in(&transaction, &history, request)? {
            return Ok(receipt);
        }
        check(&history, request)?;
        let event = LedgerEvent::Spent { request: request.clone(), at: now() };
        let entry = append(&transaction, history.entries().last(), event)?;
        transaction.commit().map_err(&writing)?;
        self.confirm(&entry)?;
        let reference = reference_to(history.terms(), request.id(), &entry);
        Ok(Receipt { reference, stored: None, was_paid: false })
    }

    /// Stores what was released: **before anybody sees it**. If another process stored the same release meanwhile, that one
    /// is returned, and what was given is to be forgotten.
    ///
    /// # Errors
    /// [`LedgerError`]; the release must not be shown then. Its spend stands, and the same command resumes it.
    pub fn store(&mut self, receipt: &Receipt, files: Vec<(String, Vec<u8>)>) -> Result<StoredRelease, LedgerError> {
        let writing = LedgerError::of(true);
        let id = receipt.reference.id();
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let history = history_in(&transaction)?;
        if let Some(stored) = files_in(&transaction, &history, id)? {
            return Ok(stored);
        }
        if history.request(id).is_none_or(|(entry, _)| entry.hash != receipt.reference.head()) {
            return Err(LedgerError::NotPaid { id: id.clone() });
        }
        let digests = files.iter().map(|(name, bytes)| StoredFile { name: name.clone(), sha256: Digest::of(bytes) });
        let event = LedgerEvent::Written { id: id.clone(), files: digests.collect(), at: now() };
        let entry = append(&transaction, history.entries().last(), event)?;
        for (position, (name, bytes)) in (0_i64..).zip(&files) {
            transaction
                .execute(
                    "INSERT INTO files VALUES (?, ?, ?, ?)",
                    params![entry.sequence.cast_signed(), position, name, bytes],
                )
                .map_err(&writing)?;
        }
        transaction.commit().map_err(&writing)?;
        self.confirm(&entry)?;
        Ok(StoredRelease { files })
    }
}

/// The receipt of an earlier spend under this id.
fn found_in(
    transaction: &Transaction<'_>,
    history: &LedgerHistory,
    request: &ReleaseRequest,
) -> Result<Option<Receipt>, LedgerError> {
    let Some((entry, earlier)) = history.request(request.id()) else { return Ok(None) };
    if earlier != request {
        return Err(LedgerError::IdInUse { id: request.id().clone() });
    }
    let reference = reference_to(history.terms(), request.id(), entry);
    let stored = files_in(transaction, history, request.id())?;
    Ok(Some(Receipt { reference, stored, was_paid: true }))
}

/// The files of a release, if it was stored, checked against the digests in its entry.
pub(crate) fn files_in(
    transaction: &Transaction<'_>,
    history: &LedgerHistory,
    id: &ReleaseId,
) -> Result<Option<StoredRelease>, LedgerError> {
    let Some(digests) = history.files(id) else { return Ok(None) };
    let reading = LedgerError::of(false);
    let query = "SELECT name, bytes FROM files JOIN entries ON entry = sequence \
                 WHERE kind = 'released' AND request = ? ORDER BY position";
    let mut rows = transaction.prepare(query).map_err(&reading)?;
    let files: Result<Vec<(String, Vec<u8>)>, _> =
        rows.query_map([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?))).map_err(&reading)?.collect();
    let files = files.map_err(&reading)?;
    let as_stored = |((name, bytes), file): (&(String, Vec<u8>), &StoredFile)| {
        *name == file.name && Digest::of(bytes) == file.sha256
    };
    let whole = files.len() == digests.len() && files.iter().zip(digests).all(as_stored);
    if whole { Ok(Some(StoredRelease { files })) } else { Err(LedgerError::Stored { id: id.clone() }) }
}
