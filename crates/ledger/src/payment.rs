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
//! A release in two rounds is paid for as a whole. Its first answer is drawn and kept in this order; then the data are gone through again:
//!
//! ```text
//! look      a first answer that is stored is taken up, and nothing more is paid
//! go on     through the data again, under the first answer              without the lock
//! resume    commits the mark that the rest is drawn now                 before any more noise exists
//! draw, keep
//! ```
//!
//! The file is locked from `reserve` to `keep`, and from `resume` to `keep`. Nothing that is written has a size that depends on the noise. Why this is
//! enough: `docs/proofs/ledger.md`.

use dpfda_mechanism::{Digest, Drawn, LedgerReference, Payable, ReleaseId, Stored};
use dpfda_privacy::Randomness;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::entry::{LedgerEntry, LedgerEvent, StoredIntegers, reference_to};
use crate::error::LedgerError;
use crate::file::{ANSWERED, RELEASED, append, history_in, integers_in, key_in, now};
use crate::group::GroupName;
use crate::history::{LedgerHistory, Stage};
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
    /// and perhaps with [`LedgerError::Unconfirmed`]. A release in two rounds that is paid for, and whose data are not what they were
    /// ([`LedgerError::Again`]) or whose second round could not be marked ([`LedgerError::Unfinished`]), goes on with the same request.
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
        let job = self.job(request, &payable)?;
        match self.look(&job)? {
            Found::Kept(kept) => given_back(kept, payable),
            Found::Answered(first) => self.second_round(&job, &first, payable, randomness),
            Found::Nothing => self.first_round(&job, payable, randomness),
        }
    }

    /// What a request is recognised by, and the room that it needs.
    fn job<'r, P: Payable>(&self, request: &'r ReleaseRequest, payable: &P) -> Result<Job<'r>, LedgerError> {
        let (size, first) = (payable.stored_len(), payable.first_len());
        if size > LARGEST_RELEASE {
            return Err(LedgerError::TooLarge { size, limit: LARGEST_RELEASE });
        }
        Ok(Job { fingerprint: self.fingerprint(request.id(), payable)?, request, first, size })
    }

    /// Pays for everything. Draws and keeps the release, or its first answer.
    fn first_round<P: Payable, R: Randomness + ?Sized>(
        &mut self,
        job: &Job<'_>,
        mut payable: P,
        randomness: &mut R,
    ) -> Result<Outcome<P::Drawn>, LedgerError> {
        let mut held = Held::new(&mut self.connection);
        let history = match held.reserve(job)? {
            Reserved::Free(history) => *history,
            Reserved::Kept(kept) => {
                drop(held);
                return given_back(kept, payable);
            }
            Reserved::Answered(first) => {
                drop(held);
                return self.second_round(job, &first, payable, randomness);
            }
        };
        let paid = held.pay(&history, job.request)?;
        let Some(mut first) = payable.draw_first(randomness) else {
            let before = Before { history, resumed: paid.clone(), paid, is_private: true };
            let (kept, outcome) = drawn(held, &before, job, payable, randomness)?;
            self.confirm(&kept).map_err(|reason| not_kept(job, reason))?;
            return Ok(outcome);
        };
        first.private &= randomness.is_private();
        let kept = held.keep(&paid, job, &first, true).map_err(|reason| not_kept(job, reason))?;
        drop(held);
        self.confirm(&kept).map_err(|reason| not_kept(job, reason))?;
        self.second_round(job, &first, payable, randomness)
    }

    /// Goes through the data again, without the lock; then draws and keeps what is left.
    fn second_round<P: Payable, R: Randomness + ?Sized>(
        &mut self,
        job: &Job<'_>,
        first: &Stored,
        mut payable: P,
        randomness: &mut R,
    ) -> Result<Outcome<P::Drawn>, LedgerError> {
        let id = || job.request.id().clone();
        payable.go_on(first).map_err(|reason| LedgerError::Again { id: id(), reason })?;
        let mut held = Held::new(&mut self.connection);
        let unfinished = |reason| match reason {
            reason @ LedgerError::Storage { .. } => LedgerError::Unfinished { id: id(), reason: Box::new(reason) },
            reason => reason,
        };
        let before = match held.resume(job).map_err(unfinished)? {
            Resumed::Marked(before) => Before { is_private: first.private, ..*before },
            Resumed::Kept(kept) => {
                drop(held);
                return given_back(kept, payable);
            }
        };
        let (kept, outcome) = drawn(held, &before, job, payable, randomness)?;
        self.confirm(&kept).map_err(|reason| not_kept(job, reason))?;
        Ok(outcome)
    }

    /// The fingerprint of the private data under an id.
    fn fingerprint<P: Payable>(&self, id: &ReleaseId, payable: &P) -> Result<[u8; 32], LedgerError> {
        let mut fingerprinter = key_in(&self.connection)?.begin(id.as_str().as_bytes());
        payable.fingerprint(&mut fingerprinter);
        Ok(fingerprinter.finish())
    }

    /// The release or its first answer, if it is stored. What is paid for and not stored is lost: whoever draws holds the lock, and this
    /// waits for the lock.
    fn look(&self, job: &Job<'_>) -> Result<Found, LedgerError> {
        let transaction = self.connection.unchecked_transaction().map_err(LedgerError::of(false))?;
        let found = found_in(&transaction, &history_in(&transaction)?, job)?;
        drop(transaction);
        if let Found::Kept(kept) = &found {
            self.confirm(&kept.paid)?;
        }
        Ok(found)
    }
}

/// A request with what recognises it, and the sizes of its answers.
pub(crate) struct Job<'r> {
    pub(crate) request: &'r ReleaseRequest,
    pub(crate) fingerprint: [u8; 32],
    /// The bytes of the answer of a first round, where there are two.
    pub(crate) first: Option<u64>,
    /// The bytes of the whole release.
    pub(crate) size: u64,
}

/// What stands before a draw that is the last of its release.
pub(crate) struct Before {
    history: LedgerHistory,
    paid: LedgerEntry,
    /// The last entry, under the lock.
    resumed: LedgerEntry,
    /// Whether the noise of the answers before is secret.
    is_private: bool,
}

#[cfg(test)]
impl Before {
    pub(crate) fn last(&self) -> &LedgerEntry {
        &self.resumed
    }
}

/// Draws what is left and keeps it; the file is unlocked afterwards.
fn drawn<P: Payable, R: Randomness + ?Sized>(
    mut held: Held<'_>,
    before: &Before,
    job: &Job<'_>,
    payable: P,
    randomness: &mut R,
) -> Result<(LedgerEntry, Outcome<P::Drawn>), LedgerError> {
    let reference = reference_to(before.history.terms(), job.request.id(), &before.paid);
    let release = payable.draw(Some(reference.clone()), randomness);
    let release = release.map_err(|reason| LedgerError::Again { id: job.request.id().clone(), reason })?;
    let mut stored = release.stored();
    stored.private &= before.is_private && randomness.is_private();
    let kept = held.keep(&before.resumed, job, &stored, false).map_err(|reason| not_kept(job, reason))?;
    let notes = notes_of(&before.history, job.request, stored.private);
    Ok((kept, Outcome { release, origin: Origin::Drawn, reference, notes }))
}

fn not_kept(job: &Job<'_>, reason: LedgerError) -> LedgerError {
    LedgerError::NotKept { id: job.request.id().clone(), reason: Box::new(reason) }
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

fn given_back<P: Payable>(kept: Box<Kept>, payable: P) -> Result<Outcome<P::Drawn>, LedgerError> {
    let Kept { reference, stored, .. } = *kept;
    let notes = notes_of_stored(stored.private);
    let unreadable = |reason| LedgerError::Restore { id: reference.id().clone(), reason };
    let release = payable.restore(stored, Some(reference.clone())).map_err(unreadable)?;
    Ok(Outcome { release, origin: Origin::GivenBack, reference, notes })
}

/// What stands under the id of a request.
pub(crate) enum Found {
    Nothing,
    /// The first answer: the second round is still to come.
    Answered(Stored),
    /// The release.
    Kept(Box<Kept>),
}

/// What was found when room was to be reserved.
pub(crate) enum Reserved {
    /// The release: another process made it meanwhile.
    Kept(Box<Kept>),
    /// Its first answer: another process drew it meanwhile.
    Answered(Stored),
    /// Nothing. There is room now, and the history does not change before the release is paid for.
    Free(Box<LedgerHistory>),
}

/// What was found when the second round was to be marked.
pub(crate) enum Resumed {
    /// The release: another process made it meanwhile.
    Kept(Box<Kept>),
    /// The mark: nobody else draws.
    Marked(Box<Before>),
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

    /// Locks the file, checks everything that can be checked, and writes zeros where the answers of each round will be.
    pub(crate) fn reserve(&mut self, job: &Job<'_>) -> Result<Reserved, LedgerError> {
        let writing = LedgerError::of(true);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let history = history_in(&transaction)?;
        match found_in(&transaction, &history, job)? {
            Found::Nothing => {}
            Found::Answered(first) => return Ok(Reserved::Answered(first)),
            Found::Kept(kept) => return Ok(Reserved::Kept(kept)),
        }
        check(&history, job.request)?;
        // Set now and not before: a process that waits for its turn must not keep others from theirs.
        lock_until(&transaction, "EXCLUSIVE")?;
        self.is_locked = true;
        // room that was never paid for; not that of releases which wait for their second round
        let unused = "DELETE FROM space WHERE request NOT IN (SELECT request FROM entries WHERE kind = ?)";
        transaction.execute(unused, [ANSWERED]).map_err(&writing)?;
        for (round, size) in (1..).zip(job.first.into_iter().chain([job.size])) {
            let room = params![job.request.id().as_str(), round, (size + MARGIN).cast_signed()];
            transaction.execute("INSERT INTO space VALUES (?, ?, zeroblob(?))", room).map_err(&writing)?;
        }
        transaction.commit().map_err(&writing)?;
        Ok(Reserved::Free(Box::new(history)))
    }

    /// Commits the cost, and frees the room for what is drawn next: everything, or the answer of the first round.
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
        free(&transaction, request.id(), 1)?;
        let unconfirmed =
            |error| LedgerError::Unconfirmed { id: request.id().clone(), reason: Box::new(writing(error)) };
        transaction.commit().map_err(unconfirmed)?;
        Ok(entry)
    }

    /// Locks the file, commits the mark of the second round, and frees its room. From here on the first answer is used up.
    pub(crate) fn resume(&mut self, job: &Job<'_>) -> Result<Resumed, LedgerError> {
        let (writing, id) = (LedgerError::of(true), job.request.id());
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let history = history_in(&transaction)?;
        if let Found::Kept(kept) = found_in(&transaction, &history, job)? {
            return Ok(Resumed::Kept(kept));
        }
        let Stage::Answered(paid, _) = history.stage(id) else { return Err(LedgerError::Lost { id: id.clone() }) };
        lock_until(&transaction, "EXCLUSIVE")?;
        self.is_locked = true;
        let event = LedgerEvent::Resumed { id: id.clone(), at: now() };
        let resumed = append(&transaction, history.entries().last(), event)?;
        free(&transaction, id, 2)?;
        let paid = paid.clone();
        let history = history.before(&paid)?;
        transaction.commit().map_err(&writing)?;
        Ok(Resumed::Marked(Box::new(Before { history, paid, resumed, is_private: true })))
    }

    /// Commits the noisy integers of the release, or of its first answer, and unlocks the file. `last` is the entry before.
    pub(crate) fn keep(
        &mut self,
        last: &LedgerEntry,
        job: &Job<'_>,
        stored: &Stored,
        is_first: bool,
    ) -> Result<LedgerEntry, LedgerError> {
        let (size, id) = (if is_first { job.first.unwrap_or_default() } else { job.size }, job.request.id().clone());
        if stored.bytes.len() as u64 != size {
            return Err(LedgerError::Size { expected: size });
        }
        let writing = LedgerError::of(true);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let Stored { software, private, bytes } = stored;
        let sha256 = Digest::of(bytes);
        let stored = StoredIntegers { software: software.clone(), private: *private, bytes: size, sha256 };
        let event = if is_first {
            LedgerEvent::Answered { id, stored, at: now() }
        } else {
            LedgerEvent::Released { id, stored, at: now() }
        };
        let entry = append(&transaction, Some(last), event)?;
        let row = params![entry.sequence.cast_signed(), job.fingerprint.as_slice(), bytes];
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

/// Frees the room of a round, inside the file.
fn free(transaction: &Transaction<'_>, id: &ReleaseId, round: u8) -> Result<(), LedgerError> {
    let room = params![id.as_str(), round];
    let freed = transaction.execute("DELETE FROM space WHERE request = ? AND round = ?", room);
    freed.map(|_| ()).map_err(LedgerError::of(true))
}

/// What stands under the id of this request: the release, its first answer, or nothing.
fn found_in(transaction: &Transaction<'_>, history: &LedgerHistory, job: &Job<'_>) -> Result<Found, LedgerError> {
    let id = job.request.id();
    if history.request(id).is_some_and(|(_, earlier)| earlier != job.request) {
        return Err(LedgerError::IdInUse { id: id.clone() });
    }
    let integers = |kind, entry: &StoredIntegers| {
        let copied = |known: &[u8], bytes: &[u8]| (known == job.fingerprint).then(|| bytes.to_vec());
        let bytes = integers_in(transaction, (kind, id), entry, copied)?;
        let bytes = bytes.ok_or_else(|| LedgerError::OtherData { id: id.clone() })?;
        Ok::<_, LedgerError>(Stored { software: entry.software.clone(), private: entry.private, bytes })
    };
    match history.stage(id) {
        Stage::Nothing => Ok(Found::Nothing),
        Stage::Paid(_) | Stage::Resumed(_) => Err(LedgerError::Lost { id: id.clone() }),
        Stage::Answered(_, entry) => Ok(Found::Answered(integers(ANSWERED, entry)?)),
        Stage::Released(paid, entry) => {
            let reference = reference_to(history.terms(), id, paid);
            Ok(Found::Kept(Box::new(Kept { paid: paid.clone(), reference, stored: integers(RELEASED, entry)? })))
        }
    }
}
