//! The tables of a ledger's file, and the entries in them.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dpfda_mechanism::{Digest, FingerprintKey, ReleaseId};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, params};

use crate::entry::{LedgerEntry, LedgerEvent, StoredIntegers};
use crate::error::LedgerError;
use crate::history::{HistoryError, LedgerHistory, SCHEMA};

/// "dpfd", in the header of the file.
const APPLICATION: i32 = 0x6470_6664;

/// How long to wait for other processes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The tables: everything but `space` can be added, never changed or taken away, and the head only moves forward.
///
/// `secret` holds the key of the fingerprints of private data, and `draws` the fingerprints: neither is in an entry, so that
/// neither is exported. `space` holds room on the disk for what is about to be drawn: a row for each round of a release.
const TABLES: [&str; 13] = [
    "CREATE TABLE entries (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, request TEXT NOT NULL, event TEXT NOT NULL, \
     previous TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (kind, request)) STRICT",
    "CREATE TABLE draws (entry INTEGER PRIMARY KEY REFERENCES entries (sequence), fingerprint BLOB NOT NULL, \
     integers BLOB NOT NULL) STRICT",
    "CREATE TABLE secret (only INTEGER PRIMARY KEY CHECK (only = 1), key BLOB NOT NULL) STRICT",
    "CREATE TABLE space (request TEXT NOT NULL, round INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (request, round)) STRICT",
    "CREATE TABLE head (only INTEGER PRIMARY KEY CHECK (only = 1), sequence INTEGER NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER entries_last BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER draws_stay BEFORE UPDATE ON draws BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER draws_last BEFORE DELETE ON draws BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER secret_stays BEFORE UPDATE ON secret BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER secret_lasts BEFORE DELETE ON secret BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER head_forward BEFORE UPDATE ON head WHEN NEW.sequence <> OLD.sequence + 1 \
     BEGIN SELECT RAISE(ABORT, 'append-only'); END",
    "CREATE TRIGGER head_last BEFORE DELETE ON head BEGIN SELECT RAISE(ABORT, 'append-only'); END",
];

/// The file, open, with the settings under which a commit is on the disk when it returns.
pub(crate) fn connect(path: &Path) -> Result<Connection, LedgerError> {
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
    Ok(connection)
}

/// Makes the tables of a new ledger, with its first entry; nothing is committed.
pub(crate) fn fill(
    transaction: &Transaction<'_>,
    first: LedgerEvent,
    key: &FingerprintKey,
) -> Result<LedgerEntry, LedgerError> {
    let writing = LedgerError::of(true);
    transaction.pragma_update(None, "application_id", APPLICATION).map_err(&writing)?;
    transaction.pragma_update(None, "user_version", SCHEMA).map_err(&writing)?;
    for table in TABLES {
        transaction.execute(table, []).map_err(&writing)?;
    }
    let entry = LedgerEntry::after(None, first).map_err(|_| LedgerError::NotALedger)?;
    insert(transaction, &entry)?;
    transaction.execute("INSERT INTO head VALUES (1, 0, ?)", [entry.hash.to_string()]).map_err(&writing)?;
    transaction.execute("INSERT INTO secret VALUES (1, ?)", [key.reveal().as_slice()]).map_err(&writing)?;
    Ok(entry)
}

pub(crate) fn key_in(connection: &Connection) -> Result<FingerprintKey, LedgerError> {
    let key = connection.query_row("SELECT key FROM secret", [], |row| row.get::<_, [u8; 32]>(0));
    match key {
        Ok(key) => Ok(FingerprintKey::from_bytes(key)),
        Err(error @ rusqlite::Error::SqliteFailure(..)) => Err(LedgerError::of(false)(error)),
        Err(_) => Err(LedgerError::Tables),
    }
}

/// The next entry, written but not committed.
pub(crate) fn append(
    transaction: &Transaction<'_>,
    last: Option<&LedgerEntry>,
    event: LedgerEvent,
) -> Result<LedgerEntry, LedgerError> {
    let entry = LedgerEntry::after(last, event).map_err(|_| LedgerError::NotALedger)?;
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

/// What entries are called that have integers.
pub(crate) const ANSWERED: &str = "answered";
pub(crate) const RELEASED: &str = "released";

/// What no two entries share.
fn key_of(event: &LedgerEvent) -> (&'static str, String) {
    match event {
        LedgerEvent::Created { .. } => ("created", String::new()),
        LedgerEvent::Spent { request, .. } => ("spent", request.id().to_string()),
        LedgerEvent::Answered { id, .. } => (ANSWERED, id.to_string()),
        LedgerEvent::Resumed { id, .. } => ("resumed", id.to_string()),
        LedgerEvent::Released { id, .. } => (RELEASED, id.to_string()),
    }
}

/// All entries, checked, and that they end at the head.
pub(crate) fn history_in(transaction: &Transaction<'_>) -> Result<LedgerHistory, LedgerError> {
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

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The fingerprint and the integers of a release or of its first answer, checked against the entry of this kind.
pub(crate) fn integers_in<T>(
    transaction: &Transaction<'_>,
    (kind, id): (&str, &ReleaseId),
    entry: &StoredIntegers,
    read: impl FnOnce(&[u8], &[u8]) -> T,
) -> Result<T, LedgerError> {
    let query = "SELECT fingerprint, integers FROM draws JOIN entries ON entry = sequence \
                 WHERE kind = ? AND request = ?";
    let found = transaction.query_row(query, [kind, id.as_str()], |row| {
        let (fingerprint, bytes) = (row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?);
        let whole = bytes.len() as u64 == entry.bytes && Digest::of(bytes) == entry.sha256 && fingerprint.len() == 32;
        Ok(whole.then(|| read(fingerprint, bytes)))
    });
    found.map_err(unreadable(id))?.ok_or_else(|| LedgerError::Stored { id: id.clone() })
}

/// What was damaged, where a row cannot be read as what was written.
fn unreadable(id: &ReleaseId) -> impl Fn(rusqlite::Error) -> LedgerError {
    move |error| match error {
        rusqlite::Error::SqliteFailure(..) => LedgerError::of(false)(error),
        _ => LedgerError::Stored { id: id.clone() },
    }
}
