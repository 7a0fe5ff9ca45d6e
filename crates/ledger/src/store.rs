//! The ledger: made, opened, checked, read.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use dpfda_mechanism::FingerprintKey;
use dpfda_privacy::SystemRandomness;
use rusqlite::{Connection, TransactionBehavior};

use crate::entry::{LedgerEntry, LedgerEvent};
use crate::error::{LedgerError, OverTotal};
use crate::file::{ANSWERED, RELEASED, connect, fill, history_in, integers_in, now};
use crate::history::LedgerHistory;
use crate::request::ReleaseRequest;
use crate::terms::LedgerTerms;

/// A ledger, open.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    pub(crate) connection: Connection,
}

impl Ledger {
    /// A new ledger in a new file, which only its owner can read and write.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] if there is a file; [`LedgerError::Open`] and [`LedgerError::Storage`] where none can be made;
    /// [`LedgerError::Randomness`] where the system has no random bits for its secret.
    pub fn create(path: &Path, terms: &LedgerTerms) -> Result<Self, LedgerError> {
        let path = &absolute(path)?;
        let key = FingerprintKey::new(&mut SystemRandomness::new()?);
        new_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LedgerError::Exists,
            kind => LedgerError::Open { kind },
        })?;
        let created = Self::filled(path, terms, &key);
        if created.is_err() {
            // What cannot be removed is refused by `open`: it has no tables.
            let _ = fs::remove_file(path);
        }
        created
    }

    fn filled(path: &Path, terms: &LedgerTerms, key: &FingerprintKey) -> Result<Self, LedgerError> {
        let writing = LedgerError::of(true);
        let mut ledger = Self { path: path.to_owned(), connection: connect(path)? };
        let transaction =
            ledger.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&writing)?;
        let created = LedgerEvent::Created { terms: terms.clone(), at: now() };
        let entry = fill(&transaction, created, key)?;
        transaction.commit().map_err(&writing)?;
        ledger.confirm(&entry)?;
        Ok(ledger)
    }

    /// The ledger in this file, checked entry by entry.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        // SQLite would wait for whoever writes to a pipe
        let metadata = fs::metadata(path).map_err(|error| LedgerError::Open { kind: error.kind() })?;
        if !metadata.is_file() || metadata.len() == 0 {
            return Err(LedgerError::NotALedger);
        }
        let path = absolute(path)?;
        let ledger = Self { connection: connect(&path)?, path };
        ledger.check()?;
        Ok(ledger)
    }

    /// Refuses a study of another data set: its people would not be those of the account.
    ///
    /// # Errors
    /// [`LedgerError::OtherDataset`], and of [`Ledger::history`].
    pub fn check_dataset(&self, study: Option<&str>) -> Result<(), LedgerError> {
        let Some(study) = study else { return Ok(()) };
        let history = self.history()?;
        let ledger = history.terms().dataset();
        if study == ledger {
            return Ok(());
        }
        Err(LedgerError::OtherDataset { ledger: ledger.to_owned(), study: study.to_owned() })
    }

    /// Every entry, and everything stored against its entry.
    fn check(&self) -> Result<(), LedgerError> {
        let transaction = self.connection.unchecked_transaction().map_err(LedgerError::of(false))?;
        let history = history_in(&transaction)?;
        let mut draws: i64 = 0;
        for entry in history.entries() {
            let (kind, id, stored) = match &entry.event {
                LedgerEvent::Answered { id, stored, .. } => (ANSWERED, id, stored),
                LedgerEvent::Released { id, stored, .. } => (RELEASED, id, stored),
                LedgerEvent::Created { .. } | LedgerEvent::Spent { .. } | LedgerEvent::Resumed { .. } => continue,
            };
            integers_in(&transaction, (kind, id), stored, |_, _| ())?;
            draws += 1;
        }
        let found: i64 = transaction
            .query_row("SELECT count(*) FROM draws", [], |row| row.get(0))
            .map_err(LedgerError::of(false))?;
        if found == draws { Ok(()) } else { Err(LedgerError::Tables) }
    }

    /// Everything that is written in it, checked.
    pub fn history(&self) -> Result<LedgerHistory, LedgerError> {
        let transaction = self.connection.unchecked_transaction().map_err(LedgerError::of(false))?;
        history_in(&transaction)
    }

    /// Reads the entry back from the path: a file that was moved away while it was written to would lose it.
    pub(crate) fn confirm(&self, entry: &LedgerEntry) -> Result<(), LedgerError> {
        let again = match connect(&self.path) {
            Err(busy @ LedgerError::Storage { .. }) if self.path.exists() => return Err(busy),
            again => again.map_err(|_| LedgerError::Moved)?,
        };
        let is_there = |hash: String| hash == entry.hash.to_string();
        let query = "SELECT hash FROM entries WHERE sequence = ?";
        let found = again.query_row(query, [entry.sequence.cast_signed()], |row| row.get(0));
        if found.is_ok_and(is_there) { Ok(()) } else { Err(LedgerError::Moved) }
    }
}

/// Refuses what the terms or the total do not allow.
pub(crate) fn check(history: &LedgerHistory, request: &ReleaseRequest) -> Result<(), LedgerError> {
    let (terms, guarantee) = (history.terms(), request.guarantee());
    if guarantee.unit() != terms.unit() {
        return Err(LedgerError::OtherUnit { ledger: terms.unit(), release: guarantee.unit() });
    }
    if guarantee.neighbours() != terms.neighbours() {
        return Err(LedgerError::OtherNeighbours { ledger: terms.neighbours(), release: guarantee.neighbours() });
    }
    let unknown = || {
        let group = request.part_of().cloned();
        group.map_or(LedgerError::Tables, |group| LedgerError::UnknownGroup { group })
    };
    let accounts = history.accounts().with(request.part_of(), request.spend()).ok_or_else(unknown)?;
    let total = terms.total();
    if accounts.is_within(&total) {
        return Ok(());
    }
    Err(LedgerError::OverTotal(Box::new(OverTotal::new(history.accounts(), total, request))))
}

/// The path from the root: some names, such as `:memory:`, are no files to the database.
fn absolute(path: &Path) -> Result<PathBuf, LedgerError> {
    std::path::absolute(path).map_err(|error| LedgerError::Open { kind: error.kind() })
}

/// An empty file for its owner alone; its journal gets the same mode.
fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
