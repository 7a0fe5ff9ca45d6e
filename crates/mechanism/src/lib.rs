//! What a release is before its noise is drawn: what it asks for, what it is drawn from, and where it stands in a ledger.
//!
//! A ledger pays for a [`Payable`] without knowing what it is: the payable says what it [`asks`](Payable::asked), which is
//! public, and draws itself when it is paid for. Nothing in this crate reads or writes a file.

mod digest;
mod fingerprint;
mod guarantee;
mod payable;
mod reference;
mod release_id;

pub use digest::{Digest, DigestError};
pub use fingerprint::{FingerprintKey, Fingerprinter};
pub use guarantee::Guarantee;
pub use payable::{Asked, Drawn, Payable, RestoreError, Stored};
pub use reference::{LedgerReference, NameError, is_name};
pub use release_id::{ReleaseId, ReleaseIdError};
