//! Why a ledger did not do what it was asked for.

use std::fmt;
use std::io;

use dpfda_mechanism::{AgainError, ReleaseId, RestoreError};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, RandomnessError, Spend};
use rusqlite::ErrorCode;
use thiserror::Error;

use crate::accounts::Accounts;
use crate::group::GroupName;
use crate::history::HistoryError;
use crate::request::ReleaseRequest;
use crate::terms::TermsError;

/// Why a ledger did not do what it was asked for. Nothing was spent then, except where [`LedgerError::NotKept`], [`LedgerError::Again`] or
/// [`LedgerError::Unfinished`] says so, and perhaps where [`LedgerError::Unconfirmed`] does.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// Something is there already.
    #[error("the file exists already; a ledger never replaces another file")]
    Exists,
    /// The file cannot be opened.
    #[error("the ledger cannot be opened: {}", if *kind == io::ErrorKind::NotFound { "there is no such file".to_owned() } else { kind.to_string() })]
    Open {
        /// Why.
        kind: io::ErrorKind,
    },
    /// Not a ledger.
    #[error("the file is not a ledger of dpfda, or its creation was interrupted before anything could be spent")]
    NotALedger,
    /// Written by another version.
    #[error("the ledger was written by another version of dpfda: its schema is {found}")]
    Schema {
        /// The schema of the file.
        found: u32,
    },
    /// Another program keeps what is written in a second file.
    #[error(
        "another program has the ledger open and keeps a log beside it: a spend could be lost with that file; close the \
         other program"
    )]
    Journal,
    /// The tables are not what they were.
    #[error("the ledger is damaged: its tables or their protections were changed; nothing can be spent from it")]
    Tables,
    /// The entries contradict one another.
    #[error("the ledger is damaged: {0}; nothing can be spent from it")]
    Damaged(#[from] HistoryError),
    /// An entry cannot be read.
    #[error("the ledger is damaged: entry {entry} is not one that dpfda wrote; nothing can be spent from it")]
    Entry {
        /// Its number.
        entry: u64,
    },
    /// What is stored of a release is not what was stored.
    #[error("the ledger is damaged: what is stored of release {id} is not what its entry says")]
    Stored {
        /// The release.
        id: ReleaseId,
    },
    /// What is stored of a release cannot be read by this version.
    #[error("the stored release {id} cannot be read: {reason}; another version of dpfda may have drawn it")]
    Restore {
        /// The release.
        id: ReleaseId,
        /// Why.
        reason: RestoreError,
    },
    /// The file is no longer where it was, or no longer the one that was opened.
    #[error("the ledger is no longer at its path: it was moved, removed or replaced while it was in use")]
    Moved,
    /// The data set would be protected in another unit than promised.
    #[error(
        "the ledger protects each {ledger}, and the release would protect each {release}: a total over both means nothing"
    )]
    OtherUnit {
        /// The unit of the ledger.
        ledger: PrivacyUnit,
        /// The unit of the release.
        release: PrivacyUnit,
    },
    /// The data set would be protected under another relation than promised.
    #[error(
        "the ledger is for neighbours by {ledger}, and the release would be for neighbours by {release}: a total over both \
         means nothing"
    )]
    OtherNeighbours {
        /// The relation of the ledger.
        ledger: NeighbouringRelation,
        /// The relation of the release.
        release: NeighbouringRelation,
    },
    /// The id belongs to another release.
    #[error("the release id {id} belongs to a release with other settings; give another id")]
    IdInUse {
        /// The id.
        id: ReleaseId,
    },
    /// The id belongs to a release of other data.
    #[error(
        "the ledger holds a release of this id made from other data: {id}; give another id for a release of these data, which \
         costs budget of its own"
    )]
    OtherData {
        /// The id.
        id: ReleaseId,
    },
    /// The release was paid for, and no draw of it exists.
    #[error(
        "the release {id} was paid for, and its draw was lost before anybody saw it: the program or the machine stopped in \
         between; what was paid stays spent. Give another id for another draw, which costs its budget again"
    )]
    Lost {
        /// The id.
        id: ReleaseId,
    },
    /// The disk failed while it confirmed a payment, and nothing was drawn.
    #[error(
        "the payment of the release {id} was not confirmed: {reason}. Nothing was drawn. The amount may be spent: the same request pays if \
         it is not, and says that the draw was lost if it is"
    )]
    Unconfirmed {
        /// The id.
        id: ReleaseId,
        /// Why.
        reason: Box<Self>,
    },
    /// The release was paid for and drawn, and then not stored.
    #[error(
        "the release {id} is paid for, but it could not be stored: {reason}. Nobody has seen it. The same request gives it \
         back if it was stored after all, and says so if it was lost"
    )]
    NotKept {
        /// The id.
        id: ReleaseId,
        /// Why.
        reason: Box<Self>,
    },
    /// The data of a release in two rounds are not what they were.
    #[error(
        "the release {id} is paid for, and its first answer is kept: {reason}. The same request goes on at no further cost, with the data as they were"
    )]
    Again {
        /// The id.
        id: ReleaseId,
        /// Why.
        reason: AgainError,
    },
    /// The second round of a release could not be marked, and nothing of it was drawn.
    #[error(
        "the release {id} is paid for, and its first answer is kept: {reason}. Nothing more was drawn. The same request goes on at no further \
         cost, or says that the draw was lost"
    )]
    Unfinished {
        /// The id.
        id: ReleaseId,
        /// Why.
        reason: Box<Self>,
    },
    /// A mechanism made another number of bytes than it said.
    #[error("the mechanism said that the release has {expected} bytes, and it has others: this is a defect of dpfda")]
    Size {
        /// What it said.
        expected: u64,
    },
    /// More than a ledger can hold.
    #[error("the release has {size} bytes of noisy integers, and a ledger stores at most {limit} of one release")]
    TooLarge {
        /// The size of the release.
        size: u64,
        /// The most that is stored.
        limit: u64,
    },
    /// A group that was not declared when the ledger was created.
    #[error("the ledger has no group {group}; groups are declared when a ledger is created, and must be disjoint")]
    UnknownGroup {
        /// The group asked for.
        group: GroupName,
    },
    /// The request cannot be written down.
    #[error(transparent)]
    Request(#[from] TermsError),
    /// No secret could be made for a new ledger.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
    /// The total would be exceeded.
    #[error("{0}")]
    OverTotal(Box<OverTotal>),
    /// The database could not do its work.
    #[error("the ledger cannot be {doing}: {fault}", doing = if *writing { "written" } else { "read" })]
    Storage {
        /// Whether it was to be written.
        writing: bool,
        /// Why.
        fault: StorageFault,
    },
}

/// A release that the total has no room for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverTotal {
    /// What was asked for.
    pub asked: PrivacyBudget,
    /// The total of the ledger.
    pub total: PrivacyBudget,
    /// What is left, for any mechanism.
    pub left: Option<PrivacyBudget>,
    /// The largest release of the same kind and delta that would fit.
    pub fits: Option<PrivacyBudget>,
}

impl OverTotal {
    pub(crate) fn new(accounts: &Accounts, total: PrivacyBudget, request: &ReleaseRequest) -> Self {
        let (asked, part_of) = (request.guarantee().budget(), request.part_of());
        let delta = asked.delta();
        let fits = match request.spend() {
            Spend::Gaussian { .. } => accounts.largest_gaussian(&total, delta, part_of),
            Spend::Approximate { .. } => accounts.largest_approximate(&total, delta, part_of),
        };
        let fits = fits.and_then(|epsilon| PrivacyBudget::new(epsilon, delta).ok());
        Self { asked, total, left: accounts.remaining(&total, part_of), fits }
    }
}

impl fmt::Display for OverTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |budget: PrivacyBudget| {
            format!("(epsilon, delta) = ({}, {})", shortest(budget.epsilon()), shortest(budget.delta()))
        };
        write!(f, "the release asks for {}, and of the total {} there is left ", pair(self.asked), pair(self.total))?;
        match self.fits {
            Some(fits) => write!(f, "room for one of this kind and delta with epsilon {}", shortest(fits.epsilon()))?,
            None => write!(f, "no room for one of this kind and delta")?,
        }
        match self.left {
            Some(left) => write!(f, "; for any kind, {}", pair(left)),
            None => Ok(()),
        }
    }
}

/// A number in its shortest form.
fn shortest(value: f64) -> String {
    if value == 0.0 || (1e-3..1e6).contains(&value) { value.to_string() } else { format!("{value:e}") }
}

/// What keeps a database from its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StorageFault {
    /// No space left.
    #[error("the disk is full")]
    Full,
    /// Not allowed.
    #[error("the file or its folder is read-only (SQLite also writes a journal beside the ledger)")]
    ReadOnly,
    /// Other processes held it for too long.
    #[error("other processes kept it busy for a minute; try again")]
    Busy,
    /// The file is no database any more.
    #[error("the file is damaged")]
    Corrupt,
    /// The disk failed.
    #[error("the system could not read or write the file")]
    System,
    /// Anything else.
    #[error("SQLite failed with code {code}")]
    Other {
        /// The extended code of `SQLite`; -1 where it has none.
        code: i32,
    },
}

impl LedgerError {
    /// The fault behind an error of the database, without its words: they could quote a file.
    pub(crate) fn of(writing: bool) -> impl Fn(rusqlite::Error) -> Self {
        move |error| {
            let code = error.sqlite_error().map(|error| error.extended_code);
            if code == Some(rusqlite::ffi::SQLITE_READONLY_DBMOVED) {
                return Self::Moved;
            }
            let fault = match error.sqlite_error_code() {
                Some(ErrorCode::NotADatabase) => return Self::NotALedger,
                Some(ErrorCode::DiskFull) => StorageFault::Full,
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                    StorageFault::ReadOnly
                }
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StorageFault::Busy,
                Some(ErrorCode::DatabaseCorrupt) => StorageFault::Corrupt,
                Some(ErrorCode::SystemIoFailure) => StorageFault::System,
                _ => StorageFault::Other { code: code.unwrap_or(-1) },
            };
            Self::Storage { writing, fault }
        }
    }
}
