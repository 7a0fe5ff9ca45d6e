//! Refuting a privacy claim from draws, for tests.

use crate::calibrate::clopper_pearson;

/// How often a true claim may be refuted.
pub(crate) const LEVEL: f64 = 1e-6;

/// [`clopper_pearson::refuted`] at [`LEVEL`].
pub(crate) fn refuted(count: u64, neighbour_count: u64, draws: u64, epsilon: f64, delta: f64) -> bool {
    clopper_pearson::refuted(count, neighbour_count, draws, epsilon, delta, LEVEL)
}
