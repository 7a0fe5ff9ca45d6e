//! The one order in which a release is paid for, drawn, kept and shown.
//!
//! ```text
//! look      a release that is stored is given back, and no more is done
//! reserve   room on the disk for the release, before it is paid for
//! pay       commits the cost                                            before any noise exists
//! draw      the noise: in memory, seen by nobody
//! keep      commits the noisy integers, in the room that was reserved   before anybody sees them
//! ```
//!
//! The file is locked from `reserve` to `keep`. Nothing that is written has a size that depends on the noise. Why this is
//! enough: `docs/proofs/ledger.md`.

use dpfda_mechanism::{Digest, Drawn, LedgerReference, Payable, ReleaseId, Stored};
use dpfda_privacy::Randomness;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::entry::{LedgerEntry, LedgerEvent, StoredIntegers, reference_to};
use crate::error::LedgerError;
use crate::file::{append, history_in, integers_in, key_in, now};
use crate::group::GroupName;
use crate::history::LedgerHistory;
use crate::outcome::{LedgerNote, Origin, Outcome};
use crate::request::ReleaseRequest;
use crate::store::{Ledger, check};

/// The most bytes of noisy integers of one release: 512 MiB. `SQLite` ends at 10^9.
pub const LARGEST_RELEASE: u64 = 1 << 29;

/// What is reserved beyond the integers, for the entry that names them and for the pages that lead to them.
const MARGIN: u64 = 1 << 16;

impl Ledger {
    /// Pays for a release, draws it, stores it, and returns it: in this order, whatever stops in between.
    ///
    /// A release that is stored under the same id, with the same plan and from the same data, is given back. Nothing is spent
    /// or drawn then. Of two processes that ask at the same time, one draws and the other waits for it.
    ///
    /// # Errors
    /// [`LedgerError::OverTotal`] with what is left and what would fit; [`LedgerError::IdInUse`] and
    /// [`LedgerError::OtherData`] for an id that belongs to another release, [`LedgerError::Lost`] for one that was paid for
    /// and whose draw nobody has; [`LedgerError::TooLarge`], [`LedgerError::OtherUnit`], [`LedgerError::OtherNeighbours`],
    /// [`LedgerError::Moved`] and the like. Nothing is spent then, except with [`LedgerError::NotKept`],
    /// and perhaps with [`LedgerError::Unconfirmed`].
    pub fn release<P: Payable, R: Randomness + ?Sized>(
        &mut self,
        id: ReleaseId,
        payable: P,
        randomness: &mut R,
    ) -> Result<Outcome<P::Drawn>, LedgerError> {
        let request = request_of(id, &payable)?;
        self.release_as(&request, payable, randomness)
    }

    /// The same for a release of the data of one group alone, which only this group pays for.
    ///
    /// # Errors
    /// As for [`Ledger::release`], and [`LedgerError::UnknownGroup`] unless the group was declared when the ledger was
    /// created.
    pub fn release_of_group<P: Payable, R: Randomness + ?Sized>(
        &mut self,
        group: GroupName,
        id: ReleaseId,
        payable: P,
        randomness: &mut R,
    ) -> Result<Outcome<P::Drawn>, LedgerError> {
        let request = request_of(id, &payable)?.of_group(group);
        self.release_as(&request, payable, randomness)
    }

    /// The notes that [`Ledger::release`] would give now, before anything is spent: who does not want such a release can still leave it.
    ///
    /// They follow from the ledger and from public settings. They change if another process pays for a release in between.
    ///
    /// # Errors
    /// [`LedgerError`] as for [`Ledger::history`].
    pub fn notes_before<P: Payable, R: Randomness + ?Sized>(
        &self,
        id: &ReleaseId,
        part_of: Option<&GroupName>,
        payable: &P,
        randomness: &R,
    ) -> Result<Vec<LedgerNote>, LedgerError> {
        let history = self.history()?;
        if let Some(stored) = history.integers(id) {
            return Ok(notes_of_stored(stored.private));
        }
        let request = request_of(id.clone(), payable)?;
        let request = match part_of {
            Some(group) => request.of_group(group.clone()),
            None => request,
        };
        Ok(notes_of(&history, &request, randomness.is_private()))
    }

    fn release_as<P: Payable, R: Randomness + ?Sized>(
        &mut self,
        request: &ReleaseRequest,
        payable: P,
        randomness: &mut R,
    ) -> Result<Outcome<P::Drawn>, LedgerError> {
        let size = payable.stored_len();
        if size > LARGEST_RELEASE {
            return Err(LedgerError::TooLarge { size, limit: LARGEST_RELEASE });
        }
        let fingerprint = self.fingerprint(request.id(), &payable)?;
        if let Some(kept) = self.look(request, &fingerprint)? {
            return given_back(kept, payable);
        }
        let mut held = Held::new(&mut self.connection);
        let history = match held.reserve(request, &fingerprint, size)? {
            Reserved::Found(kept) => {
                drop(held);
                return given_back(kept, payable);
            }
            Reserved::Free(history) => history,
        };
        let paid = held.pay(&history, request)?;
        let reference = reference_to(history.terms(), request.id(), &paid);
        let release = payable.draw(Some(reference.clone()), randomness);
        let stored = release.stored();
        let private = stored.private && randomness.is_private();
        let not_kept = |reason| LedgerError::NotKept { id: request.id().clone(), reason: Box::new(reason) };
        let kept = held.keep(&paid, request.id(), &fingerprint, (&stored, private), size).map_err(not_kept)?;
        drop(held);
        self.confirm(&kept).map_err(not_kept)?;
        let notes = notes_of(&history, request, private);
        Ok(Outcome { release, origin: Origin::Drawn, reference, notes })
    }

    /// The fingerprint of the private data under an id.
    fn fingerprint<P: Payable>(&self, id: &ReleaseId, payable: &P) -> Result<[u8; 32], LedgerError> {
        let mut fingerprinter = key_in(&self.connection)?.begin(id.as_str().as_bytes());
        payable.fingerprint(&mut fingerprinter);
        Ok(fingerprinter.finish())
    }

    /// The release, if it is stored. What is paid for and not stored is lost: whoever draws holds the lock, and this waits
    /// for the lock.
    fn look(&self, request: &ReleaseRequest, fingerprint: &[u8; 32]) -> Result<Option<Kept>, LedgerError> {
        let transaction = self.connection.unchecked_transaction().map_err(LedgerError::of(false))?;
        let kept = kept_in(&transaction, &history_in(&transaction)?, request, fingerprint)?;
        drop(transaction);
        if let Some(kept) = &kept {
            self.confirm(&kept.paid)?;
        }
        Ok(kept)
    }
}

fn request_of<P: Payable>(id: ReleaseId, payable: &P) -> Result<ReleaseRequest, LedgerError> {
    let asked = payable.asked();
    Ok(ReleaseRequest::new(id, asked.kind, asked.guarantee, asked.spend, asked.plan)?)
}

/// What the curator should know of a release that is paid for after this history.
fn notes_of(history: &LedgerHistory, request: &ReleaseRequest, private: bool) -> Vec<LedgerNote> {
    let after = history.accounts().with(request.part_of(), request.spend());
    let must_be_planned = after.is_some_and(|after| after.must_be_planned_since(history.accounts()));
    let notes = [(must_be_planned, LedgerNote::PlanAmounts), (!private, LedgerNote::KnownSeed)];
    notes.into_iter().filter_map(|(holds, note)| holds.then_some(note)).collect()
}

/// The same of a release that is stored.
fn notes_of_stored(private: bool) -> Vec<LedgerNote> {
    if private { Vec::new() } else { vec![LedgerNote::KnownSeed] }
}

/// A release that is in the ledger.
pub(crate) struct Kept {
    paid: LedgerEntry,
    reference: LedgerReference,
    stored: Stored,
}

fn given_back<P: Payable>(kept: Kept, payable: P) -> Result<Outcome<P::Drawn>, LedgerError> {
    let Kept { reference, stored, .. } = kept;
    let notes = notes_of_stored(stored.private);
    let unreadable = |reason| LedgerError::Restore { id: reference.id().clone(), reason };
    let release = payable.restore(stored, Some(reference.clone())).map_err(unreadable)?;
    Ok(Outcome { release, origin: Origin::GivenBack, reference, notes })
}

/// What was found when room was to be reserved.
pub(crate) enum Reserved {
    /// The release: another process made it meanwhile.
    Found(Kept),
    /// Nothing. There is room now, and the history does not change before the release is paid for.
    Free(LedgerHistory),
}

/// The file, locked against all other processes from the first transaction to the last; the lock ends with the process.
pub(crate) struct Held<'a> {
    pub(crate) connection: &'a mut Connection,
    is_locked: bool,
}

impl<'a> Held<'a> {
    pub(crate) fn new(connection: &'a mut Connection) -> Self {
        Self { connection, is_locked: false }
    }

    /// Locks the file, checks everything that can be checked, and writes zeros where the release will be.
    pub(crate) fn reserve(
        &mut self,
        request: &ReleaseRequest,
        fingerprint: &[u8; 32],
        size: u64,
    ) -> Result<Reserved, LedgerError> {
        let writing = LedgerError::of(true);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let history = history_in(&transaction)?;
        if let Some(kept) = kept_in(&transaction, &history, request, fingerprint)? {
            return Ok(Reserved::Found(kept));
        }
        check(&history, request)?;
        // Set now and not before: a process that waits for its turn must not keep others from theirs.
        lock_until(&transaction, "EXCLUSIVE")?;
        self.is_locked = true;
        let room = (size + MARGIN).cast_signed();
        transaction.execute("DELETE FROM space", []).map_err(&writing)?;
        transaction.execute("INSERT INTO space VALUES (1, zeroblob(?))", [room]).map_err(&writing)?;
        transaction.commit().map_err(&writing)?;
        Ok(Reserved::Free(history))
    }

    /// Commits the cost, and frees the room for what is drawn next.
    pub(crate) fn pay(
        &mut self,
        history: &LedgerHistory,
        request: &ReleaseRequest,
    ) -> Result<LedgerEntry, LedgerError> {
        let writing = LedgerError::of(true);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let event = LedgerEvent::Spent { request: request.clone(), at: now() };
        let entry = append(&transaction, history.entries().last(), event)?;
        transaction.execute("DELETE FROM space", []).map_err(&writing)?;
        let unconfirmed =
            |error| LedgerError::Unconfirmed { id: request.id().clone(), reason: Box::new(writing(error)) };
        transaction.commit().map_err(unconfirmed)?;
        Ok(entry)
    }

    /// Commits the noisy integers, and unlocks the file.
    pub(crate) fn keep(
        &mut self,
        paid: &LedgerEntry,
        id: &ReleaseId,
        fingerprint: &[u8; 32],
        (stored, private): (&Stored, bool),
        size: u64,
    ) -> Result<LedgerEntry, LedgerError> {
        if stored.bytes.len() as u64 != size {
            return Err(LedgerError::Size { expected: size });
        }
        let writing = LedgerError::of(true);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let sha256 = Digest::of(&stored.bytes);
        let integers = StoredIntegers { software: stored.software.clone(), private, bytes: size, sha256 };
        let event = LedgerEvent::Released { id: id.clone(), stored: integers, at: now() };
        let entry = append(&transaction, Some(paid), event)?;
        let row = params![entry.sequence.cast_signed(), fingerprint.as_slice(), stored.bytes];
        transaction.execute("INSERT INTO draws VALUES (?, ?, ?)", row).map_err(&writing)?;
        lock_until(&transaction, "NORMAL")?;
        transaction.commit().map_err(&writing)?;
        self.is_locked = false;
        Ok(entry)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.is_locked {
            // the lock goes with the next transaction that ends
            let _ = lock_until(self.connection, "NORMAL");
            let _ = self.connection.query_row("SELECT sequence FROM head", [], |_| Ok(()));
        }
    }
}

/// With `EXCLUSIVE`, the lock of a transaction stays after its end; with `NORMAL`, it goes with it.
fn lock_until(connection: &Connection, mode: &str) -> Result<(), LedgerError> {
    connection.pragma_update_and_check(None, "locking_mode", mode, |_| Ok(())).map_err(LedgerError::of(true))
}

/// The release of this request, if it is stored.
fn kept_in(
    transaction: &Transaction<'_>,
    history: &LedgerHistory,
    request: &ReleaseRequest,
    fingerprint: &[u8; 32],
) -> Result<Option<Kept>, LedgerError> {
    let id = request.id();
    let Some((paid, earlier)) = history.request(id) else { return Ok(None) };
    if earlier != request {
        return Err(LedgerError::IdInUse { id: id.clone() });
    }
    let Some(entry) = history.integers(id) else { return Err(LedgerError::Lost { id: id.clone() }) };
    let copied = |known: &[u8], bytes: &[u8]| (known == fingerprint).then(|| bytes.to_vec());
    let Some(bytes) = integers_in(transaction, id, entry, copied)? else {
        return Err(LedgerError::OtherData { id: id.clone() });
    };
    let stored = Stored { software: entry.software.clone(), private: entry.private, bytes };
    Ok(Some(Kept { paid: paid.clone(), reference: reference_to(history.terms(), id, paid), stored }))
}
