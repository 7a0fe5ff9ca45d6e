//! The candidate smoothers: kernels, ranges, penalties and powers.

use dpfda_kernels::{KernelError, KernelName};
use dpfda_smoothing::{PenalizedMean, PenaltyError};
use thiserror::Error;

#[cfg(test)]
#[path = "candidates_tests.rs"]
mod tests;

/// Why a set of candidates was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CandidateError {
    #[error("no candidate kernels; give at least one")]
    NoKernels,
    #[error("no candidate ranges; give at least one for each kernel")]
    NoRanges,
    #[error("no candidate penalties; give at least one")]
    NoPenalties,
    #[error("no candidate powers eta; give at least one, such as 1")]
    NoPowers,
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
}

/// One kernel and its ranges, in increasing order.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelFamily {
    pub(crate) name: KernelName,
    pub(crate) ranges: Vec<f64>,
}

impl KernelFamily {
    /// Makes a family of this kernel with these ranges, on the domain mapped to `[0, 1]`. Ranges are sorted, and
    /// repeated ranges are dropped.
    pub fn new(name: KernelName, ranges: Vec<f64>) -> Result<Self, CandidateError> {
        if ranges.is_empty() {
            return Err(CandidateError::NoRanges);
        }
        for &range in &ranges {
            name.with_range(range)?;
        }
        Ok(Self { name, ranges: increasing(ranges) })
    }

    /// The kernel.
    pub fn name(&self) -> KernelName {
        self.name
    }

    /// The ranges, increasing.
    pub fn ranges(&self) -> &[f64] {
        &self.ranges
    }
}

/// Every combination of a kernel, a range, a penalty `phi` and a power `eta`.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    pub(crate) families: Vec<KernelFamily>,
    pub(crate) penalties: Vec<f64>,
    pub(crate) powers: Vec<f64>,
}

/// One candidate, given by its places in the lists of [`Candidates`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The place of the kernel.
    pub family: usize,
    /// The place of the range in the list of its kernel.
    pub range: usize,
    /// The place of the penalty.
    pub penalty: usize,
    /// The place of the power.
    pub power: usize,
}

impl Candidates {
    /// Makes all combinations. Penalties and powers are sorted, and repeated values are dropped.
    pub fn new(families: Vec<KernelFamily>, penalties: Vec<f64>, powers: Vec<f64>) -> Result<Self, CandidateError> {
        let first = families.first().ok_or(CandidateError::NoKernels)?;
        let kernel = first.name.with_range(first.ranges[0])?;
        if penalties.is_empty() {
            return Err(CandidateError::NoPenalties);
        }
        if powers.is_empty() {
            return Err(CandidateError::NoPowers);
        }
        for &penalty in &penalties {
            PenalizedMean::new(kernel.clone(), penalty, 1.0)?;
        }
        for &power in &powers {
            PenalizedMean::new(kernel.clone(), 1.0, power)?;
        }
        Ok(Self { families, penalties: increasing(penalties), powers: increasing(powers) })
    }

    /// The kernels with their ranges.
    pub fn families(&self) -> &[KernelFamily] {
        &self.families
    }

    /// The penalties, increasing.
    pub fn penalties(&self) -> &[f64] {
        &self.penalties
    }

    /// The powers, increasing.
    pub fn powers(&self) -> &[f64] {
        &self.powers
    }

    /// The number of spectra that all candidates need: one for each kernel and range.
    pub fn spectra(&self) -> usize {
        self.families.iter().map(|family| family.ranges.len()).sum()
    }

    /// The number of candidates.
    pub fn count(&self) -> usize {
        self.spectra() * self.penalties.len() * self.powers.len()
    }

    /// The candidate at a position; `None` if there is no such position.
    pub fn smoother(&self, at: Position) -> Option<PenalizedMean> {
        let family = self.families.get(at.family)?;
        let kernel = family.name.with_range(*family.ranges.get(at.range)?).ok()?;
        PenalizedMean::new(kernel, *self.penalties.get(at.penalty)?, *self.powers.get(at.power)?).ok()
    }
}

/// Returns numbers at equal ratios, including both ends. This spacing suits penalties and ranges.
///
/// ```text
/// first (last/first)^{i / (count - 1)},   i = 0..count - 1
/// ```
pub fn geometric(first: f64, last: f64, count: usize) -> Vec<f64> {
    let steps = count.saturating_sub(1).max(1) as f64;
    (0..count)
        .map(|i| if i + 1 == count && count > 1 { last } else { first * (last / first).powf(i as f64 / steps) })
        .collect()
}

fn increasing(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}
