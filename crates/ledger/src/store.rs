//! The ledger's file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dpfda_mechanism::{Digest, LedgerReference, ReleaseId};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

use crate::entry::{LedgerEntry, LedgerEvent, StoredFile, reference_to};
use crate::error::{LedgerError, OverTotal};
use crate::history::{HistoryError, LedgerHistory, SCHEMA};
use crate::terms::{LedgerTerms, ReleaseRequest};

/// "dpfd", in the header of the file.
const APPLICATION: i32 = 0x6470_6664;

/// How long to wait for other processes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The tables: entries and files can be added, never changed or taken away, and the head only moves forward.
const TABLES: [&str; 9] = [
    "CREATE TABLE entries (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, request TEXT NOT NULL, event TEXT NOT NULL, \
     previous TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (kind, request)) STRICT",
    "CREATE TABLE files (entry INTEGER NOT NULL REFERENCES entries (sequence), position INTEGER NOT NULL, \
     name TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (entry, position)) STRICT",
    "CREATE TABLE head (only INTEGER PRIMARY KEY CHECK (only = 1), sequence INTEGER NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER entries_last BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER files_stay BEFORE UPDATE ON files BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER files_last BEFORE DELETE ON files BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER head_forward BEFORE UPDATE ON head WHEN NEW.sequence <> OLD.sequence + 1 \
     BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER head_last BEFORE DELETE ON head BEGIN SELECT RAISE(ABORT, 'append-only'); END",
];

/// A ledger, open.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    connection: Connection,
}

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
    /// A new ledger in a new file, which only its owner can read and write.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] if there is a file; [`LedgerError::Open`] and [`LedgerError::Storage`] where none can be made.
    pub fn create(path: &Path, terms: &LedgerTerms) -> Result<Self, LedgerError> {
        let path = &absolute(path)?;
        new_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LedgerError::Exists,
            kind => LedgerError::Open { kind },
        })?;
        let created = Self::connect(path).and_then(|mut ledger| ledger.fill(terms).map(|()| ledger));
        if created.is_err() {
            // What cannot be removed is refused by `open`: it has no tables.
            let _ = fs::remove_file(path);
        }
        created
    }

    /// The ledger in this file, checked entry by entry.
    ///
    /// # Errors
    /// [`LedgerError`] for what is no ledger, or one that was edited, truncated or damaged.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        // SQLite would wait for whoever writes to a pipe
        let metadata = fs::metadata(path).map_err(|error| LedgerError::Open { kind: error.kind() })?;
        if !metadata.is_file() || metadata.len() == 0 {
            return Err(LedgerError::NotALedger);
        }
        let ledger = Self::connect(&absolute(path)?)?;
        ledger.check()?;
        Ok(ledger)
    }

    /// Every entry, and every stored file against its entry.
    fn check(&self) -> Result<(), LedgerError> {
        let reading = LedgerError::of(false);
        let transaction = self.connection.unchecked_transaction().map_err(&reading)?;
        let history = history_in(&transaction)?;
        let mut expected = 0;
        for entry in history.entries() {
            if let LedgerEvent::Released { id, files, .. } = &entry.event {
                stored_in(&transaction, &history, id)?;
                expected += files.len();
            }
        }
        let found: i64 = transaction.query_row("SELECT count(*) FROM files", [], |row| row.get(0)).map_err(&reading)?;
        if usize::try_from(found) == Ok(expected) { Ok(()) } else { Err(LedgerError::Tables) }
    }

    /// Everything that is written in it, checked.
    ///
    /// # Errors
    /// [`LedgerError`], as for [`Ledger::open`].
    pub fn history(&self) -> Result<LedgerHistory, LedgerError> {
        let reading = LedgerError::of(false);
        let transaction = self.connection.unchecked_transaction().map_err(reading)?;
        history_in(&transaction)
    }

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
        let entry = append(&transaction, &history, event)?;
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
        if let Some(stored) = stored_in(&transaction, &history, id)? {
            return Ok(stored);
        }
        if history.request(id).is_none_or(|(entry, _)| entry.hash != receipt.reference.head()) {
            return Err(LedgerError::NotPaid { id: id.clone() });
        }
        let digests = files.iter().map(|(name, bytes)| StoredFile { name: name.clone(), sha256: Digest::of(bytes) });
        let event = LedgerEvent::Released { id: id.clone(), files: digests.collect(), at: now() };
        let entry = append(&transaction, &history, event)?;
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

    /// Reads the entry back from the path: a file that was moved away while it was written to would lose it.
    fn confirm(&self, entry: &LedgerEntry) -> Result<(), LedgerError> {
        let again = Self::connect(&self.path).map_err(|_| LedgerError::Moved)?;
        let is_there = |hash: String| hash == entry.hash.to_string();
        let query = "SELECT hash FROM entries WHERE sequence = ?";
        let found = again.connection.query_row(query, [entry.sequence.cast_signed()], |row| row.get(0));
        if found.is_ok_and(is_there) { Ok(()) } else { Err(LedgerError::Moved) }
    }

    fn connect(path: &Path) -> Result<Self, LedgerError> {
        let reading = LedgerError::of(false);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(&reading)?;
        connection.busy_timeout(PATIENCE).map_err(&reading)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).map_err(&reading)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false).map_err(&reading)?;
        // A file with a log beside it would be half of the ledger: whoever moved or copied it would lose spends.
        let mode = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let found = connection.pragma_query_value(None, "journal_mode", mode).map_err(&reading)?;
        if !found.eq_ignore_ascii_case("delete") {
            let changed = connection.pragma_update_and_check(None, "journal_mode", "DELETE", mode);
            if !changed.is_ok_and(|changed| changed.eq_ignore_ascii_case("delete")) {
                return Err(LedgerError::Journal);
            }
        }
        // a full flush of file, journal and folder at each commit
        connection.pragma_update(None, "synchronous", "EXTRA").map_err(&reading)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(&reading)?;
        Ok(Self { path: path.to_owned(), connection })
    }

    fn fill(&mut self, terms: &LedgerTerms) -> Result<(), LedgerError> {
        let writing = LedgerError::of(true);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        transaction.pragma_update(None, "application_id", APPLICATION).map_err(&writing)?;
        transaction.pragma_update(None, "user_version", SCHEMA).map_err(&writing)?;
        for table in TABLES {
            transaction.execute(table, []).map_err(&writing)?;
        }
        let event = LedgerEvent::Created { terms: terms.clone(), at: now() };
        let entry = LedgerEntry::after(None, event).map_err(|_| LedgerError::NotALedger)?;
        insert(&transaction, &entry)?;
        transaction.execute("INSERT INTO head VALUES (1, 0, ?)", [entry.hash.to_string()]).map_err(&writing)?;
        transaction.commit().map_err(&writing)?;
        self.confirm(&entry)
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
    let stored = stored_in(transaction, history, request.id())?;
    Ok(Some(Receipt { reference, stored, was_paid: true }))
}

/// Refuses what the terms or the total do not allow.
fn check(history: &LedgerHistory, request: &ReleaseRequest) -> Result<(), LedgerError> {
    let (terms, account) = (history.terms(), history.account());
    if request.unit() != terms.unit() {
        return Err(LedgerError::OtherUnit { ledger: terms.unit(), release: request.unit() });
    }
    if request.neighbours() != terms.neighbours() {
        return Err(LedgerError::OtherNeighbours { ledger: terms.neighbours(), release: request.neighbours() });
    }
    let total = terms.total();
    if account.with(request.spend()).is_within(&total) {
        return Ok(());
    }
    Err(LedgerError::OverTotal(Box::new(OverTotal::new(account, total, request.budget(), request.spend()))))
}

/// The next entry, written but not committed.
fn append(
    transaction: &Transaction<'_>,
    history: &LedgerHistory,
    event: LedgerEvent,
) -> Result<LedgerEntry, LedgerError> {
    let entry = history.next(event).map_err(|_| LedgerError::NotALedger)?;
    insert(transaction, &entry)?;
    transaction
        .execute(
            "UPDATE head SET sequence = ?, hash = ?",
            params![entry.sequence.cast_signed(), entry.hash.to_string()],
        )
        .map_err(LedgerError::of(true))?;
    Ok(entry)
}

fn insert(transaction: &Transaction<'_>, entry: &LedgerEntry) -> Result<(), LedgerError> {
    let (kind, request) = key_of(&entry.event);
    let event = serde_json::to_string(&entry.event).map_err(|_| LedgerError::NotALedger)?;
    let LedgerEntry { sequence, previous, hash, .. } = entry;
    let row = params![sequence.cast_signed(), kind, request, event, previous.to_string(), hash.to_string()];
    transaction.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", row).map_err(LedgerError::of(true))?;
    Ok(())
}

/// What no two entries share.
fn key_of(event: &LedgerEvent) -> (&'static str, String) {
    match event {
        LedgerEvent::Created { .. } => ("created", String::new()),
        LedgerEvent::Spent { request, .. } => ("spent", request.id().to_string()),
        LedgerEvent::Released { id, .. } => ("released", id.to_string()),
    }
}

/// All entries, checked, and that they end at the head.
fn history_in(transaction: &Transaction<'_>) -> Result<LedgerHistory, LedgerError> {
    let reading = LedgerError::of(false);
    check_tables(transaction)?;
    let mut rows = transaction
        .prepare("SELECT sequence, event, previous, hash, kind, request FROM entries ORDER BY sequence")
        .map_err(&reading)?;
    let columns = |row: &rusqlite::Row<'_>| {
        let text = |column| row.get::<_, String>(column);
        Ok((row.get::<_, i64>(0)?, text(1)?, text(2)?, text(3)?, (text(4)?, text(5)?)))
    };
    let mut entries = Vec::new();
    for row in rows.query_map([], columns).map_err(&reading)? {
        let (sequence, event, previous, hash, key) = row.map_err(&reading)?;
        let sequence = sequence.cast_unsigned();
        let damaged = LedgerError::Entry { entry: sequence };
        let (Ok(parsed), Ok(previous), Ok(hash)) = (serde_json::from_str(&event), previous.parse(), hash.parse())
        else {
            return Err(damaged);
        };
        // The hash is of the event as it is written: another spelling of it is not what was hashed.
        let as_written = serde_json::to_string(&parsed).is_ok_and(|written| written == event);
        if !as_written || key_of(&parsed) != (key.0.as_str(), key.1.clone()) {
            return Err(damaged);
        }
        entries.push(LedgerEntry { sequence, event: parsed, previous, hash });
    }
    let history = LedgerHistory::new(entries)?;
    let head: (i64, String) = transaction
        .query_row("SELECT sequence, hash FROM head", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .map_err(|_| HistoryError::Head)?;
    let last = history.entries().len() as u64 - 1;
    if head == (last.cast_signed(), history.head().to_string()) { Ok(history) } else { Err(HistoryError::Head.into()) }
}

/// The tables and what keeps them append-only must stand as they were made.
fn check_tables(transaction: &Transaction<'_>) -> Result<(), LedgerError> {
    let reading = LedgerError::of(false);
    let number = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(&reading);
    if number("application_id")? != i64::from(APPLICATION) {
        return Err(LedgerError::NotALedger);
    }
    let version = number("user_version")?;
    if version != i64::from(SCHEMA) {
        return Err(LedgerError::Schema { found: u32::try_from(version).unwrap_or(u32::MAX) });
    }
    let mut made = transaction.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").map_err(&reading)?;
    let made: Result<Vec<String>, _> = made.query_map([], |row| row.get(0)).map_err(&reading)?.collect();
    let mut made = made.map_err(&reading)?;
    let mut tables = TABLES.map(str::to_owned);
    made.sort();
    tables.sort();
    if made == tables { Ok(()) } else { Err(LedgerError::Tables) }
}

/// The files of a release, if it was stored, checked against the digests in its entry.
fn stored_in(
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
    if whole { Ok(Some(StoredRelease { files })) } else { Err(LedgerError::Files { id: id.clone() }) }
}

/// The path from the root: some names, such as `:memory:`, are no files to the database.
fn absolute(path: &Path) -> Result<PathBuf, LedgerError> {
    std::path::absolute(path).map_err(|error| LedgerError::Open { kind: error.kind() })
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// An empty file for its owner alone; its journal gets the same mode.
fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
impl Ledger {
    /// As if the disk had no room for another page.
    pub(crate) fn limit_to_its_size(&self) {
        let pages: i64 = self.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap_or(1);
        let limited = self.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()));
        assert!(limited.is_ok());
    }
}
