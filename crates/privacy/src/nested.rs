//! Sums of records clipped at a radius that is chosen later: one pass, and the exact sum for each of 49 radii.
//!
//! A record `z`, in units of the largest radius, becomes two integer vectors: itself, `k`, and its direction, `u`. It is put into the
//! bucket `b` of the smallest radius that holds it. A bucket keeps the sums of both. Clipped at radius `j` the record is the integer
//! vector
//!
//! ```text
//! enc_j(z) = 2^(12 - o_b) k           if b >= j: the record is inside
//!            m_j 2^(6 - o_j) u        otherwise: its direction, on the sphere of radius j
//! ```
//!
//! whose norm is at most `R_j`, and the sum of all clipped records is a sum over buckets, exactly:
//!
//! ```text
//! S_j  = sum_{b >= j} 2^(12 - o_b) sum k       +  m_j 2^(6 - o_j) sum_{b < j} sum u
//! SS_j = sum_{b >= j} 4^(12 - o_b) sum k k'    + (m_j 2^(6 - o_j))^2 sum_{b < j} sum u u'
//! ```
//!
//! So curves that came from memory, from a file or in parts give the same bits, whatever radius is bought. The proof is
//! `docs/proofs/one-pass.md`.

mod basis;
mod body;
mod bytes;
mod clipped;
mod cross;
mod gram;
mod gram_sums;
mod grouped;
mod half;
mod kernel;
mod person;
mod projector;
mod quantise;
mod radius;
mod record;
mod side;
mod sums;
#[cfg(test)]
mod tests;
mod triangle;

pub use basis::{ContractionError, ProductsOf, PublicBasis};
pub use body::{Bucketed, ClippedBall, ClippedMoments};
pub use gram::{Design, GramBall, GramSum, GramVector};
pub use grouped::{GroupedBall, GroupedSum, GroupedVector, Membership};
pub use person::PersonSum;
pub use radius::{Bucket, NestedRadius, Radii};
pub use record::NestedRecord;
pub use sums::NestedSums;
