//! Why there is no mechanism, or parts are not joined.

use dpfda_privacy::{LatticeError, NoiseError};
use thiserror::Error;

use crate::part_id::PartId;
use crate::purchases::Purchase;

/// Why there is no such mechanism, or no release of these data by it. Nothing in it depends on the values of records.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MechanismError {
    #[error(
        "there must be at least {least} record{} when the number of records is public, got {found}",
        if *least == 1 { "" } else { "s" }
    )]
    TooFewRecords { least: u64, found: u64 },
    #[error(transparent)]
    Noise(#[from] NoiseError),
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    #[error("a {what} cannot be bought for {kind} with this noise: state it")]
    NotForSale { what: Purchase, kind: &'static str },
    #[error(
        "with this budget a radius can be bought from at least {least} records, got {found}: the noise of the counts would hide fewer. \
         State a radius that you know, and buy none (a radius share of none)"
    )]
    TooFewForRadius { least: u64, found: u64 },
    #[error(
        "a radius cannot be bought of records this wide: the sums for every radius would take {bytes} bytes, and at most {most} are \
         kept. State a radius that you know, and buy none (a radius share of none), or average neighbouring points first"
    )]
    TooWideForRadius { bytes: u64, most: u64 },
    #[error("the plan buys a part of its ball first: one exact sum is not enough to release it")]
    Buys,
}

/// Why parts were not joined, or a record was not added. What it tells of the data is for the curator alone: it never stands
/// in a release.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PartialError {
    #[error("the parts were encoded by different plans: statistic, guarantee and law of the noise must be the same")]
    OtherPlan,
    #[error("both hold the part {0}: its records would count twice")]
    SamePart(PartId),
    #[error(
        "a subject is in both parts, or twice in one: the subject would count as two records and be protected as half of \
         one. Put all curves of a subject into one part"
    )]
    SameSubject,
    #[error(
        "parts of subjects can be joined only if each record was added with its subject and a key of the curator, the same \
         for all parts; otherwise a subject in two parts would count as two records"
    )]
    Untagged,
    #[error("the subjects of the parts were tagged with different keys, so a subject in both could not be seen")]
    OtherKey,
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}

impl From<LatticeError> for PartialError {
    fn from(error: LatticeError) -> Self {
        Self::Mechanism(error.into())
    }
}
