//! The seam: from records to a release, for every mechanism there is.
//!
//! ```text
//! Statistic            a record -> an integer vector in a public body
//!   Mechanism          statistic + guarantee + law of the noise: the public plan
//!   Partial            exact sum of a part: add, merge                             private
//!   Prepared           everything but the noise: a Payable                         private
//!   draw               paid for by a ledger, or unrecorded                         <- the privacy boundary
//! Release              noisy integers and public provenance: one document          public
//! ```
//!
//! A ledger pays for a [`Payable`] without knowing what it is: the payable says what it [`asks`](Payable::asked), which is
//! public, and draws itself when it is paid for. Nothing in this crate reads or writes a file.

mod digest;
mod envelope;
mod facts;
mod fingerprint;
mod guarantee;
mod labels;
mod mechanism;
mod partial;
mod payable;
mod prepared;
mod reference;
mod release;
mod release_id;
mod statistic;
#[cfg(test)]
mod toy;

pub use digest::{Digest, DigestError};
pub use envelope::{Envelope, Head, PrivacyDocument, ReadError, close, demand};
pub use facts::{Fact, budget_in_words, difference_in_words, exact, rounded};
pub use fingerprint::{FingerprintKey, Fingerprinter};
pub use guarantee::Guarantee;
pub use labels::Labels;
pub use mechanism::{Mechanism, MechanismError, SCHEMA};
pub use partial::{PartId, Partial, PartialError, Refused};
pub use payable::{Asked, Drawn, Payable, RestoreError, Stored};
pub use prepared::Prepared;
pub use reference::{LedgerReference, NameError, is_name};
pub use release::Release;
pub use release_id::{ReleaseId, ReleaseIdError};
pub use statistic::Statistic;
