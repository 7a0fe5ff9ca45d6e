//! What was published: the two tables of parameters, and the grids they were searched on.

use dpfda::crossval::{CandidateError, Candidates, KernelFamily};
use dpfda::kernels::KernelName;

/// A kernel with a penalty and a range, as the tables have them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableEntry {
    /// The kernel.
    pub kernel: KernelName,
    /// The penalty `phi`.
    pub penalty: f64,
    /// The range `rho`.
    pub range: f64,
}

const fn entry(kernel: KernelName, penalty: f64, range: f64) -> TableEntry {
    TableEntry { kernel, penalty, range }
}

/// Table 1: the range that regular cross-validation chooses for each kernel and penalty.
pub const TABLE_1: [TableEntry; 12] = [
    entry(KernelName::Exponential, 0.0001, 0.25),
    entry(KernelName::Exponential, 0.001, 0.2),
    entry(KernelName::Exponential, 0.01, 0.3),
    entry(KernelName::Exponential, 0.03, 0.8),
    entry(KernelName::Matern(1.5), 0.0001, 0.1),
    entry(KernelName::Matern(1.5), 0.001, 0.15),
    entry(KernelName::Matern(1.5), 0.01, 0.15),
    entry(KernelName::Matern(1.5), 0.03, 0.3),
    entry(KernelName::Gaussian, 0.0001, 0.01),
    entry(KernelName::Gaussian, 0.001, 0.01),
    entry(KernelName::Gaussian, 0.01, 0.03),
    entry(KernelName::Gaussian, 0.03, 0.05),
];

/// Table 2: the penalty and range that "private cross-validation" chooses for each kernel.
pub const TABLE_2: [TableEntry; 3] = [
    entry(KernelName::Gaussian, 0.005, 0.03),
    entry(KernelName::Matern(1.5), 0.005, 0.25),
    entry(KernelName::Exponential, 0.01, 0.466),
];

/// The candidates of Table 1. The paper states the interval `[0.01, 2]` of the ranges; these are the values in it on which
/// all twelve published optima lie.
pub(crate) fn table_1_candidates() -> Result<Candidates, CandidateError> {
    let ranges = [0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0];
    let kernels = [KernelName::Exponential, KernelName::Matern(1.5), KernelName::Gaussian];
    let families =
        kernels.map(|name| KernelFamily::new(name, ranges.to_vec())).into_iter().collect::<Result<_, _>>()?;
    Candidates::new(families, vec![0.0001, 0.001, 0.01, 0.03], vec![1.0])
}

/// The candidates of Table 2: ten equally spaced ranges in the stated intervals, seven penalties in `[1e-4, 0.1]`.
pub(crate) fn table_2_candidates() -> Result<Candidates, CandidateError> {
    let intervals =
        [(KernelName::Gaussian, 0.01, 0.1), (KernelName::Matern(1.5), 0.05, 0.5), (KernelName::Exponential, 0.2, 1.0)];
    let families = intervals.map(|(name, first, last)| {
        let ranges = (0..10).map(|i| first + (last - first) * f64::from(i) / 9.0).collect();
        KernelFamily::new(name, ranges)
    });
    let families = families.into_iter().collect::<Result<_, _>>()?;
    Candidates::new(families, vec![1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2, 1e-1], vec![1.0])
}
