//! The seam: from records to a release, for every mechanism there is.
//!
//! ```text
//! Statistic            a record -> an integer vector in a public body
//!   Mechanism          statistic + Terms (guarantee, law of the noise, what is bought first): the public plan
//!   Partial            exact sum of a part: add, merge                             private
//!   Prepared           everything but the noise: a Payable                         private
//!   draw               paid for by a ledger, or unrecorded: answers in order       <- the privacy boundary
//! Release              noisy integers and public provenance: one document          public
//! ```
//!
//! A new mechanism is a new [`Statistic`]. This one counts people by the public age group that they are in:
//!
//! ```
//! use dpfda_mechanism::{Fact, Guarantee, Mechanism, Statistic, Terms};
//! use dpfda_privacy::{
//!     Law, NeighbouringRelation, OneHot, OneHotVector, PrivacyBudget, PrivacyUnit, SystemRandomness,
//! };
//! use serde::{Deserialize, Serialize};
//!
//! /// How many people are in each of four age groups.
//! #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
//! struct AgeGroups {}
//!
//! impl Statistic for AgeGroups {
//!     type Body = OneHot;
//!     type Record<'a> = u32;
//!     type Scratch = ();
//!
//!     const KIND: &'static str = "age-groups";
//!     const LEAST_RECORDS: u64 = 2;
//!
//!     fn body(&self, _law: &Law) -> OneHot {
//!         OneHot::new(4, 1).unwrap_or_else(|_| unreachable!("four cells are a body"))
//!     }
//!
//!     fn scratch(&self) {}
//!
//!     fn encode(&self, age: u32, (): &mut (), vector: &mut OneHotVector) {
//!         vector.place(age as usize / 25);
//!     }
//!
//!     fn facts(&self) -> Vec<Fact> {
//!         vec![Fact::new("bound", "every person is in one of four age groups")]
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let budget = PrivacyBudget::new(1.0, 0.0)?;
//! let guarantee = Guarantee::new(budget, NeighbouringRelation::SubstituteOne, PrivacyUnit::Subject);
//! let mechanism = Mechanism::new(AgeGroups {}, Terms::of(guarantee, Law::exact(&budget)))?;
//! let release = mechanism.prepare_all([31, 54, 78, 90])?.draw_unrecorded(&mut SystemRandomness::new()?);
//! println!("noisy counts: {:?}", release.coordinates());
//! # Ok(())
//! # }
//! ```
//!
//! A ledger pays for a [`Payable`] without knowing what it is: the payable says what it [`asks`](Payable::asked), which is
//! public, and draws itself when it is paid for. Nothing in this crate reads or writes a file.

mod digest;
mod documented;
mod envelope;
mod error;
mod facts;
mod fingerprint;
mod guarantee;
mod labels;
mod mechanism;
mod members;
mod papers;
mod part_file;
mod part_id;
mod partial;
mod passes;
mod payable;
mod prepared;
mod private_data;
mod purchases;
mod reference;
mod release;
mod release_id;
mod row_digest;
mod source;
mod statistic;
mod sums;
mod terms;
#[cfg(test)]
#[path = "tests/toy.rs"]
mod toy;
mod wanted;

pub use digest::{Digest, DigestError};
pub use documented::Documented;
pub use envelope::{Envelope, Head, PrivacyDocument, ReadError, close, demand, read_part};
pub use error::{MechanismError, PartialError};
pub use facts::{
    Fact, budget_in_words, digits_beside, exact, least_step, rounded, rounded_beside, unit_in_words, units_in_brief,
};
pub use fingerprint::{FingerprintKey, Fingerprinter};
pub use guarantee::Guarantee;
pub use labels::{FIGURE_SIZES, Labels};
pub use mechanism::{MOST_BYTES_OF_SUMS, Mechanism, SCHEMA};
pub use papers::Papers;
pub use part_file::{PartError, PartFile};
pub use part_id::PartId;
pub use partial::{Partial, Refused};
pub use passes::{AgainError, AtHand, TwoPasses};
pub use payable::{Asked, Drawn, Payable, RestoreError, Stored};
pub use prepared::Prepared;
pub use private_data::PrivateData;
pub use purchases::{Answers, BallShareError, BallShares, NoisyCenter, Purchase, Purchases, RADIUS_SHARE, Step};
pub use reference::{LedgerReference, NameError, is_name};
pub use release::Release;
pub use release_id::{ReleaseId, ReleaseIdError};
pub use row_digest::RowDigest;
pub use serde_json::value::RawValue;
pub use source::{GridSource, Source};
pub use statistic::Statistic;
pub use sums::{add_records, sum_records, sum_shares};
pub use terms::Terms;
pub use wanted::{Want, Wanted, least_trusted};
