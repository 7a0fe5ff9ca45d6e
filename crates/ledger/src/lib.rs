//! A durable account of what was spent on a data set: one file of `SQLite`, whose entries are chained by hashes.
//!
//! ```text
//! create     the terms: data set, unit of privacy, neighbouring relation, total budget
//! spend      commits the cost of a release: before any noise is drawn
//! store      commits what was released: before anybody sees it
//! ```
//!
//! So nothing is published without its spend, and nothing is drawn twice for anybody to see: a release id that was stored is
//! given back as it was, and one that was spent but not stored, because the program or the machine stopped in between, is
//! drawn now for the first time that counts. Why this holds, and what a ledger cannot know: `docs/proofs/ledger.md`. Nothing
//! in a ledger depends on the data but the releases themselves, which are public.

mod entry;
mod error;
mod history;
mod store;
mod terms;
#[cfg(test)]
mod tests;

pub use dpfda_mechanism::{Digest, DigestError, LedgerReference, ReleaseId, ReleaseIdError};
pub use entry::{LedgerEntry, LedgerEvent, StoredFile};
pub use error::{LedgerError, OverTotal, StorageFault};
pub use history::{HistoryError, LedgerHistory};
pub use store::{Ledger, Receipt, StoredRelease};
pub use terms::{LedgerTerms, ReleaseRequest, TermsError};
