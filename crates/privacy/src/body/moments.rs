//! Second moments beside a mean: which, and what the noise spares.

use serde::{Deserialize, Serialize};

#[cfg(test)]
#[path = "moments_tests.rs"]
mod tests;

/// What the noise spares most, where the mean and second moments are released together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Emphasis {
    /// The mean. Under substitute-one its noise is that of a release without second moments.
    Mean,
    /// The second moments. Under substitute-one the noise of the mean is 1.74 times as large.
    Covariance,
}

/// Second moments of the first coordinates of a record, as a plan states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moments {
    /// What the noise spares most.
    pub emphasis: Emphasis,
    /// The number `K` of coordinates that products are formed of.
    pub coordinates: usize,
}

/// The root of the number that this double was rounded from, rounded up.
pub(crate) fn root(square: f64) -> f64 {
    square.next_up().sqrt().next_up()
}
