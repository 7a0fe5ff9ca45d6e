//! Exact sums of records, and the type of what may not be published.

pub(crate) mod exact_sum;
pub(crate) mod non_private;
