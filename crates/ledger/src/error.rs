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
#[allow(missing_docs, reason = "the messages say it")]
pub enum LedgerError {
    #[error("the file exists already; a ledger never replaces another file")]
    Exists,
    #[error("the ledger cannot be opened: {}", if *kind == io::ErrorKind::NotFound { "there is no such file".to_owned() } else { kind.to_string() })]
    Open { kind: io::ErrorKind },
    #[error("the file is not a ledger of dpfda, or its creation was interrupted before anything could be spent")]
    NotALedger,
    #[error("the ledger was written by another version of dpfda: its schema is {found}")]
    Schema { found: u32 },
    #[error(
        "another program has the ledger open and keeps a log beside it: a spend could be lost with that file; close the \
         other program"
    )]
    Journal,
    #[error("the ledger is damaged: its tables or their protections were changed; nothing can be spent from it")]
    Tables,
    #[error("the ledger is damaged: {0}; nothing can be spent from it")]
    Damaged(#[from] HistoryError),
    #[error("the ledger is damaged: entry {entry} is not one that dpfda wrote; nothing can be spent from it")]
    Entry { entry: u64 },
    #[error("the ledger is damaged: what is stored of release {id} is not what its entry says")]
    Stored { id: ReleaseId },
    #[error("the stored release {id} cannot be read: {reason}; another version of dpfda may have drawn it")]
    Restore { id: ReleaseId, reason: RestoreError },
    #[error("the ledger is no longer at its path: it was moved, removed or replaced while it was in use")]
    Moved,
    #[error(
        "the ledger protects each {ledger}, and the release would protect each {release}: a total over both means nothing"
    )]
    OtherUnit { ledger: PrivacyUnit, release: PrivacyUnit },
    #[error(
        "the ledger is for neighbours by {ledger}, and the release would be for neighbours by {release}: a total over both \
         means nothing"
    )]
    OtherNeighbours { ledger: NeighbouringRelation, release: NeighbouringRelation },
    #[error(
        "the ledger is the account of the data set {ledger}, and the study is about {study}: other people would pay"
    )]
    OtherDataset { ledger: String, study: String },
    #[error("the release id {id} belongs to a release with other settings; give another id")]
    IdInUse { id: ReleaseId },
    #[error(
        "the ledger holds a release of this id made from other data: {id}; give another id for a release of these data, which \
         costs budget of its own"
    )]
    OtherData { id: ReleaseId },
    #[error(
        "the release {id} was paid for, and its draw was lost before anybody saw it: the program or the machine stopped in \
         between; what was paid stays spent. Give another id for another draw, which costs its budget again"
    )]
    Lost { id: ReleaseId },
    #[error(
        "the payment of the release {id} was not confirmed: {reason}. Nothing was drawn. The amount may be spent: the same request pays if \
         it is not, and says that the draw was lost if it is"
    )]
    Unconfirmed { id: ReleaseId, reason: Box<Self> },
    #[error(
        "the release {id} is paid for, but it could not be stored: {reason}. Nobody has seen it. The same request gives it \
         back if it was stored after all, and says so if it was lost"
    )]
    NotKept { id: ReleaseId, reason: Box<Self> },
    #[error(
        "the release {id} is paid for, and its first answer is kept: {reason}. The same request goes on at no further cost, with the data as they were"
    )]
    Again { id: ReleaseId, reason: AgainError },
    #[error(
        "the release {id} is paid for, and its first answer is kept: {reason}. Nothing more was drawn. The same request goes on at no further \
         cost, or says that the draw was lost"
    )]
    Unfinished { id: ReleaseId, reason: Box<Self> },
    #[error("the mechanism said that the release has {expected} bytes, and it has others: this is a defect of dpfda")]
    Size { expected: u64 },
    #[error("the release has {size} bytes of noisy integers, and a ledger stores at most {limit} of one release")]
    TooLarge { size: u64, limit: u64 },
    #[error("the ledger has no group {group}; groups are declared when a ledger is created, and must be disjoint")]
    UnknownGroup { group: GroupName },
    #[error(transparent)]
    Request(#[from] TermsError),
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
    #[error("{0}")]
    OverTotal(Box<OverTotal>),
    #[error("the ledger cannot be {doing}: {fault}", doing = if *writing { "written" } else { "read" })]
    Storage { writing: bool, fault: StorageFault },
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
#[allow(missing_docs, reason = "the messages say it")]
pub enum StorageFault {
    #[error("the disk is full")]
    Full,
    #[error("the file or its folder is read-only (SQLite also writes a journal beside the ledger)")]
    ReadOnly,
    #[error("other processes kept it busy for a minute; try again")]
    Busy,
    #[error("the file is damaged")]
    Corrupt,
    #[error("the system could not read or write the file")]
    System,
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
