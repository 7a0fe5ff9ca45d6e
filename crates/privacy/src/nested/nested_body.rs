//! Bodies of records that are clipped at one of the nested radii.

use super::radius::{Bucket, NestedRadius, Radii};
use crate::body::Body;

/// A body whose one sum of records gives the sum of the records clipped at any of the nested radii.
pub trait NestedBody: Body {
    /// Which radii sums are kept for.
    fn radii(&self) -> Radii;

    /// The same records clipped at another radius, of those that are kept.
    fn at(sum: Self::Sum, radius: NestedRadius) -> Self::Sum;

    /// The numbers of records in the buckets between the radii, from the outside to the centre: private.
    fn occupied(sum: &Self::Sum) -> [u64; Bucket::COUNT];
}
