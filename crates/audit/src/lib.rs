//! The audit: attacks on the guarantees of every mechanism, with synthetic data alone.
//!
//! A [`Setting`] is a mechanism with its claim. Its [`Attack`] holds pairs of neighbouring data sets that were built to be
//! worst; [`Attack::run`] draws from both sides of each and compares, with exact bounds, how often events happen that the
//! claim allows least. It can refute a claim and never prove one.

mod added_noise;
mod attack;
mod audited;
mod claim;
mod cylinder;
mod distribution;
mod error;
mod exact;
mod kinds;
mod likelihood_ratio;
mod power;
mod released;
mod sums;
mod target;

pub use attack::{Attack, AuditPlan, AuditReport, FAMILY_LEVEL, PairReport};
pub use audited::{AuditedMechanism, Setting, UnknownMechanism, suite};
pub use claim::Claim;
pub use error::AuditError;
pub use power::power;
pub use released::ReleaseAttack;
