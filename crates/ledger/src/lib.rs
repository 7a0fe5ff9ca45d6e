//! A durable account of what was spent on a data set: one file of `SQLite`, whose entries are chained by hashes.
//!
//! ```text
//! Ledger::create    the terms: data set, unit of privacy, neighbouring relation, total budget, disjoint groups
//! Ledger::release   pays for a release, draws it, stores it, returns it: the only door to a release with a ledger
//! ```
//!
//! So nothing is published without its cost, and of each release id at most one draw is ever seen: a release that was stored
//! is given back as it was. Why this holds, and what a ledger cannot know: `docs/proofs/ledger.md`.
//!
//! The file is as private as the data: it holds a secret with which guesses at the data can be tested. Its entries are public,
//! and [`LedgerHistory::to_json`] exports them and nothing else.

mod accounts;
mod entry;
mod error;
mod file;
mod group;
mod history;
mod outcome;
mod payment;
mod request;
mod store;
mod terms;
#[cfg(test)]
mod tests;
mod usual_id;
mod verify;

pub use accounts::Accounts;
pub use dpfda_mechanism::{Digest, DigestError, LedgerReference, ReleaseId, ReleaseIdError};
pub use entry::{LedgerEntry, LedgerEvent, StoredIntegers};
pub use error::{LedgerError, OverTotal, StorageFault};
pub use group::{GroupName, GroupNameError};
pub use history::{HistoryError, LedgerHistory};
pub use outcome::{LedgerNote, Origin, Outcome};
pub use payment::LARGEST_RELEASE;
pub use request::ReleaseRequest;
pub use store::Ledger;
pub use terms::{LedgerTerms, TermsError};
pub use usual_id::usual_id;
pub use verify::{Claim, Mismatch};
